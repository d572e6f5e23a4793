package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// TestMovesAndApplyReproduceSharedPositions asks the program for every move list
// and every position after a move of a file of verified values that lies outside
// the repository.
func TestMovesAndApplyReproduceSharedPositions(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "oracle", "positions_public.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the larger set positions_public.jsonl is not here; package engine tests its own")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	positions := 0
	for lines.Scan() {
		var all map[string]json.RawMessage
		var id, text string
		if err := json.Unmarshal(lines.Bytes(), &all); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(json.Unmarshal(all["id"], &id), json.Unmarshal(all["lfen"], &text)); err != nil {
			t.Fatal(err)
		}
		positions++
		if testing.Short() && positions%10 != 0 {
			continue
		}
		for _, rules := range engine.AllRules() {
			var moves [][2]string // move and position after it
			if err := json.Unmarshal(all[rules.String()], &moves); err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for _, m := range moves {
				want.WriteString(m[0] + "\n")
			}
			at := []string{"-rules", rules.String(), "-position", text}
			if got, errs, status := try(t, append([]string{"moves"}, at...)...); status != exitDone || got != want.String() {
				t.Errorf("%s, moves under %v: status %d, %s\n%swant\n%s", id, rules, status, errs, got, &want)
			}
			for _, m := range moves {
				got, errs, status := try(t, append([]string{"apply", m[0]}, at...)...)
				if status != exitDone || got != m[1]+"\n" {
					t.Errorf("%s, %s under %v: status %d, %s%s, want %s", id, m[0], rules, status, errs, got, m[1])
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if positions < 1000 {
		t.Errorf("only %d positions", positions)
	}
}
