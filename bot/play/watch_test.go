package play

import (
	"errors"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestGamesThatWaitComeByOneAfterTheOther(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	next := func(after, want match.ID) {
		t.Helper()
		r, err := b.Next(ctx, ann.ID, after)
		if r.Match.ID != want || (want == "") != errors.Is(err, ErrNoneWaits) {
			t.Errorf("after %q comes %q (%v), want %q", after, r.Match.ID, err, want)
		}
	}
	next("", "")
	var records []storage.Record
	for _, id := range []match.ID{"3", "1", "2"} {
		records = append(records, b.duel(id))
		b.now = b.now.Add(time.Minute)
	}
	next("", "3")
	next("3", "1")
	next("1", "2")
	next("2", "3")
	if _, _, err := b.step(ann, records[1], "c3", "d4"); err != nil {
		t.Fatal(err)
	}
	next("1", "3") // which Ann has just moved in
	next("3", "2")
	// A question waits too, from when it was asked.
	b.duel("4")
	b.now = b.now.Add(time.Minute)
	r, _ := b.Load(ctx, "1")
	if _, _, err := b.Act(ctx, ben, intent.Draw{Ref: intent.Ref{Game: "1", Version: r.Match.Version}}); err != nil {
		t.Fatal(err)
	}
	next("2", "4")
	next("4", "1")
	next("1", "3")
	if _, _, err := b.step(ann, records[0], "c3", "d4"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.step(ann, records[2], "c3", "d4"); err != nil {
		t.Fatal(err)
	}
	next("1", "4")
	next("4", "1")
}

func TestOnlyWhoeverIsWhereAGameIsPlayedMayWatchIt(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	b.duel("1")
	ref := intent.Ref{Game: "1"}
	cleo := Caller{ID: "3", Name: "Cleo", Place: room}
	if _, seat, err := b.Watch(ctx, cleo, ref); err != nil || seat != engine.White {
		t.Errorf("%v, %v", seat, err)
	}
	far := cleo
	far.Place.Channel = "elsewhere"
	if _, _, err := b.Watch(ctx, far, ref); !errors.Is(err, match.ErrNotAPlayer) {
		t.Errorf("elsewhere: %v", err)
	}
	if _, _, err := b.Review(ctx, cleo, ref); !errors.Is(err, ErrStale) {
		t.Errorf("a review of a running game: %v", err)
	}
	if _, _, _, err := b.Hint(ctx, cleo, ref); !errors.Is(err, match.ErrNotAPlayer) {
		t.Errorf("a hint: %v", err)
	}
	if _, err := b.challenged(ann, "2", ben, intent.White); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Watch(ctx, cleo, intent.Ref{Game: "2"}); !errors.Is(err, match.ErrNotAPlayer) {
		t.Errorf("a challenge: %v", err)
	}
	if _, err := b.Share(ctx, ann, ref); !errors.Is(err, ErrStale) {
		t.Errorf("a running game can be shown to all: %v", err)
	}
	if _, _, err := b.Act(ctx, ann, intent.Resign{Ref: ref}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Share(ctx, cleo, ref); !errors.Is(err, match.ErrNotAPlayer) {
		t.Errorf("by somebody without a part: %v", err)
	}
	if _, err := b.Share(ctx, ben, ref); err != nil {
		t.Error(err)
	}
}

func TestWhatWasShownToAllIsRemembered(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	b.duel("1")
	r, _ := b.Load(ctx, "1")
	by := storage.Screen{Channel: room.Channel, Message: "10", Version: r.Match.Version, Film: "11", Review: "12"}
	b.Shared(ctx, "1", by)
	r, _ = b.Load(ctx, "1")
	b.Shown(ctx, r, storage.Screen{Channel: room.Channel, Message: "13", Version: r.Match.Version})
	if r, _ = b.Load(ctx, "1"); r.Screen.Message != "13" || r.Screen.Film != "11" || r.Screen.Review != "12" {
		t.Errorf("%+v", r.Screen)
	}
}
