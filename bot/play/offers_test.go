package play

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

var cleo = Caller{ID: "3", Name: "Cleo", Place: room}
var dora = Caller{ID: "4", Name: "Dora", Place: room}

// challenged is a challenge to somebody.
func (b *bench) challenged(by Caller, id match.ID, other Caller, side intent.Side) (storage.Record, error) {
	return b.Challenge(b.t.Context(), asks(by, id), intent.Challenge{User: other.ID, Name: other.Name, Side: side})
}

// all returns every unfinished game of somebody.
func (b *bench) all(who Caller) []storage.Record {
	b.t.Helper()
	list, err := b.store.ListByUser(b.t.Context(), who.ID, 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func TestChallengesOfOthersLockNobodyOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.duel("1")
	refused := 0
	for i := range 200 {
		b.now = b.now.Add(time.Second)
		by := Caller{ID: match.UserID(fmt.Sprintf("x%d", i)), Name: "X", Place: room}
		if _, err := b.challenged(by, match.ID(fmt.Sprintf("c%d", i)), ann, intent.White); errors.Is(err, ErrTooManyWaiting) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if want := 200 - MaxWaiting; refused != want {
		t.Errorf("%d challenges were refused, want %d", refused, want)
	}
	// As an older version let them through.
	for i := range MaxGames {
		n := b.newMatch(asks(Caller{ID: match.UserID(fmt.Sprintf("y%d", i)), Name: "Y"}, match.ID(fmt.Sprintf("y%d", i))), engine.White, match.Seat{User: ann.ID, Name: ann.Name}, engine.Kawu)
		m, err := match.Start(n, b.now)
		if err == nil {
			err = b.store.Create(t.Context(), storage.Record{Match: m, Place: room})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Play(t.Context(), asks(ann, "2"), intent.Play{Level: 1, Side: intent.White}); err != nil {
		t.Errorf("Ann's own game: %v", err)
	}
	if _, err := b.challenged(ann, "3", cleo, intent.White); err != nil {
		t.Errorf("Ann's own challenge: %v", err)
	}
	list, err := b.Games(t.Context(), ann.ID)
	if err != nil || len(list) < 3 || list[0].Match.ID != "2" || list[1].Match.ID != "1" || list[2].Match.ID != "3" {
		t.Errorf("running games, then own challenges come first: %v, %v", list[:3], err)
	}
	if meant, err := b.Mean(t.Context(), ann, intent.Board{}, nil); err != nil || len(meant.Several) != 2 || meant.Several[0].Record.Match.ID != "2" {
		t.Errorf("%+v, %v", meant, err)
	}
}

func TestBlockedPeopleCannotChallenge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.duel("1")
	if _, err := b.challenged(ann, "2", ben, intent.White); err != nil {
		t.Fatal(err)
	}
	ref := intent.Ref{Game: "2"}
	if _, err := b.DeclineAndBlock(t.Context(), ann, intent.Block{Ref: ref}); !errors.Is(err, match.ErrNotChallenged) {
		t.Errorf("one's own challenge: %v", err)
	}
	if _, err := b.DeclineAndBlock(t.Context(), cleo, intent.Block{Ref: ref}); !errors.Is(err, match.ErrNotAPlayer) {
		t.Errorf("somebody else's challenge: %v", err)
	}
	if _, err := b.DeclineAndBlock(t.Context(), ben, intent.Block{Ref: ref}); err != nil {
		t.Fatal(err)
	}
	r, _, err := b.Act(t.Context(), ben, intent.Block{Ref: ref})
	if err != nil || r.Match.Ending != match.Declined {
		t.Errorf("%s, %v", r.Match.Ending, err)
	}
	if _, err := b.challenged(ann, "3", ben, intent.White); !errors.Is(err, ErrBlocked) {
		t.Errorf("a challenge: %v", err)
	}
	b.resign(ann, "1") // the running game went on
	if _, err := b.Rematch(t.Context(), asks(ann, "4"), intent.Ref{Game: "1"}); !errors.Is(err, ErrBlocked) {
		t.Errorf("a rematch: %v", err)
	}
	if d, err := b.Stored(t.Context(), ben.ID); err != nil || d.Blocked != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := b.Block(t.Context(), ben, ann.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := b.challenged(ann, "5", ben, intent.White); err != nil {
		t.Errorf("allowed again: %v", err)
	}
	for i := range MaxBlocks {
		if err := b.Block(t.Context(), ben, match.UserID(fmt.Sprint("x", i)), true); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Block(t.Context(), ben, cleo.ID, true); !errors.Is(err, ErrTooManyBlocks) {
		t.Errorf("one too many: %v", err)
	}
	if _, err := b.DeleteData(t.Context(), ben.ID, intent.DeleteData{Of: ben.ID}, b.now); err != nil {
		t.Fatal(err)
	}
	if list, err := b.blockList(t.Context(), ben.ID); err != nil || len(list) != 0 {
		t.Errorf("after the deletion Ben blocks %d people, %v", len(list), err)
	}
}

func TestOneRematchOfAGame(t *testing.T) {
	t.Parallel()
	t.Run("pressed by both, many times at once, it is one running game", func(t *testing.T) {
		for round := range 50 {
			b := newBench(t)
			b.duel("1")
			b.resign(ann, "1")
			other := b.restarted() // as another process, which shares nothing but the store
			var wg sync.WaitGroup
			for i := range 8 {
				who, s := []Caller{ann, ben}[i%2], []*Service{b.Service, other}[i/4]
				wg.Go(func() {
					_, err := s.Rematch(t.Context(), asks(who, match.ID(fmt.Sprintf("r%d", i))), intent.Ref{Game: "1"})
					if err != nil && !errors.Is(err, ErrMade) && !errors.Is(err, ErrWaits) && !errors.Is(err, match.ErrNotProposed) && !errors.Is(err, storage.ErrConflict) {
						t.Errorf("round %d: %v", round, err)
					}
				})
			}
			wg.Wait()
			if list := b.all(ann); len(list) != 1 || list[0].Match.Phase != match.Playing {
				t.Fatalf("round %d: %d games, want a running one: %+v", round, len(list), list)
			}
		}
	})
	t.Run("a repeat leads to it, also when it is over", func(t *testing.T) {
		b := newBench(t)
		first, err := b.Play(t.Context(), asks(ann, "1"), intent.Play{Level: 1, Side: intent.White})
		if err != nil {
			t.Fatal(err)
		}
		b.resign(ann, first.Match.ID)
		again, err := b.Rematch(t.Context(), asks(ann, "2"), intent.Ref{Game: "1"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r, err := b.Rematch(t.Context(), asks(ann, "3"), intent.Ref{Game: "1"})
			if !errors.Is(err, ErrMade) || r.Match.ID != again.Match.ID {
				t.Errorf("%s, %v", r.Match.ID, err)
			}
			if r.Match.Phase == match.Playing {
				b.resign(ann, r.Match.ID)
			}
		}
	})
	t.Run("after one that was declined one may ask again", func(t *testing.T) {
		b := newBench(t)
		b.duel("1")
		b.resign(ann, "1")
		for range 3 {
			r, err := b.Rematch(t.Context(), asks(ann, "2"), intent.Ref{Game: "1"})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.Act(t.Context(), ben, intent.Decline{Ref: intent.Ref{Game: r.Match.ID}}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestChallengesMeet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		first, second intent.Side
		want          error
	}{
		{"any colours", intent.Random, intent.Random, nil},
		{"colours that fit", intent.White, intent.Black, nil},
		{"colours that do not", intent.White, intent.White, ErrWaits},
		{"a wish against drawn colours, which stay a secret", intent.Random, intent.White, ErrWaits},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if _, err := b.challenged(ann, "1", ben, c.first); err != nil {
				t.Fatal(err)
			}
			if r, err := b.challenged(ann, "2", ben, c.first); !errors.Is(err, ErrMade) || r.Match.ID != "1" {
				t.Errorf("asked twice: %s, %v", r.Match.ID, err)
			}
			r, err := b.challenged(ben, "3", ann, c.second)
			if !errors.Is(err, c.want) || r.Match.ID != "1" || (c.want == nil) != (r.Match.Phase == match.Playing) {
				t.Errorf("the other asks: %+v, %v", r.Match, err)
			}
			if n := len(b.all(ann)); n != 1 {
				t.Errorf("%d games", n)
			}
		})
	}
	t.Run("at the same instant", func(t *testing.T) {
		for range 100 {
			b := newBench(t)
			var wg sync.WaitGroup
			for i, pair := range [][2]Caller{{ann, ben}, {ben, ann}, {ann, ben}, {ben, ann}} {
				wg.Go(func() {
					_, err := b.challenged(pair[0], match.ID(fmt.Sprint(i)), pair[1], intent.Random)
					if err != nil && !errors.Is(err, ErrMade) && !errors.Is(err, ErrWaits) {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			playing := 0
			for _, r := range b.all(ann) {
				if r.Match.Phase == match.Playing {
					playing++
				}
			}
			if n := len(b.all(ann)); n > 2 || playing == 0 {
				t.Fatalf("%d games, %d of them running", n, playing)
			}
		}
	})
}

func TestGamesOfAPersonInAnHour(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made := 0
	for i := range 600 { // one every six seconds
		b.now = b.now.Add(6 * time.Second)
		id := match.ID(fmt.Sprint(i))
		_, err := b.Play(t.Context(), asks(ann, id), intent.Play{Level: 1, Side: intent.White})
		var often *TooOftenError
		switch {
		case err == nil:
			made++
			b.resign(ann, id)
		case !errors.As(err, &often):
			t.Fatal(err)
		case !often.Until.After(b.now) || often.Until.After(b.now.Add(beginEvery)):
			t.Fatalf("at %v: again at %v", b.now, often.Until)
		}
	}
	if most := beginBurst + int(time.Hour/beginEvery); made > most || made < most-1 {
		t.Errorf("%d games in an hour, want about %d", made, most)
	}
}

func TestNothingHoldsADeletedPerson(t *testing.T) {
	t.Parallel()
	for round := range 300 {
		b := newBench(t)
		b.duel("1")
		b.resign(ann, "1")
		b.duel("2")
		if _, err := b.challenged(cleo, "3", ann, intent.White); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Play(t.Context(), asks(ann, "4"), intent.Play{Level: 1, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		b.resign(ann, "4")
		ctx := t.Context()
		before := func(who Caller) Caller { who.Asked = b.now.Add(-time.Second); return who }
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i, press := range []func(id match.ID){
			func(id match.ID) { _, _ = b.Rematch(ctx, asks(ben, id), intent.Ref{Game: "1"}) },
			func(match.ID) { _, _, _ = b.Act(ctx, ben, intent.Resign{Ref: intent.Ref{Game: "2"}}) },
			func(match.ID) { _, _, _ = b.Act(ctx, cleo, intent.Withdraw{Ref: intent.Ref{Game: "3"}}) },
			func(id match.ID) { _, _ = b.challenged(before(dora), id, ann, intent.White) },
			func(id match.ID) {
				_, _ = b.Play(ctx, asks(before(ann), id), intent.Play{Level: 2, Side: intent.White})
			},
		} {
			wg.Go(func() { <-start; press(match.ID(fmt.Sprintf("p%d", i))) })
		}
		close(start)
		_, err := b.DeleteData(ctx, ann.ID, intent.DeleteData{Of: ann.ID}, b.now)
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		for r, err := range b.listOf(ctx, storage.Of{User: ann.ID}) {
			t.Fatalf("round %d: game %s still has Ann: %+v, %v", round, r.Match.ID, r.Match.Seats, err)
		}
		if d, err := b.Stored(ctx, ann.ID); err != nil || !d.Nothing() {
			t.Fatalf("round %d: %+v, %v", round, d, err)
		}
		b.now = b.now.Add(time.Minute)
		if _, err := b.Play(ctx, asks(ann, "new"), intent.Play{Level: 1, Side: intent.White}); err != nil {
			t.Fatalf("a new start: %v", err)
		}
	}
}

// What was pressed before a deletion and is decided only after it finds nothing left to
// hold on to. What is pressed after it is new.
func TestWhatADeletionHasOvertakenStoresNobodyAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.duel("1")
	b.resign(ann, "1")
	asked := b.now
	b.now = b.now.Add(time.Second)
	if _, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil {
		t.Fatal(err)
	}
	when := func(who Caller, at time.Time) Caller { who.Asked = at; return who }
	for what, f := range map[string]func(at time.Time, id match.ID) error{
		"a challenge by another": func(at time.Time, id match.ID) error {
			_, err := b.challenged(when(cleo, at), id, ann, intent.White)
			return err
		},
		"an own challenge": func(at time.Time, id match.ID) error {
			_, err := b.challenged(when(ann, at), id, dora, intent.White)
			return err
		},
		"an own game": func(at time.Time, id match.ID) error {
			_, err := b.Play(t.Context(), asks(when(ann, at), id), intent.Play{Level: 1})
			return err
		},
		"a look": func(at time.Time, _ match.ID) error {
			_, _, err := b.SetLook(t.Context(), when(ann, at), intent.Look{Theme: "dark"})
			return err
		},
		"a block": func(at time.Time, _ match.ID) error { return b.Block(t.Context(), when(ann, at), ben.ID, true) },
	} {
		if err := f(asked, match.ID("late "+what)); !errors.Is(err, ErrOvertaken) {
			t.Errorf("%s pressed before: %v", what, err)
		}
		if d, err := b.Stored(t.Context(), ann.ID); err != nil || !d.Nothing() {
			t.Errorf("%s pressed before: %+v, %v", what, d, err)
		}
		if err := f(b.now, match.ID("new "+what)); err != nil {
			t.Errorf("%s pressed after: %v", what, err)
		}
		if _, err := b.deleteData(t.Context(), ann.ID); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Block(t.Context(), when(ben, asked), cleo.ID, true); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	b.now = b.now.Add(2 * goneTime)
	if err := b.noteDeletion(t.Context(), ben.ID, false); err != nil {
		t.Fatal(err)
	}
	if d, err := b.departures(t.Context()); err != nil || len(d.done.At) != 1 {
		t.Errorf("remembered: %+v, %v", d.done, err)
	}
}

func TestNothingIsMadeWithAPersonWhoLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.duel("1")
	b.resign(ann, "1")
	if err := b.noteDeletion(t.Context(), ann.ID, true); err != nil { // as a kill leaves it
		t.Fatal(err)
	}
	b.Service = b.restarted()
	for what, f := range map[string]func() error{
		"a rematch by the other": func() error {
			_, err := b.Rematch(t.Context(), asks(ben, "2"), intent.Ref{Game: "1"})
			return err
		},
		"a challenge by another": func() error { _, err := b.challenged(cleo, "3", ann, intent.White); return err },
		"an own game": func() error {
			_, err := b.Play(t.Context(), asks(ann, "4"), intent.Play{Level: 1})
			return err
		},
		"a look":  func() error { _, _, err := b.SetLook(t.Context(), ann, intent.Look{Theme: "dark"}); return err },
		"a block": func() error { return b.Block(t.Context(), ann, ben.ID, true) },
	} {
		if err := f(); !errors.Is(err, ErrUnfinished) {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.finishDeletions(t.Context())
	if d, err := b.Stored(t.Context(), ann.ID); err != nil || !d.Nothing() {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestNamesAreRefreshed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.duel("1")
	renamed := ann
	renamed.Name = "Anna"
	r, _, err := b.Act(t.Context(), renamed, intent.Draw{Ref: intent.Ref{Game: "1"}})
	if err != nil || r.Match.Seats[engine.White].Name != "Anna" {
		t.Errorf("%+v, %v", r.Match.Seats, err)
	}
}
