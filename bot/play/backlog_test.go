package play

import (
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// TestTheBacklogTellsHowLongTheOldestWorkWaits goes through the kinds of work.
func TestTheBacklogTellsHowLongTheOldestWorkWaits(t *testing.T) {
	b := newBench(t)
	is := func(kind storage.Due, count int, oldest time.Duration) {
		t.Helper()
		list, err := b.Backlog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range list {
			if got.Kind == kind {
				if got.Count != count || got.More || got.Oldest != oldest {
					t.Errorf("%+v, want %d, %v", got, count, oldest)
				}
				return
			}
		}
		t.Errorf("%s is not listed", kind)
	}
	is(storage.DueMachine, 0, 0)
	for i := range 3 {
		if _, err := b.Play(t.Context(), asks(ann, match.ID(fmt.Sprint("m", i))), intent.Play{Level: 1, Side: intent.Black}); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(time.Minute)
	}
	is(storage.DueMachine, 3, 3*time.Minute)
	is(storage.DueScreen, 3, 3*time.Minute)

	r, err := b.Challenge(t.Context(), asks(ann, "c"), intent.Challenge{User: ben.ID, Name: ben.Name, Side: intent.White})
	if err != nil {
		t.Fatal(err)
	}
	is(storage.DueExpiry, 0, 0) // it has not lapsed
	b.now = r.Match.Expires.Add(time.Hour)
	is(storage.DueExpiry, 1, time.Hour)
}

// TestOnlyWorkThatIsWantedIsListed holds that finished games wait for nothing where they
// are kept for ever.
func TestOnlyWorkThatIsWantedIsListed(t *testing.T) {
	listed := func(b *bench) (found *Backlog) {
		t.Helper()
		list, err := b.Backlog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range list {
			if k.Kind == storage.DueRemoval {
				found = &k
			}
		}
		return found
	}
	b := newBench(t)
	b.duel("d")
	if _, _, err := b.Act(t.Context(), ben, intent.Resign{Ref: intent.Ref{Game: "d"}}); err != nil {
		t.Fatal(err)
	}
	if got := listed(b); got != nil {
		t.Errorf("kept for ever: %+v", got)
	}
	b.keep = time.Hour
	b.Service = b.restarted()
	if got := listed(b); got == nil || got.Count != 0 {
		t.Errorf("before its time: %+v", got)
	}
	b.now = b.now.Add(b.keep + time.Minute)
	if got := listed(b); got == nil || got.Count != 1 || got.Oldest != time.Minute {
		t.Errorf("after its time: %+v", got)
	}
}

// TestABacklogIsCountedUpToALimit: a million rows need not be counted to know that there
// are too many.
func TestABacklogIsCountedUpToALimit(t *testing.T) {
	b := newBench(t)
	r := b.duel("d")
	for i := range backlogLimit + 3 {
		r := r
		r.Match.ID = match.ID(fmt.Sprint("x", i))
		if err := b.store.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	list, err := b.Backlog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range list {
		if k.Kind == storage.DueScreen && (k.Count != backlogLimit || !k.More) {
			t.Errorf("%+v", k)
		}
	}
}
