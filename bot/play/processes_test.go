package play

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// meanwhile is a store as one process sees it while another is faster: before each of
// the first writes, the other does something.
type meanwhile struct {
	storage.Store
	times int
	do    func()
}

func (m *meanwhile) before() {
	if m.times > 0 {
		m.times--
		m.do()
	}
}

func (m *meanwhile) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	m.before()
	return m.Store.Create(ctx, r, on...)
}

func (m *meanwhile) Save(ctx context.Context, next match.Match, prev uint64, on ...storage.Basis) error {
	m.before()
	return m.Store.Save(ctx, next, prev, on...)
}

func (m *meanwhile) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	m.before()
	return m.Store.SaveSettings(ctx, key, v, on...)
}

func (m *meanwhile) SaveState(ctx context.Context, key string, v []byte, on ...storage.Basis) error {
	m.before()
	return m.Store.SaveState(ctx, key, v, on...)
}

// beaten returns another process on the same store. Before each of its next writes,
// something else is done.
func (b *bench) beaten(times int, do func()) *Service {
	defer func(store storage.Store) { b.store = store }(b.store)
	b.store = &meanwhile{b.store, times, do}
	return b.restarted()
}

// crossing is a store as one of two processes sees it: each reads before the other
// writes its first game.
type crossing struct {
	storage.Store
	arrive func()
	both   *sync.WaitGroup
}

func (c *crossing) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	c.arrive()
	c.both.Wait()
	return c.Store.Create(ctx, r, on...)
}

// cross returns two processes on the same store, and for each what it calls when it has
// nothing more to do.
func (b *bench) cross() (services [2]*Service, done [2]func()) {
	defer func(store storage.Store) { b.store = store }(b.store)
	store, both := b.store, &sync.WaitGroup{}
	both.Add(2)
	for i := range services {
		done[i] = sync.OnceFunc(both.Done)
		b.store = &crossing{store, done[i], both}
		services[i] = b.restarted()
	}
	return services, done
}

func challenges(s *Service, who, other Caller, id match.ID, side intent.Side) (storage.Record, error) {
	if who.Request == "" {
		who.Request = id
	}
	return s.Challenge(context.Background(), who, intent.Challenge{User: other.ID, Name: other.Name, Side: side})
}

func in(channel string, who Caller) Caller {
	who.Place.Channel = channel
	return who
}

func TestChallengesMeetAcrossProcesses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		first, second intent.Side
		channel       string
		want          error
	}{
		{"in one channel", intent.Random, intent.Random, room.Channel, nil},
		{"with colours that do not fit", intent.White, intent.White, room.Channel, ErrWaits},
		{"in two channels", intent.Random, intent.Random, "another", ErrWaits},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			slower := b.beaten(1, func() {
				if r, err := challenges(b.Service, ann, ben, "1", c.first); err != nil || r.Match.ID != "1" {
					t.Errorf("the faster: %s, %v", r.Match.ID, err)
				}
			})
			r, err := challenges(slower, in(c.channel, ben), ann, "2", c.second)
			if !errors.Is(err, c.want) || r.Match.ID != "1" || (r.Match.Phase == match.Playing) != (c.want == nil) {
				t.Errorf("the slower: %+v, %v", r.Match, err)
			}
			if n := len(b.all(ann)); n != 1 {
				t.Errorf("%d games", n)
			}
		})
	}
	t.Run("one that is withdrawn at that moment leaves room for the other", func(t *testing.T) {
		b := newBench(t)
		if _, err := challenges(b.Service, ann, ben, "1", intent.Random); err != nil {
			t.Fatal(err)
		}
		slower := b.beaten(1, func() {
			if _, _, err := b.Act(t.Context(), ann, intent.Withdraw{Ref: intent.Ref{Game: "1"}}); err != nil {
				t.Error(err)
			}
		})
		r, err := challenges(slower, ben, ann, "2", intent.Random)
		if err != nil || r.Match.ID != "2" || r.Match.Phase != match.Proposed {
			t.Errorf("%+v, %v", r.Match, err)
		}
	})
	t.Run("a second try costs no second challenge", func(t *testing.T) {
		b := newBench(t)
		n := 0
		slower := b.beaten(2*challengeBurst, func() {
			n++
			who := Caller{ID: match.UserID(fmt.Sprint("x", n)), Name: "X", Place: room}
			if _, err := b.challenged(who, match.ID(who.ID), ben, intent.Random); err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.Act(t.Context(), ben, intent.Accept{Ref: intent.Ref{Game: match.ID(who.ID)}}); err != nil {
				t.Fatal(err)
			}
		})
		if _, err := challenges(slower, ann, ben, "1", intent.Random); err != nil {
			t.Errorf("try %d: %v", n+1, err)
		}
	})
}

