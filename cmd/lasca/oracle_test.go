package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/config/cli"
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
			if got, errs, status := try(t, append([]string{"moves"}, at...)...); status != cli.ExitDone || got != want.String() {
				t.Errorf("%s, moves under %v: status %d, %s\n%swant\n%s", id, rules, status, errs, got, &want)
			}
			for _, m := range moves {
				got, errs, status := try(t, append([]string{"apply", m[0]}, at...)...)
				if status != cli.ExitDone || got != m[1]+"\n" {
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

// TestAnalyseGoesThroughHistoricGames takes the line of moves of every published
// game from a file that lies outside the repository and analyses it under the
// rules that all of them were played by.
func TestAnalyseGoesThroughHistoricGames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "oracle", "historic.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the larger set historic.txt is not here; package notation tests the games in engine/testdata")
	}
	if err != nil {
		t.Fatal(err)
	}
	tag := regexp.MustCompile(`(?m)^\[(Id|Plies|Result) "(.*)"\]$`)
	analysed := map[string]bool{}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		tags := map[string]string{}
		for _, m := range tag.FindAllStringSubmatch(block, -1) {
			tags[m[1]] = m[2]
		}
		at := strings.Index(block, "\n1. ")
		if at < 0 {
			continue // the head of the file
		}
		moves, _, _ := strings.Cut(block[at+1:], "\n")
		t.Run(tags["Id"], func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "game.txt")
			if err := os.WriteFile(file, []byte(moves+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			got, errs, status := try(t, "analyse", "-rules", "lasker", "-nodes", "500", file)
			if status != cli.ExitDone {
				t.Fatalf("status %d: %s", status, errs)
			}
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			if lines[0] != "game 1: White - Black, lasker, *" {
				t.Errorf("begins with %q", lines[0])
			}
			var printed []string
			for i, line := range lines[1:] {
				fields := strings.Fields(line)
				if len(fields) < 3 {
					t.Fatalf("ply %d: %q", i+1, line)
				}
				if !strings.HasSuffix(fields[0], "...") {
					printed = append(printed, fields[0])
				}
				printed = append(printed, fields[1])
			}
			if text := strings.Join(printed, " "); text != moves {
				t.Errorf("went through\n%s\nwant\n%s", text, moves)
			}
			if plies := strconv.Itoa(len(lines) - 1); plies != tags["Plies"] {
				t.Errorf("%s plies, want %s", plies, tags["Plies"])
			}
			// Where the loser has no move left, which Lasker's games 1 and 2 end
			// with, the result is in the last line.
			if won := strings.Contains(lines[len(lines)-1], "has won"); won != strings.Contains(tags["Result"], "move") {
				t.Errorf("ends with %q, the result is %s", lines[len(lines)-1], tags["Result"])
			}
		})
		analysed[tags["Id"]] = true
	}
	for _, id := range []string{"LASKER-1911-G1", "LASKER-1911-G2", "LASKER-1911-G3", "MOSCOW-1996"} {
		if !analysed[id] {
			t.Errorf("%s is missing", id)
		}
	}
}
