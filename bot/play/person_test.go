package play

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// resign resigns a game for somebody.
func (b *bench) resign(who Caller, id match.ID) {
	b.t.Helper()
	if _, _, err := b.Act(b.t.Context(), who, intent.Resign{Ref: intent.Ref{Game: id}}); err != nil {
		b.t.Fatal(err)
	}
}

// furnish makes a game of each kind for Ann, and settings.
func (b *bench) furnish() {
	b.t.Helper()
	ctx := b.t.Context()
	check := func(_ storage.Record, err error) {
		b.t.Helper()
		if err != nil {
			b.t.Fatal(err)
		}
	}
	b.duel("on")
	b.duel("over")
	b.resign(ben, "over")
	check(b.Challenge(ctx, asks(ann, "by"), intent.Challenge{User: ben.ID, Name: ben.Name, Side: intent.White}))
	// Made by an older version: two who challenge each other meet by now.
	to, err := match.Start(b.newMatch(asks(ben, "to"), engine.White, match.Seat{User: ann.ID, Name: ann.Name}, engine.Kawu), b.now)
	if err == nil {
		to.Expires = b.now.Add(ChallengeTime)
		err = b.store.Create(ctx, storage.Record{Match: to, Place: room})
	}
	check(storage.Record{}, err)
	check(b.Play(ctx, asks(ann, "machine"), intent.Play{Level: 1, Side: intent.White}))
	check(b.Play(ctx, asks(ann, "machineover"), intent.Play{Level: 2, Side: intent.White}))
	b.resign(ann, "machineover")
	check(b.Play(ctx, asks(ben, "bens"), intent.Play{Level: 1, Side: intent.White}))
	for key, theme := range map[string]string{personKey(ann.ID): "dark", personKey(ben.ID): "contrast", guildKey(room.Guild): "dark"} {
		if err := b.store.SaveSettings(ctx, key, storage.Settings{Theme: theme}); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := b.store.Shown(ctx, "machine", storage.Screen{Channel: "8", Message: "9", Version: 1}); err != nil {
		b.t.Fatal(err)
	}
}

// forgotten fails unless nothing is stored about Ann and everything about Ben.
func (b *bench) forgotten() {
	b.t.Helper()
	ctx := b.t.Context()
	if d, err := b.Stored(ctx, ann.ID); err != nil || !d.Nothing() {
		b.t.Errorf("stored about Ann: %+v, %v", d, err)
	}
	for id, want := range map[match.ID]match.Ending{"on": match.Resignation, "over": match.Resignation, "by": match.Withdrawn, "to": match.Declined} {
		r, err := b.store.Load(ctx, id)
		if err != nil {
			b.t.Errorf("Ben's game %s: %v", id, err)
			continue
		}
		m := &r.Match
		seat, err := m.SeatOf(ben.ID)
		if err != nil || m.Seats[seat].Name != "Ben" {
			b.t.Fatalf("%s: Ben is not in it: %+v", id, m.Seats)
		}
		if d := cmp.Diff(match.Seat{User: storage.Deleted}, m.Seats[seat.Other()]); d != "" {
			b.t.Errorf("%s (-want +got):\n%s", id, d)
		}
		if !m.Seen[seat.Other()].IsZero() || m.Phase != match.Finished || m.Ending != want {
			b.t.Errorf("%s: seen %v, %s, %s", id, m.Seen, m.Phase, m.Ending)
		}
	}
	for _, id := range []match.ID{"machine", "machineover"} {
		if _, err := b.store.Load(ctx, id); !errors.Is(err, storage.ErrNotFound) {
			b.t.Errorf("%s: %v", id, err)
		}
	}
	if r, err := b.store.Load(ctx, "bens"); err != nil || r.Match.Phase != match.Playing {
		b.t.Errorf("Ben's game against the machine: %+v, %v", r, err)
	}
	if v, _ := b.store.Settings(ctx, personKey(ben.ID)); v.Theme != "contrast" {
		b.t.Errorf("Ben's settings: %+v", v)
	}
	if v, _ := b.store.Settings(ctx, guildKey(room.Guild)); v.Theme != "dark" {
		b.t.Errorf("the server's settings: %+v", v)
	}
	if note, err := b.store.State(ctx, deletionsKey); note != nil || err != nil {
		b.t.Errorf("the note stays: %s, %v", note, err)
	}
}

func TestStored(t *testing.T) {
	b := newBench(t)
	if d, err := b.Stored(t.Context(), ann.ID); err != nil || !d.Nothing() {
		t.Errorf("%+v, %v", d, err)
	}
	b.furnish()
	want := Stored{Settings: storage.Settings{Theme: "dark"}, Running: 2, Open: 2, Finished: 2, Since: b.now}
	b.now = b.now.AddDate(0, 1, 0)
	got, err := b.Stored(t.Context(), ann.ID)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestDeleteData(t *testing.T) {
	t.Run("leaves nothing of the person and everything of the others", func(t *testing.T) {
		b := newBench(t)
		b.furnish()
		b.refreshed = nil
		any, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now)
		if err != nil || !any {
			t.Fatal(any, err)
		}
		b.forgotten()
		if d := cmp.Diff([]match.ID{"by", "on", "over", "to"}, b.refreshed); d != "" { // nothing shows over's end yet
			t.Errorf("shown again, each of them once (-want +got):\n%s", d)
		}
		if len(b.retired) != 2 || b.retired[0].Message != "9" {
			t.Errorf("retired: %+v", b.retired)
		}
	})
	t.Run("can be done again, and by both players", func(t *testing.T) {
		b := newBench(t)
		b.furnish()
		for i := range 3 {
			if any, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil || any != (i == 0) {
				t.Errorf("time %d: %t, %v", i, any, err)
			}
			b.forgotten()
		}
		if _, err := b.DeleteData(t.Context(), ben.ID, intent.DeleteData{Of: ben.ID}, b.now); err != nil {
			t.Fatal(err)
		}
		for _, id := range []match.ID{"on", "over", "by", "to", "bens"} {
			if _, err := b.store.Load(t.Context(), id); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("%s, of which nobody is left: %v", id, err)
			}
		}
	})
	t.Run("of both players at the same time", func(t *testing.T) {
		b := newBench(t)
		const games = 30
		for i := range games {
			b.now = b.now.Add(hourlyEvery)
			b.duel(match.ID(fmt.Sprint("g", i)))
		}
		done := make(chan error)
		for _, who := range []match.UserID{ann.ID, ben.ID} {
			go func() {
				// As two processes would, that know nothing of each other.
				_, err := b.restarted().DeleteData(context.Background(), who, intent.DeleteData{Of: who}, b.now)
				done <- err
			}()
		}
		for range 2 {
			err := <-done
			if errors.Is(err, ErrUnfinished) {
				t.Error(err)
			}
		}
		for i := range games {
			if r, err := b.store.Load(t.Context(), match.ID(fmt.Sprint("g", i))); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("%+v, %v", r.Match.Seats, err)
			}
		}
	})
	t.Run("a rematch with a deleted player is refused", func(t *testing.T) {
		b := newBench(t)
		b.furnish()
		if _, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Rematch(t.Context(), asks(ben, "new"), intent.Ref{Game: "over"}); !errors.Is(err, ErrDeleted) {
			t.Errorf("for Ben: %v", err)
		}
		if _, err := b.Rematch(t.Context(), asks(ann, "new"), intent.Ref{Game: "over"}); !errors.Is(err, match.ErrNotAPlayer) {
			t.Errorf("for Ann: %v", err)
		}
	})
}