func TestPressesThatMakeAGameMakeOneAcrossProcesses(t *testing.T) {
	t.Parallel()
	for name, press := range map[string]func(s *Service, who Caller, id match.ID) (storage.Record, error){
		"against the machine": func(s *Service, who Caller, id match.ID) (storage.Record, error) {
			return s.Play(t.Context(), asks(who, id), intent.Play{Level: 1, Side: intent.White})
		},
		"to whoever comes first": func(s *Service, who Caller, id match.ID) (storage.Record, error) {
			return s.Open(t.Context(), asks(who, id), intent.Open{})
		},
		"a rematch": func(s *Service, who Caller, id match.ID) (storage.Record, error) {
			return s.Rematch(t.Context(), asks(who, id), intent.Ref{Game: "old"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.duel("old")
			b.resign(ann, "old")
			var first storage.Record
			slower := b.beaten(1, func() {
				var err error
				if first, err = press(b.Service, ann, "1"); err != nil {
					t.Error(err)
				}
			})
			r, err := press(slower, ann, "2")
			if !errors.Is(err, ErrMade) || r.Match.ID != first.Match.ID {
				t.Errorf("the slower press: %s, %v, not %s", r.Match.ID, err, first.Match.ID)
			}
			if n := len(b.all(ann)); n != 1 {
				t.Errorf("%d games", n)
			}
		})
	}
	t.Run("both want the rematch", func(t *testing.T) {
		b := newBench(t)
		b.duel("old")
		b.resign(ann, "old")
		slower := b.beaten(1, func() {
			if _, err := b.Rematch(t.Context(), asks(ann, "1"), intent.Ref{Game: "old"}); err != nil {
				t.Error(err)
			}
		})
		r, err := slower.Rematch(t.Context(), asks(ben, "2"), intent.Ref{Game: "old"})
		if err != nil || r.Match.Phase != match.Playing || len(b.all(ann)) != 1 {
			t.Errorf("%+v, %v, %d games", r.Match, err, len(b.all(ann)))
		}
	})
	t.Run("an open seat is one person's", func(t *testing.T) {
		b := newBench(t)
		if _, err := b.Open(t.Context(), asks(ann, "1"), intent.Open{}); err != nil {
			t.Fatal(err)
		}
		slower := b.beaten(1, func() {
			if _, err := b.Join(t.Context(), ben, intent.Ref{Game: "1"}); err != nil {
				t.Error(err)
			}
		})
		r, err := slower.Join(t.Context(), cleo, intent.Ref{Game: "1"})
		if _, there := r.Match.SeatOf(ben.ID); !errors.Is(err, ErrTaken) || there != nil {
			t.Errorf("%+v, %v", r.Match.Seats, err)
		}
	})
}

// Two processes at once: each has read that there is nothing before the other makes
// its challenge.
func TestCrossingChallengesRace(t *testing.T) {
	t.Parallel()
	for round := range 90 {
		b := newBench(t)
		b.duel("old")
		b.resign(ann, "old")
		services, done := b.cross()
		asking := []func(s *Service, who, other Caller, id match.ID) (storage.Record, error){
			func(s *Service, who, other Caller, id match.ID) (storage.Record, error) {
				return challenges(s, who, other, id, intent.Random)
			},
			func(s *Service, who, other Caller, id match.ID) (storage.Record, error) {
				return challenges(s, in("another", who), other, id, intent.Random)
			},
			func(s *Service, who, _ Caller, id match.ID) (storage.Record, error) {
				return s.Rematch(t.Context(), asks(who, id), intent.Ref{Game: "old"})
			},
		}
		var all sync.WaitGroup
		start := make(chan struct{})
		for i, s := range services {
			who, other := ann, ben
			if i == 1 {
				who, other = ben, ann
			}
			ask := asking[(round/3*i+round)%3] // all pairs of ways
			all.Go(func() {
				defer done[i]()
				<-start
				r, err := ask(s, who, other, match.ID(fmt.Sprint("new", i)))
				if err != nil && !errors.Is(err, ErrWaits) || r.Match.ID == "" {
					t.Errorf("round %d: %s, %v", round, r.Match.ID, err)
				}
			})
		}
		close(start)
		all.Wait()
		if list := b.all(ann); len(list) != 1 {
			t.Fatalf("round %d: %d games: %+v", round, len(list), list)
		}
	}
}

// What one process has decided about a person is not stored after another has deleted
// the person's data, however far it has come.
func TestNothingHoldsAPersonWhomAnotherProcessHasDeleted(t *testing.T) {
	t.Parallel()
	asked := func(b *bench, who Caller, id match.ID) Caller {
		who = asks(who, id)
		who.Asked = b.now
		return who
	}
	for name, f := range map[string]func(b *bench, s *Service) error{
		"a game": func(b *bench, s *Service) error {
			_, err := s.Play(t.Context(), asked(b, ann, "n"), intent.Play{Level: 1, Side: intent.White})
			return err
		},
		"a challenge": func(b *bench, s *Service) error {
			_, err := challenges(s, asked(b, ann, "n"), cleo, "n", intent.White)
			return err
		},
		"a challenge by another": func(b *bench, s *Service) error {
			_, err := challenges(s, asked(b, cleo, "n"), ann, "n", intent.White)
			return err
		},
		"an open challenge": func(b *bench, s *Service) error {
			_, err := s.Open(t.Context(), asked(b, ann, "n"), intent.Open{})
			return err
		},
		"a joined game": func(b *bench, s *Service) error {
			_, err := s.Join(t.Context(), asked(b, ann, ""), intent.Ref{Game: "open"})
			return err
		},
		"a rematch": func(b *bench, s *Service) error {
			_, err := s.Rematch(t.Context(), asked(b, ann, "n"), intent.Ref{Game: "old"})
			return err
		},
		"a rematch by the other": func(b *bench, s *Service) error {
			_, err := s.Rematch(t.Context(), asked(b, ben, "n"), intent.Ref{Game: "old"})
			return err
		},
		"an accepted challenge": func(b *bench, s *Service) error {
			_, _, err := s.Act(t.Context(), asked(b, ann, ""), intent.Accept{Ref: intent.Ref{Game: "offered"}})
			return err
		},
		"a draw offer of the other": func(b *bench, s *Service) error {
			_, _, err := s.Act(t.Context(), asked(b, ben, ""), intent.Draw{Ref: intent.Ref{Game: "on"}})
			return err
		},
		"a look": func(b *bench, s *Service) error {
			_, _, err := s.SetLook(t.Context(), asked(b, ann, ""), intent.Look{Theme: "dark"})
			return err
		},
		"a block": func(b *bench, s *Service) error { return s.Block(t.Context(), asked(b, ann, ""), ben.ID, true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.duel("old")
			b.resign(ann, "old")
			b.duel("on")
			if _, err := b.Open(t.Context(), asks(dora, "open"), intent.Open{}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.challenged(dora, "offered", ann, intent.White); err != nil {
				t.Fatal(err)
			}
			slower := b.beaten(1, func() {
				b.now = b.now.Add(time.Second)
				if _, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil {
					t.Error(err)
				}
			})
			if err := f(b, slower); err == nil {
				t.Error("it was done")
			}
			if d, err := b.Stored(t.Context(), ann.ID); err != nil || !d.Nothing() {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

// Two people have their data deleted by two processes at once: neither deletion takes
// the note of the other away.
func TestDeletionsOfTwoProcessesAreBothNoted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	slower := b.beaten(1, func() {
		if err := b.noteDeletion(t.Context(), ann.ID, true); err != nil {
			t.Error(err)
		}
	})
	if err := slower.noteDeletion(t.Context(), ben.ID, true); err != nil {
		t.Fatal(err)
	}
	if list, err := b.deletions(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestWhoseDataWasDeletedIsForgottenSoon(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil {
		t.Fatal(err)
	}
	before, err := b.departures(t.Context())
	if err != nil || len(before.done.At) != 1 {
		t.Errorf("%+v, %v", before.done, err)
	}
	b.now = b.now.Add(goneTime + time.Second)
	b.finishDeletions(t.Context()) // as Run does every half minute
	after, err := b.departures(t.Context())
	if err != nil || len(after.done.At) != 0 || after.done.Count != before.done.Count {
		t.Errorf("%+v, %v", after.done, err)
	}
}
