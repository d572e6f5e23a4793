package pgstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// inTime is more than any call may take, with all that it does to find out what happened,
// and far more than it takes on a machine that is not busy.
const inTime = 10 * time.Second

func open(t testing.TB, url string) *pgstore.Store {
	t.Helper()
	s, err := pgstore.Open(t.Context(), url, pgstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call makes a call that must return in time.
func call(t testing.TB, f func(ctx context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), inTime)
	defer cancel()
	began := time.Now()
	err := f(ctx)
	if took := time.Since(began); took >= inTime {
		t.Errorf("a call took %v: %v", took, err)
	}
	return err
}

// game is a match that one goroutine saves again and again.
type game struct {
	match    match.Match
	unsure   int // saves of unknown outcome
	refused  int // saves that were certainly not made
	made     int
	problems []error
}

func newGame(t testing.TB, s storage.Store, id match.ID) *game {
	t.Helper()
	r := storagetest.Challenge(t, id, 0)
	if err := s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return &game{match: r.Match}
}

// save saves the game's next version once. It notes what must not happen.
func (g *game) save(t testing.TB, s storage.Store) error {
	next := g.match
	next.Version++
	err := call(t, func(ctx context.Context) error { return s.Save(ctx, next, g.match.Version) })
	switch {
	case err == nil:
		g.match = next
		g.made++
	case errors.Is(err, storage.ErrUnsure):
		g.unsure++
		return g.settle(t, s, next, err)
	case errors.Is(err, storage.ErrHangs), errors.Is(err, storage.ErrNotWritten):
		g.refused++
	default:
		g.problems = append(g.problems, fmt.Errorf("version %d: %w", next.Version, err))
	}
	return err
}

// settle finds out whether a save of unknown outcome was made.
func (g *game) settle(t testing.TB, s storage.Store, next match.Match, cause error) error {
	for {
		var r storage.Record
		err := call(t, func(ctx context.Context) (err error) { r, err = s.Load(ctx, next.ID); return err })
		switch {
		case err != nil && errors.Is(err, storage.ErrHangs):
			continue
		case err != nil:
			g.problems = append(g.problems, err)
			return err
		case r.Match.Version == next.Version:
			g.match = next
		}
		return cause
	}
}

// check compares a game with what is stored: no save is lost, none is doubled.
func (g *game) check(t testing.TB, s storage.Store) {
	t.Helper()
	for _, err := range g.problems {
		t.Error(err)
	}
	r, err := s.Load(t.Context(), g.match.ID)
	if err != nil || r.Match.Version != g.match.Version {
		t.Errorf("%s is stored with version %d, %v; saved was %d", g.match.ID, r.Match.Version, err, g.match.Version)
	}
}

// TestACommitWhoseReplyIsLostIsRecognised: the server has committed, and the connection
// breaks before it can say so.
func TestACommitWhoseReplyIsLostIsRecognised(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.New(t))
	s := open(t, proxy.URL())
	g := newGame(t, s, "m")
	for n := range 20 {
		proxy.CutReply("COMMIT\x00", 1)
		if err := g.save(t, s); err != nil {
			t.Errorf("save %d: %v", n, err)
		}
		if proxy.Left() != 0 {
			t.Fatalf("the reply to save %d was not cut", n)
		}
	}
	g.check(t, s)
	proxy.CutReply("COMMIT\x00", 1)
	if err := s.Create(t.Context(), storagetest.Challenge(t, "n", 0)); err != nil {
		t.Errorf("a game is created: %v", err)
	}
	proxy.CutReply("COMMIT\x00", 1)
	if err := s.SaveState(t.Context(), "k", []byte("v")); err != nil {
		t.Errorf("a note is written: %v", err)
	}
	proxy.CutReply("COMMIT\x00", 1)
	if err := s.Delete(t.Context(), "n", 1); err != nil {
		t.Errorf("a game is deleted: %v", err)
	}
}

// TestACommitThatNeverArrivesIsMadeAgain: the connection breaks before the server has read
// the commit, up to three times in a row.
func TestACommitThatNeverArrivesIsMadeAgain(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.New(t))
	s := open(t, proxy.URL())
	g := newGame(t, s, "m")
	for n := range 20 {
		proxy.CutRequest("commit\x00", 1+n%3)
		if err := g.save(t, s); err != nil {
			t.Errorf("save %d: %v", n, err)
		}
		if proxy.Left() != 0 {
			t.Fatalf("save %d was not cut", n)
		}
	}
	g.check(t, s)
}

// TestNobodyTakesAnotherSaveForTheirOwn: the reply to a commit is lost, and another process
// saves the game before it can be asked for. It is still known to have been made.
func TestNobodyTakesAnotherSaveForTheirOwn(t *testing.T) {
	url := pgtest.New(t)
	proxy := pgtest.NewProxy(t, url)
	s, other := open(t, proxy.URL()), open(t, url)
	g := newGame(t, s, "m")
	for range 10 {
		proxy.FreezeAtReply("COMMIT\x00")
		done := make(chan error, 1)
		go func() { done <- g.save(t, s) }()
		// As soon as the commit is visible, the other goes on from there.
		next := g.match
		next.Version += 2
		for errors.Is(other.Save(t.Context(), next, next.Version-1), storage.ErrConflict) {
		}
		proxy.Cut()
		proxy.Thaw()
		if err := <-done; err != nil {
			t.Errorf("the save: %v", err)
		}
		g.match.Version++
	}
	g.check(t, s)
}

