package play

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// hanging is a store in which everything hangs that is not needed for the machine's
// next move: all but reading one game, saving a person's move, and looking whether
// the person has their data deleted, or had. The deletions' own look at that hangs.
type hanging struct {
	storage.Store
	mu   sync.Mutex
	hung map[string]bool // which methods have been called
}

func (h *hanging) hang(ctx context.Context, method string) error {
	h.mu.Lock()
	h.hung[method] = true
	h.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

func (h *hanging) ListDue(ctx context.Context, kind storage.Due, _ time.Time, _ int) ([]match.ID, error) {
	return nil, h.hang(ctx, "ListDue "+string(kind))
}

func (h *hanging) ListOf(ctx context.Context, _ storage.Of, _ match.ID, _ int) ([]storage.Record, error) {
	return nil, h.hang(ctx, "ListOf")
}

func (h *hanging) Guilds(ctx context.Context) ([]string, error) {
	return nil, h.hang(ctx, "Guilds")
}

func (h *hanging) State(ctx context.Context, key string) ([]byte, error) {
	h.mu.Lock()
	again := h.hung["State "+key]
	h.mu.Unlock()
	if again && key == deletionsKey || key == deletedKey {
		return h.Store.State(ctx, key)
	}
	return nil, h.hang(ctx, "State "+key)
}

// TestNothingDelaysTheMachine holds that the machine gets its next move to think
// about at once, though deletions, removals, sweeps and the look at the servers
// hang, each in its first step or in a later one. No time passes in between.
func TestNothingDelaysTheMachine(t *testing.T) {
	work := func(t *testing.T, b *bench, hung func() bool) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = b.Run(ctx)
		}()
		synctest.Wait()
		if !hung() {
			t.Fatal("nothing hangs")
		}
		b.take()
		begun := time.Now()
		for i := range 3 {
			id := match.ID("new" + strconv.Itoa(i))
			if _, err := b.Play(ctx, asks(ann, id), intent.Play{Level: 1 + i, Side: intent.Black}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if jobs := b.take(); len(jobs) != 1 {
				t.Errorf("the machine has %d games to think about", len(jobs))
			}
		}
		if d := time.Since(begun); d != 0 {
			t.Errorf("it took %v", d)
		}
		cancel()
		<-done
	}
	// Everything is there to be done: a deletion, a removal, a lapsed challenge, a
	// screen that is behind, a server that is gone.
	furnished := func(t *testing.T) *bench {
		b := newBench(t)
		b.furnish()
		if err := b.noteDeletion(t.Context(), ben.ID, true); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(24 * 365 * time.Hour)
		b.keep, b.keepRemoved = time.Hour, time.Hour
		return b
	}
	t.Run("when each hangs in its first step", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := furnished(t)
			h := &hanging{Store: b.store, hung: map[string]bool{}}
			b.store = h
			b.Service = b.restarted()
			b.Present([]string{})
			work(t, b, func() bool {
				for _, first := range []string{"ListDue machine", "ListDue expiry", "ListDue removal", "State " + deletionsKey, "State " + goneKey} {
					if !h.hung[first] {
						t.Errorf("%s has not been called", first)
					}
				}
				return true
			})
		})
	})
	for name, hang := range map[string]func(*stuck){
		"when a person's games are read for a deletion": func(s *stuck) { s.listOf = true },
		"when a person is taken out of a game":          func(s *stuck) { s.save = "on" },
		"when a game is removed":                        func(s *stuck) { s.delete = "over" },
		"when a lapsed challenge is closed":             func(s *stuck) { s.save = "by" },
		"when a game that is due cannot be read":        func(s *stuck) { s.load = "by" },
		"when Discord does not say whether the bot is in a server": func(s *stuck) {
			s.inGuild = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := furnished(t)
				s := &stuck{Store: b.store}
				hang(s)
				b.store = s
				b.Service = b.restarted()
				b.Service.opt.InGuild = func(ctx context.Context, _ string) (bool, error) {
					return false, s.hang(ctx, s.inGuild)
				}
				b.Present([]string{})
				if s.inGuild {
					b.tidyNoted(room.Guild)
				}
				work(t, b, func() bool { return s.hung.Load() })
			})
		})
	}
}

// tidyNoted notes that a server has been gone for long.
func (b *bench) tidyNoted(guild string) {
	b.t.Helper()
	if err := b.SaveNote(b.t.Context(), goneKey, map[string]int64{guild: 1}); err != nil {
		b.t.Fatal(err)
	}
}

// stuck is a store in which single calls hang.
type stuck struct {
	storage.Store
	listOf, inGuild    bool
	load, save, delete match.ID
	hung               atomic.Bool
}

func (s *stuck) hang(ctx context.Context, yes bool) error {
	if !yes {
		return nil
	}
	s.hung.Store(true)
	<-ctx.Done()
	return ctx.Err()
}

func (s *stuck) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	if err := s.hang(ctx, s.listOf); err != nil {
		return nil, err
	}
	return s.Store.ListOf(ctx, of, after, limit)
}

func (s *stuck) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	if err := s.hang(ctx, id == s.load); err != nil {
		return storage.Record{}, err
	}
	return s.Store.Load(ctx, id)
}

func (s *stuck) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	if err := s.hang(ctx, m.ID == s.save); err != nil {
		return err
	}
	return s.Store.Save(ctx, m, prev, on...)
}

func (s *stuck) Delete(ctx context.Context, id match.ID, version uint64) error {
	if err := s.hang(ctx, id == s.delete); err != nil {
		return err
	}
	return s.Store.Delete(ctx, id, version)
}

func TestADeletionThatFailsDoesNotKeepOthersWaiting(t *testing.T) {
	b := newBench(t)
	b.furnish()
	for _, who := range []match.UserID{ben.ID, ann.ID} {
		if err := b.noteDeletion(t.Context(), who, true); err != nil {
			t.Fatal(err)
		}
	}
	b.store = &refusing{b.store, personKey(ben.ID)}
	b.Service = b.restarted()
	b.finishDeletions(t.Context())
	if list, err := b.deletions(t.Context()); err != nil || len(list) != 1 || list[0] != ben.ID {
		t.Errorf("left to delete: %v, %v", list, err)
	}
}

// refusing is a store that does not write the settings under one key.
type refusing struct {
	storage.Store
	key string
}

func (r *refusing) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	if key == r.key {
		return errCrash
	}
	return r.Store.SaveSettings(ctx, key, v, on...)
}

func TestAScreenIsNotShownWhileAPlayersDataIsDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.duel("9")
		if _, err := b.Play(t.Context(), asks(ben, "10"), intent.Play{Level: 1, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		if err := b.noteDeletion(t.Context(), ann.ID, true); err != nil {
			t.Fatal(err)
		}
		b.catchUp(t.Context())
		if len(b.refreshed) != 1 || b.refreshed[0] != "10" {
			t.Errorf("shown: %v", b.refreshed)
		}
		b.finishDeletions(t.Context())
		if b.refreshed[len(b.refreshed)-1] != "9" {
			t.Errorf("shown: %v", b.refreshed)
		}
	})
}
