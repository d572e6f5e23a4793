package play

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestStoredLinesPlayNothingButWhatWasStored(t *testing.T) {
	t.Parallel()
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		ctx, s := context.Background(), newBench(outer)
		store := s.store
		s.duel("7")
		people := [2]Caller{ann, ben}
		load := func() storage.Record {
			r, err := store.Load(ctx, "7")
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		for range 40 {
			before := load()
			m := &before.Match
			if m.Phase != match.Playing {
				break
			}
			mover := m.Turn()
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1: // the one who waits stores a line, or some garbage
				line := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 8).Draw(t, "line")
				_, err := s.Plan(ctx, people[mover.Other()], intent.Plan{Ref: intent.Ref{Game: "7"}, Line: line})
				if err != nil && !errors.Is(err, ErrStale) && !errors.Is(err, ErrTooManyLines) {
					t.Fatal(err)
				}
				conditions := map[string]engine.Move{}
				for _, l := range load().Lines[mover.Other()] {
					if l.Ply != len(m.Moves) {
						continue
					}
					key := ""
					for i := 0; i+1 < len(l.Moves); i += 2 {
						key += " " + l.Moves[i].String()
						if was, ok := conditions[key]; ok && was != l.Moves[i+1] {
							t.Fatalf("after%s both %v and %v are stored", key, was, l.Moves[i+1])
						}
						conditions[key] = l.Moves[i+1]
						key += " " + l.Moves[i+1].String()
					}
				}
			case 2:
				pos := m.Game().Position()
				mv := rapid.SampledFrom(byName(&pos)).Draw(t, "move")
				r, _, err := s.Act(ctx, people[mover], intent.Step{Ref: intent.Ref{Game: "7", Version: m.Version}, Path: mv.Path()})
				if err != nil {
					t.Fatal(err)
				}
				checkReplies(t, &before, &r, mv)
			case 3: // taken back, with consent
				if len(m.Moves) == 0 {
					continue
				}
				side := people[rapid.IntRange(0, 1).Draw(t, "side")]
				if _, _, err := s.Act(ctx, side, intent.Undo{Ref: intent.Ref{Game: "7"}}); err != nil {
					continue
				}
				other := people[0]
				if side.ID == other.ID {
					other = people[1]
				}
				_, _, err := s.Act(ctx, other, intent.AllowUndo{Ref: intent.Ref{Game: "7"}})
				if err != nil {
					t.Fatal(err)
				}
				if n := len(load().Lines[0]) + len(load().Lines[1]); n > 0 {
					t.Fatalf("%d lines are left after a move was taken back", n)
				}
			}
		}
	})
}

// checkReplies fails unless each move after the first is one that its side had
// stored for exactly this course of the game.
func checkReplies(t *rapid.T, before, after *storage.Record, first engine.Move) {
	n := len(before.Match.Moves)
	made := after.Match.Moves[n:]
	if made[0] != first {
		t.Fatalf("%v was played instead of %v", made[0], first)
	}
	for i := 1; i < len(made); i++ {
		side := after.Match.Mover(n + i)
		if !slices.ContainsFunc(before.Lines[side], func(l storage.Line) bool {
			k := n + i - l.Ply
			return k >= 0 && k < len(l.Moves) && slices.Equal(l.Moves[:k+1], after.Match.Moves[l.Ply:n+i+1])
		}) {
			t.Fatalf("%v was played for %v, who had not stored it", made[i], side)
		}
	}
	if after.Match.Phase != match.Playing {
		return
	}
	if mv, ok := reply(&storage.Record{Match: after.Match, Lines: before.Lines}, &after.Match); ok {
		t.Fatalf("the stored reply %v was not played", mv)
	}
}