// TestAFrozenConnectionHoldsNobodyUp: packets vanish, and no connection is closed.
func TestAFrozenConnectionHoldsNobodyUp(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.New(t))
	s := open(t, proxy.URL())
	g := newGame(t, s, "m")
	proxy.Freeze()
	if err := call(t, func(ctx context.Context) error { _, err := s.Load(ctx, "m"); return err }); !errors.Is(err, storage.ErrHangs) {
		t.Errorf("Load: %v", err)
	}
	if err := g.save(t, s); !errors.Is(err, storage.ErrHangs) || errors.Is(err, storage.ErrUnsure) {
		t.Errorf("Save: %v", err)
	}
	proxy.Thaw()
	for g.save(t, s) != nil {
	}
	g.check(t, s)

	// It freezes when the server has committed: nobody can know.
	next := g.match
	next.Version++
	proxy.FreezeAtReply("COMMIT\x00")
	err := call(t, func(ctx context.Context) error { return s.Save(ctx, next, g.match.Version) })
	if !errors.Is(err, storage.ErrUnsure) {
		t.Errorf("Save: %v", err)
	}
	proxy.Thaw()
	_ = g.settle(t, s, next, err)
	g.check(t, s)
}

// underWay saves 8 games again and again while something happens, until each has been
// saved some times more after that.
func underWay(t *testing.T, s storage.Store, happens func()) {
	t.Helper()
	var over atomic.Bool
	var all sync.WaitGroup
	var games []*game
	for n := range 8 {
		g := newGame(t, s, match.ID(fmt.Sprint("m", n)))
		games = append(games, g)
		all.Go(func() {
			for after := 0; after < 5 && len(g.problems) == 0 && !t.Failed(); {
				if g.save(t, s) == nil && over.Load() {
					after++
				}
			}
		})
	}
	happens()
	over.Store(true)
	all.Wait()
	made, unsure, refused := 0, 0, 0
	for _, g := range games {
		g.check(t, s)
		made, unsure, refused = made+g.made, unsure+g.unsure, refused+g.refused
	}
	t.Logf("%d saves, %d of unknown outcome, %d refused", made, unsure, refused)
}

// TestKilledConnectionsLoseAndDoubleNothing: an operator ends the server's processes.
func TestKilledConnectionsLoseAndDoubleNothing(t *testing.T) {
	url := pgtest.New(t)
	s := open(t, url)
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	underWay(t, s, func() {
		for killed := 0; killed < 100; {
			var n int
			err := c.QueryRow(t.Context(), `select count(pg_terminate_backend(pid)) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`).Scan(&n)
			if err != nil {
				t.Fatal(err)
			}
			killed += n
		}
	})
}

// TestARestartOfTheServerLosesAndDoublesNothing: it ends as by a crash, and in order.
func TestARestartOfTheServerLosesAndDoublesNothing(t *testing.T) {
	c := pgtest.NewCluster(t)
	s := open(t, c.URL())
	underWay(t, s, func() {
		for _, mode := range []string{"immediate", "fast", "immediate"} {
			c.Stop(mode)
			c.Start()
		}
	})
}

// TestALockOnTheTableHoldsNobodyUp: somebody changes the table and forgets to commit.
func TestALockOnTheTableHoldsNobodyUp(t *testing.T) {
	url := pgtest.New(t)
	s := open(t, url)
	g := newGame(t, s, "m")
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "lock table games in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 40 { // more than there are connections
		all.Go(func() {
			if err := call(t, func(ctx context.Context) error { return s.Delete(ctx, "m", 1) }); !errors.Is(err, storage.ErrHangs) {
				t.Errorf("Delete: %v", err)
			}
		})
	}
	all.Wait()
	if err := g.save(t, s); !errors.Is(err, storage.ErrHangs) {
		t.Errorf("Save: %v", err)
	}
	if err := call(t, func(ctx context.Context) error { _, err := s.Load(ctx, "m"); return err }); !errors.Is(err, storage.ErrHangs) {
		t.Errorf("Load: %v", err)
	}
	if err := s.SaveState(t.Context(), "k", []byte("v")); err != nil {
		t.Errorf("what is not locked: %v", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for g.save(t, s) != nil {
	}
	g.check(t, s)
}

// TestADemotedServerIsLeft: the one that the pool is connected to can only be read from,
// and another host of the address has taken over, with all that was saved.
func TestADemotedServerIsLeft(t *testing.T) {
	first := pgtest.NewCluster(t)
	second := first.NewStandby()
	url := strings.Replace(first.URL(), first.Host(), first.Host()+","+second.Host(), 1)
	s := open(t, url)
	g := newGame(t, s, "m")
	first.Do("alter system set default_transaction_read_only = on")
	first.Do("select pg_reload_conf()")
	for {
		err := g.save(t, s)
		if err != nil { // it may take a moment
			if !errors.Is(err, storage.ErrNotWritten) && !errors.Is(err, storage.ErrHangs) {
				t.Errorf("Save: %v", err)
			}
			break
		}
	}
	second.Promote()
	for g.save(t, s) != nil {
		if len(g.problems) > 0 {
			break
		}
	}
	g.check(t, s)
}

// TestAFailoverLosesAndDoublesNothing: the server crashes, and its standby takes over.
func TestAFailoverLosesAndDoublesNothing(t *testing.T) {
	first := pgtest.NewCluster(t)
	second := first.NewStandby()
	s := open(t, strings.Replace(first.URL(), first.Host(), first.Host()+","+second.Host(), 1))
	underWay(t, s, func() {
		first.Stop("immediate")
		second.Promote()
	})
}
