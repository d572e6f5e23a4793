package engine_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/notation"
)

// perftBudget returns the largest number of leaves that the tests count at once.
// LASCA_PERFT_NODES changes it; the largest count in the files is 500 million.
func perftBudget(t *testing.T) uint64 {
	if text := os.Getenv("LASCA_PERFT_NODES"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("LASCA_PERFT_NODES is not a number: %v", err)
		}
		return n
	}
	if testing.Short() || raceDetector {
		return 100_000
	}
	return 20_000_000
}

// shared returns the text of a file of verified values outside the repository. It
// skips the test when there is no such file.
func shared(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "oracle", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the larger set %s is not here; the set in engine/testdata has been tested", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func checkPerft(t *testing.T, id, position string, rules engine.Rules, counts []uint64) {
	t.Helper()
	p := enginetest.Position(t, position, rules)
	budget := perftBudget(t)
	for i, want := range counts {
		if want > budget {
			continue
		}
		if got := engine.Perft(p, i+1); got != want {
			t.Errorf("%s under %v: perft %d is %d, want %d", id, rules, i+1, got, want)
		}
	}
}

func TestPerft(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID+"_"+c.Name, func(t *testing.T) {
			t.Parallel()
			if len(c.Perft) == 0 {
				t.Fatal("no counts")
			}
			for rules, counts := range c.Perft {
				checkPerft(t, c.ID, c.Position, rules, counts)
			}
		})
	}
}

func TestPerftOfSharedFile(t *testing.T) {
	type counts map[engine.Rules][]struct {
		Depth int
		Nodes uint64
	}
	var file struct {
		Start struct {
			LFEN  string
			Perft counts
		}
		Positions []struct {
			ID, LFEN string
			Perft    counts
		}
	}
	if err := json.Unmarshal([]byte(shared(t, "perft.json")), &file); err != nil {
		t.Fatal(err)
	}
	embedded := map[string]enginetest.Case{}
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		embedded[c.ID] = c
	}
	// Counts that are also in engine/testdata have been tested there.
	check := func(id, lfen string, perft counts) {
		for rules, entries := range perft {
			var nodes []uint64
			for _, e := range entries {
				nodes = append(nodes, e.Nodes)
			}
			if c := embedded[id]; c.Position != lfen || !slices.Equal(c.Perft[rules], nodes) {
				checkPerft(t, id, lfen, rules, nodes)
			}
		}
	}
	check("START", file.Start.LFEN, file.Start.Perft)
	for _, p := range file.Positions {
		check(p.ID, p.LFEN, p.Perft)
	}
}

func TestDifficultPositions(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for rules, want := range c.Expect {
			t.Run(c.ID+"_"+c.Name+"/"+rules.String(), func(t *testing.T) {
				p := enginetest.Position(t, c.Position, rules)
				checkPosition(t, p)
				moves := p.Moves()
				texts := enginetest.Texts(moves)
				slices.Sort(texts)
				if want.Only != nil {
					slices.Sort(want.Only)
					if diff := cmp.Diff(want.Only, texts); diff != "" {
						t.Errorf("%s (-want +got)\n%s", c.Note, diff)
					}
				}
				for _, m := range want.Has {
					if !slices.Contains(texts, m) {
						t.Errorf("%s: %s is missing in %v", c.Note, m, texts)
					}
				}
				if want.Count != 0 && len(moves) != want.Count {
					t.Errorf("%s: %d moves, want %d", c.Note, len(moves), want.Count)
				}
				most, results := 0, map[engine.Key]bool{}
				for _, m := range moves {
					most = max(most, m.Jumps())
					next := p
					next.MakeUnchecked(m)
					results[next.Key()] = true
				}
				if want.MaxJumps != 0 && most != want.MaxJumps {
					t.Errorf("%s: most jumps %d, want %d", c.Note, most, want.MaxJumps)
				}
				if want.Results != 0 && len(results) != want.Results {
					t.Errorf("%s: %d different results, want %d", c.Note, len(results), want.Results)
				}
			})
		}
	}
}

func checkMoves(t *testing.T, known []enginetest.KnownMoves, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(known) == 0 {
		t.Fatal("no positions")
	}
	for _, k := range known {
		for rules, want := range k.Moves {
			p := enginetest.Position(t, k.Position, rules)
			got := [][2]string{}
			for _, m := range p.Moves() {
				next, err := p.Play(m)
				if err != nil {
					t.Fatalf("%s: %v", k.ID, err)
				}
				got = append(got, [2]string{m.String(), notation.FormatPosition(next.Setup())})
			}
			slices.SortFunc(got, func(a, b [2]string) int { return cmpText(a[0], b[0]) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s under %v: %s (-want +got)\n%s", k.ID, rules, k.Position, diff)
			}
		}
	}
}

func cmpText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestMovesOfReachablePositions(t *testing.T) {
	known, err := enginetest.MovesOfPositions()
	checkMoves(t, known, err)
}

func TestMovesOfReachablePositionsOfSharedFile(t *testing.T) {
	known, err := enginetest.ReadMovesOfPositions(shared(t, "positions_public.jsonl"))
	checkMoves(t, known, err)
}

func checkGames(t *testing.T, games []enginetest.KnownGame, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(games) == 0 {
		t.Fatal("no games")
	}
	reasons := map[string]engine.Reason{
		"": engine.NotOver, "no-moves": engine.NoMoves, "threefold": engine.Repetition, "no-progress": engine.NoProgress,
	}
	for _, k := range games {
		g := engine.NewGame(enginetest.Position(t, k.Start, k.Rules))
		for i, text := range k.Moves[:k.Plies] {
			m, err := engine.ParseMove(text)
			if err != nil {
				t.Fatalf("%s ply %d: %v", k.ID, i+1, err)
			}
			if err := g.Play(m); err != nil {
				t.Fatalf("%s ply %d: %v", k.ID, i+1, err)
			}
			pos := g.Position()
			if got := notation.FormatPosition(pos.Setup()); got != k.After[i] {
				t.Fatalf("%s after ply %d, %s: %s, want %s", k.ID, i+1, text, got, k.After[i])
			}
			if result, _ := g.Result(); result != engine.Ongoing && i+1 < k.Plies {
				t.Fatalf("%s has ended after ply %d, want %d", k.ID, i+1, k.Plies)
			}
		}
		result, reason := g.Result()
		if result.String() != k.Result || reason != reasons[k.Reason] {
			t.Errorf("%s (%s): %v by %q, want %s by %q", k.ID, k.Note, result, reason, k.Result, k.Reason)
		}
	}
}

func TestCompleteGames(t *testing.T) {
	games, err := enginetest.Games()
	checkGames(t, games, err)
}

func TestCompleteGamesOfSharedFile(t *testing.T) {
	for _, name := range []string{"games.jsonl", "repetition.jsonl"} {
		t.Run(name, func(t *testing.T) {
			games, err := enginetest.ReadGames(shared(t, name))
			checkGames(t, games, err)
		})
	}
}
