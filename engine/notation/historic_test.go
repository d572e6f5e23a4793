package notation_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// TestHistoricGamesOfSharedFile reads a file of published games outside the
// repository. For each ruleset a line [Replay "…"] says whether the game is legal.
// If it is, the line gives the final position (columns from the bottom up) and the
// number of legal moves there; if not, the ply at which the game fails.
func TestHistoricGamesOfSharedFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "oracle", "historic.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the larger set historic.txt is not here; the games in engine/testdata have been tested")
	}
	if err != nil {
		t.Fatal(err)
	}
	rulesets := []struct {
		word  string
		rules engine.Rules
	}{{"no-rejump", engine.Lasker}, {"MindSports", engine.MindSports}, {"full re-jump", engine.Kawu}}
	replay := regexp.MustCompile(`OK final (\S+) legal (\d+)|FAILS at ply (\d+) (\S+)"`)
	checked := 0
	for block := range strings.SplitSeq(string(text), "\n[Id ") {
		id, _, _ := strings.Cut(block, "]")
		var moves string
		for line := range strings.Lines(block) {
			if strings.HasPrefix(line, "1. ") {
				moves = line
			}
		}
		for line := range strings.Lines(block) {
			want := replay.FindStringSubmatch(line)
			if !strings.HasPrefix(line, "[Replay") || want == nil {
				continue
			}
			for _, r := range rulesets {
				if !strings.HasPrefix(line, `[Replay "`+r.word) {
					continue
				}
				checked++
				g, err := notation.ReadGame(strings.NewReader(fmt.Sprintf("[Rules %q]\n%s", r.rules, moves)))
				if want[3] != "" {
					var fault *notation.GameError
					if !errors.As(err, &fault) || fmt.Sprint(fault.Ply) != want[3] || fault.Text != want[4] {
						t.Errorf("%s under %v: error %v, want ply %s, %s", id, r.rules, err, want[3], want[4])
					}
					continue
				}
				if err != nil {
					t.Errorf("%s under %v: %v", id, r.rules, err)
					continue
				}
				p, err := g.Start.Position()
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range g.Moves {
					p.MakeUnchecked(m)
				}
				if got := bottomUp(&p); got != want[1] || fmt.Sprint(p.CountMoves()) != want[2] {
					t.Errorf("%s under %v ends with %s and %d moves, want %s and %s", id, r.rules, got, p.CountMoves(), want[1], want[2])
				}
			}
		}
	}
	if checked < 21 {
		t.Errorf("only %d replays checked", checked)
	}
}

// bottomUp writes a position in the format of the file.
func bottomUp(p *engine.Position) string {
	var columns []string
	for sq := range engine.Square(engine.NumSquares) {
		if letters := []byte(p.Stack(sq).String()); len(letters) > 0 {
			slices.Reverse(letters)
			columns = append(columns, sq.String()+"="+string(letters))
		}
	}
	side := map[engine.Color]string{engine.White: "W:", engine.Black: "B:"}[p.Turn()]
	return side + strings.Join(columns, ",")
}
