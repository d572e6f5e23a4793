package play

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// TestMean holds which of Ann's games a command means. In the channel there are, in
// the order in which she acted in them: a duel in which it is Ben's turn, a game
// against the machine in which it is hers, a duel in which neither has moved, and a
// challenge of hers. There is a game against the machine in another channel.
func TestMean(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	tick := func() { b.now = b.now.Add(time.Minute) }
	r := b.duel("waiting")
	if _, _, err := b.step(ann, r, "c3", "d4"); err != nil {
		t.Fatal(err)
	}
	begin := func(who Caller, id match.ID) {
		tick()
		who.Request = id
		if _, err := b.Play(ctx, who, intent.Play{Level: 1, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
	}
	begin(ann, "machine")
	tick()
	r, _ = b.Load(ctx, "machine")
	if r, _, _ = b.step(ann, r, "c3", "b4"); len(r.Match.Moves) != 1 {
		t.Fatal("no move")
	}
	pos := r.Match.Game().Position()
	if _, err := b.save(ctx, r, match.Play{By: engine.Black, Move: pos.Moves()[0]}); err != nil {
		t.Fatal(err)
	}
	away := ann
	away.Place.Channel = "away"
	begin(away, "away")
	tick()
	b.duel("new")

	mean := func(who Caller, in intent.Intent) (m Meant, several []match.ID) {
		t.Helper()
		m, err := b.Mean(ctx, who, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range m.Several {
			several = append(several, c.Record.Match.ID)
			ref := c.Intent.About()
			if ref.Game != c.Record.Match.ID || ref.Version != c.Record.Match.Version {
				t.Errorf("%T is about %+v", c.Intent, ref)
			}
			intent.CustomID(c.Intent) // panics where it cannot stand behind a button
		}
		return m, several
	}
	for _, c := range []struct {
		name    string
		in      intent.Intent
		game    match.ID
		fits    bool
		several []match.ID
	}{
		{"a move that is legal in one", intent.Move{Text: "a3-b4"}, "new", true, nil},
		{"a move that is legal nowhere, where she is to move and acted last", intent.Move{Text: "a1-g7"}, "new", false, nil},
		{"a hint, in the one against the machine", intent.Hint{}, "machine", true, nil},
		{"an undo where the game last acted in has no move", intent.Undo{}, "", false, []match.ID{"machine", "waiting"}},
		{"lines, where the other is to move", intent.Plan{}, "waiting", true, nil},
		{"a draw, last acted in first", intent.Draw{}, "", false, []match.ID{"new", "machine", "waiting"}},
		{"a resignation, last acted in first", intent.AskResign{}, "", false, []match.ID{"new", "machine", "waiting"}},
		{"a board, last acted in first", intent.Board{}, "", false, []match.ID{"new", "machine", "waiting"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, several := mean(ann, c.in)
			if m.Game != c.game || m.Fits != c.fits || !slices.Equal(several, c.several) || !m.Others {
				t.Errorf("%q (fits: %v), several %v", m.Game, m.Fits, several)
			}
		})
	}
	t.Run("a challenge made later does not stand before a running game", func(t *testing.T) {
		tick()
		if _, err := b.Challenge(ctx, asks(ann, "open"), intent.Challenge{User: ben.ID, Name: "Ben"}); err != nil {
			t.Fatal(err)
		}
		if m, several := mean(ann, intent.Board{}); m.Game == "open" || slices.Contains(several, "open") {
			t.Errorf("%+v", m)
		}
	})
	t.Run("in another channel only its own", func(t *testing.T) {
		if m, _ := mean(away, intent.Draw{}); m.Game != "away" || m.Others {
			t.Errorf("%+v", m)
		}
		m, _ := mean(away, intent.Undo{})
		if m.Game != "away" || m.Fits || len(m.Elsewhere) != 2 {
			t.Errorf("%+v", m)
		}
	})
	t.Run("of games that the person has named alike, wherever they are", func(t *testing.T) {
		m, err := b.Mean(ctx, ann, intent.Move{Text: "c3-d4"}, []match.ID{"away", "new"})
		if err != nil || len(m.Several) != 2 || len(m.Elsewhere) != 0 {
			t.Errorf("%+v, %v", m, err)
		}
		if m, err = b.Mean(ctx, ann, intent.Undo{}, []match.ID{"away", "machine"}); err != nil || m.Game != "machine" {
			t.Errorf("%+v, %v", m, err)
		}
	})
	t.Run("without a game here, those elsewhere", func(t *testing.T) {
		away.Place.Channel = "nowhere"
		m, _ := mean(away, intent.Undo{})
		if m.Game != "" || len(m.Elsewhere) != 2 {
			t.Errorf("%+v", m)
		}
		m, _ = mean(Caller{ID: "3", Place: room}, intent.Undo{})
		if m.Game != "" || len(m.Elsewhere) != 0 {
			t.Errorf("%+v", m)
		}
	})
	t.Run("moves are suggested in all games of the channel in which she is to move", func(t *testing.T) {
		list, err := b.Typing(ctx, ann, "")
		ids := func() (ids []match.ID) {
			for _, r := range list {
				ids = append(ids, r.Match.ID)
			}
			return ids
		}
		if err != nil || !slices.Equal(ids(), []match.ID{"new", "machine"}) {
			t.Errorf("%v, %v", ids(), err)
		}
		if list, err = b.Typing(ctx, ann, "away"); err != nil || !slices.Equal(ids(), []match.ID{"away"}) {
			t.Errorf("%v, %v", ids(), err)
		}
		if _, err = b.Typing(ctx, Caller{ID: "3"}, "new"); !errors.Is(err, match.ErrNotAPlayer) {
			t.Errorf("%v", err)
		}
		if _, err = b.Typing(ctx, ann, "77"); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}

func TestAnUnansweredMoveIsTheLaterOneWhereTheClockStands(t *testing.T) {
	b := newBench(t)
	for _, id := range []match.ID{"1", "2"} {
		r := b.duel(id)
		if r, _, _ = b.step(ann, r, "c3", "d4"); id == "2" {
			pos := r.Match.Game().Position()
			if _, err := b.save(t.Context(), r, match.Play{By: engine.Black, Move: pos.Moves()[0]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if m, err := b.Mean(t.Context(), ann, intent.Undo{}, nil); err != nil || len(m.Several) != 2 || m.Several[0].Record.Match.ID != "1" {
		t.Errorf("%+v, %v", m, err)
	}
}
