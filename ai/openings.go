package ai

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lascabot/lascabot/engine"
)

// OpeningNodes is how many positions [SearchOpenings] looks at for each line of
// the list that the program carries.
const OpeningNodes = 4_000_000

// How the list of openings is made.
const (
	openingPlies   = 10  // plies of a game for which there are lists
	openingAny     = 3   // plies in which any move leads to a position of the list
	openingLines   = 4   // moves of a position that are compared
	openingDecided = 300 // points from which on one side is so far ahead that there is no list
	openingWithin  = 15  // points that a listed move may be worse than the best
	openingBytes   = 128 << 20
)

// openingText is the list. Each line is a position and the moves that a level may
// choose from there:
//
//	RULES [MOVE...]: MOVE SCORE, MOVE SCORE...
//
// The moves before the colon lead to the position from the start of a game. The
// scores are for the side to move. Of two positions that mirror each other at the
// middle file, only one is in the list.
//
//go:generate sh -c "go run ../cmd/lasca openings -o openings.txt"
//go:embed openings.txt
var openingText string

// openingMove is a move of the list.
type openingMove struct {
	move  engine.Move
	score int // points for the side to move
}

// openingKey tells the positions of the list apart. Clock and move number are not
// in it.
type openingKey struct {
	rules engine.Rules
	key   engine.Key
}

func openingKeyOf(p *engine.Position) openingKey { return openingKey{p.Rules(), p.Key()} }

// openingList returns the moves to choose from in each listed position, the best
// first.
var openingList = sync.OnceValue(func() map[openingKey][]openingMove {
	list := map[openingKey][]openingMove{}
	for line := range strings.Lines(openingText) {
		if line[0] == '#' {
			continue
		}
		if err := addOpenings(list, line); err != nil {
			panic("ai: openings.txt: " + line + err.Error()) // the tests read it too
		}
	}
	return list
})

// addOpenings adds a line of the list, and its mirror image.
func addOpenings(list map[openingKey][]openingMove, line string) error {
	where, what, _ := strings.Cut(line, ":")
	words := strings.Fields(where)
	if len(words) == 0 {
		return fmt.Errorf("no rules")
	}
	rules, err := engine.ParseRules(words[0])
	if err != nil {
		return err
	}
	p := engine.Start(rules)
	image := p
	for _, text := range words[1:] {
		m, err := engine.ParseMove(text)
		if err != nil {
			return err
		}
		if p, err = p.Play(m); err != nil {
			return err
		}
		if image, err = image.Play(mirrored(m)); err != nil {
			return err
		}
	}
	for choice := range strings.SplitSeq(what, ",") {
		f := strings.Fields(choice)
		if len(f) != 2 {
			return fmt.Errorf("want MOVE SCORE, not %q", choice)
		}
		m, err := engine.ParseMove(f[0])
		if err != nil {
			return err
		}
		score, err := strconv.Atoi(f[1])
		if err != nil {
			return err
		}
		for _, at := range []struct {
			p engine.Position
			m engine.Move
		}{{p, m}, {image, mirrored(m)}} {
			if _, err := at.p.Play(at.m); err != nil {
				return err
			}
			k := openingKeyOf(&at.p)
			if !slices.ContainsFunc(list[k], func(o openingMove) bool { return o.move == at.m }) {
				list[k] = append(list[k], openingMove{at.m, score})
			}
		}
	}
	return nil
}

// mirrored returns a move mirrored at the middle file.
func mirrored(m engine.Move) engine.Move {
	path := m.Path()
	for i, s := range path {
		path[i], _ = engine.SquareAt(6-s.File(), s.Rank())
	}
	image, err := engine.NewMove(path...)
	if err != nil {
		panic(err) // the mirror image of a path is a path
	}
	return image
}

// opening returns the move that a level plays from the list, and false for a
// position that is not listed.
func (t *Task) opening() (engine.Move, bool) {
	moves := openingList()[openingKeyOf(&t.Position)]
	if len(moves) == 0 {
		return 0, false
	}
	return moves[scramble(t.Seed^t.Position.Hash())%uint64(len(moves))].move, true
}

// SearchOpenings makes the list of openings from which the highest levels choose,
// and passes it on line by line. In the list are the start of a game, the
// positions after every first move, and those after every answer to a listed
// first move. For each of them it looks at nodes positions. A move is listed if
// the last two depths that were finished found it at most 15 points worse than the
// best. The same number gives the same list as long as the search does not change.
// The error is ctx's.
func SearchOpenings(ctx context.Context, nodes int64, add func(line string)) error {
	s := NewSearcher(openingBytes)
	for _, rules := range engine.AllRules() {
		type entry struct {
			text string
			p    engine.Position
		}
		todo := []entry{{rules.String(), engine.Start(rules)}}
		done := map[engine.Key]bool{}
		for ply := range openingPlies {
			var next []entry
			for _, e := range todo {
				if done[e.p.Key()] {
					continue
				}
				good, err := s.openingMoves(ctx, e.p, nodes)
				if err != nil {
					return err
				}
				list := map[openingKey][]openingMove{}
				line := e.text + ":"
				for i, l := range good {
					if i > 0 {
						line += ","
					}
					line += fmt.Sprintf(" %v %d", l.Move, l.Score.Points())
				}
				if err := addOpenings(list, line); err != nil {
					return err
				}
				for k := range list { // the position and its mirror image
					done[k.key] = true
				}
				if best := good[0].Score; best > openingDecided || best < -openingDecided {
					continue // what follows is seldom played
				}
				add(line)
				for _, m := range e.p.Moves() {
					listed := slices.ContainsFunc(good, func(l Line) bool { return l.Move == m })
					if ply >= openingAny && !listed {
						continue
					}
					after := e.p
					after.MakeUnchecked(m)
					next = append(next, entry{e.text + " " + m.String(), after})
				}
			}
			todo = next
		}
	}
	return nil
}

// openingMoves returns the moves of a position that are about as good as the best.
func (s *Searcher) openingMoves(ctx context.Context, p engine.Position, nodes int64) ([]Line, error) {
	s.Forget()
	var last, before []Line // of the two depths finished last; what is cut short says little
	_, err := s.Search(ctx, Task{Position: p, Limits: Limits{Nodes: nodes}, Lines: openingLines,
		Progress: func(r Report) { last, before = r.Lines, last }})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	near := func(lines []Line, m engine.Move) bool {
		return slices.ContainsFunc(lines, func(l Line) bool {
			return l.Move == m && lines[0].Score-l.Score <= openingWithin
		})
	}
	var good []Line
	for i, l := range last {
		if i == 0 || near(last, l.Move) && near(before, l.Move) {
			good = append(good, l)
		}
	}
	return good, nil
}