// errCrash is what every call of a crashing store returns from some write on.
var errCrash = errors.New("crash")

// crashing is a store that does as many writes as it is told and none after.
type crashing struct {
	storage.Store
	writes int
}

func (c *crashing) do(write func() error) error {
	if c.writes == 0 {
		return errCrash
	}
	c.writes--
	return write()
}

func (c *crashing) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return c.do(func() error { return c.Store.Save(ctx, m, prev, on...) })
}

func (c *crashing) Delete(ctx context.Context, id match.ID, version uint64) error {
	return c.do(func() error { return c.Store.Delete(ctx, id, version) })
}

func (c *crashing) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return c.do(func() error { return c.Store.Forget(ctx, id, u) })
}

func (c *crashing) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	return c.do(func() error { return c.Store.SaveSettings(ctx, key, v, on...) })
}

func (c *crashing) SaveState(ctx context.Context, key string, v []byte, on ...storage.Basis) error {
	return c.do(func() error { return c.Store.SaveState(ctx, key, v, on...) })
}

// TestDeletionSurvivesACrash cuts a deletion short after each of its writes.
// The next start does the rest, without being asked again.
func TestDeletionSurvivesACrash(t *testing.T) {
	for writes, whole := 1, false; !whole; writes++ {
		t.Run(fmt.Sprint(writes, " writes"), func(t *testing.T) {
			b := newBench(t)
			b.furnish()
			real := b.store
			b.store = &crashing{Store: real, writes: writes}
			_, err := b.restarted().DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now)
			whole = err == nil
			if err != nil && (!errors.Is(err, ErrUnfinished) || !errors.Is(err, errCrash)) {
				t.Fatalf("%v", err)
			}
			b.store = real
			// Every game is sound at that point, and no board is stuck.
			for _, id := range []match.ID{"on", "over", "by", "to", "bens"} {
				r, err := real.Load(t.Context(), id)
				if err == nil {
					err = r.Check()
				}
				if err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
			b.Service = b.restarted()
			b.finishDeletions(t.Context())
			b.forgotten()
		})
		if writes > 50 {
			t.Fatal("never done")
		}
	}
	t.Run("before the first write nothing has begun", func(t *testing.T) {
		b := newBench(t)
		b.furnish()
		real := b.store
		b.store = &crashing{Store: real}
		if _, err := b.restarted().DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); !errors.Is(err, errCrash) || errors.Is(err, ErrUnfinished) {
			t.Errorf("%v", err)
		}
		b.store = real
		b.restarted().finishDeletions(t.Context())
		if d, err := b.Stored(t.Context(), ann.ID); err != nil || d.Running != 2 {
			t.Errorf("%+v, %v", d, err)
		}
	})
}

func TestGamesAreReadForOnePersonAtATime(t *testing.T) {
	b := newBench(t)
	done, err := b.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Stored(ctx, ann.ID); !errors.Is(err, context.Canceled) {
		t.Errorf("after giving up: %v", err)
	}
	late := make(chan error)
	go func() { _, err := b.Stored(t.Context(), ann.ID); late <- err }()
	done()
	if err := <-late; err != nil {
		t.Error(err)
	}
}
