package play

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// messageAt returns the ID of a message that Discord made at a time.
func messageAt(at time.Time) string { return fmt.Sprint((at.UnixMilli() - discordEpoch) << 22) }

// later moves the clock as if people could play all the time.
func (b *bench) later(d time.Duration) {
	b.now = b.now.Add(d)
	if err := b.SaveNote(context.Background(), beatKey, beatNote{Beat: b.now}); err != nil {
		panic(err)
	}
}

func TestAClaimNeedsTheBoardThatToldOfTheTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		board, first Standing // the board, and the message that told of the turn
		anew         bool     // the board has been posted again, a day before the claim
		want         error
		again        time.Duration // after which it holds, if it does not now
	}{
		{"it stands", Stands, Stands, false, nil, 0},
		{"it is gone: the board is posted anew", Gone, Gone, false, ErrBoardGone, match.MoveTime},
		{"it cannot be seen", Hidden, Hidden, false, ErrUnsure, 0},
		{"Discord does not answer", Unknown, Unknown, false, ErrUnsure, 0},
		{"both stand", Stands, Stands, true, nil, 0},
		{"the first was deleted: the newer one counts", Stands, Gone, true, match.ErrTooEarly, match.MoveTime - 24*time.Hour},
		{"only the newer one can be seen", Stands, Hidden, true, nil, 0},
		{"Discord does not answer about the first", Stands, Unknown, true, ErrUnsure, 0},
		{"the newer one is gone", Gone, Stands, true, ErrBoardGone, match.MoveTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			r := b.duel("1")
			show := func(message string) {
				r, err := b.store.Load(t.Context(), "1")
				if err != nil {
					t.Fatal(err)
				}
				b.Shown(t.Context(), r, storage.Screen{Channel: r.Place.Channel, Message: message, Version: r.Match.Version})
			}
			for _, who := range []Caller{ann, ben, ann} {
				pos := r.Match.Game().Position()
				var err error
				if r, _, err = b.Act(t.Context(), who, intent.Step{Ref: intent.Ref{Game: "1"}, Path: pos.Moves()[0].Path()}); err != nil {
					t.Fatal(err)
				}
			}
			first, board := messageAt(b.now), ""
			show(first)
			board = first
			b.later(match.MoveTime)
			if c.anew {
				board = messageAt(b.now.Add(-24 * time.Hour))
				show(board)
			}
			b.standing = map[string]Standing{first: c.first}
			b.standing[board] = c.board
			claim := func() (storage.Record, error) {
				r, _, err := b.Act(t.Context(), ann, intent.Claim{Ref: intent.Ref{Game: "1"}})
				return r, err
			}
			r, err := claim()
			if !errors.Is(err, c.want) || err == nil && r.Match.Result != engine.WhiteWins || err != nil && r.Match.Phase != match.Playing {
				t.Fatalf("%v, %v; want %v", r.Match.Phase, err, c.want)
			}
			if c.want == nil {
				return
			}
			b.standing = nil
			if errors.Is(err, ErrBoardGone) {
				if r.Screen.Message != "" || !r.Told().IsZero() {
					t.Errorf("recorded as shown: %+v", r.Screen)
				}
				show(messageAt(b.now))
			}
			if c.again > 0 {
				b.later(c.again - time.Second)
				if _, err := claim(); !errors.Is(err, match.ErrTooEarly) {
					t.Errorf("before the time is over again: %v", err)
				}
				b.now = b.now.Add(time.Second)
			}
			if _, err := claim(); err != nil {
				t.Errorf("in the end: %v", err)
			}
		})
	}
	t.Run("Discord is not asked about a claim that does not hold anyhow", func(t *testing.T) {
		b := newBench(t)
		b.duel("1")
		b.standing = map[string]Standing{"": Gone}
		if _, _, err := b.Act(t.Context(), ben, intent.Claim{Ref: intent.Ref{Game: "1"}}); !errors.Is(err, match.ErrNotTold) {
			t.Error(err)
		}
	})
}
