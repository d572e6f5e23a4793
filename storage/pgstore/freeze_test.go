package pgstore

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/stored"
)

// TestNobodyChangesAFrozenStore: a change that comes during a freeze waits; it is made
// after a release, and refused when a note of a move was written, without a moment between.
func TestNobodyChangesAFrozenStore(t *testing.T) {
	ctx := t.Context()
	url := pgtest.New(t)
	s, err := Open(ctx, url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mover, err := Open(ctx, url, Options{Moving: true})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	value := stored.Value{Kind: stored.Notes, Key: []byte("k"), Sealed: stored.Seal(stored.Notes, []byte("k"), []byte("v"))}
	for _, end := range []struct {
		name string
		do   func(mark func(context.Context, string, []byte) error, release func()) error
		want error
	}{
		{"released", func(_ func(context.Context, string, []byte) error, release func()) error { release(); return nil }, nil},
		{"marked with another note", func(mark func(context.Context, string, []byte) error, _ func()) error {
			return mark(ctx, "x", []byte("y"))
		}, nil},
		{"marked as moved", func(mark func(context.Context, string, []byte) error, _ func()) error {
			return mark(ctx, stored.MovedNote, []byte("y"))
		}, ErrMoved},
	} {
		t.Run(end.name, func(t *testing.T) {
			mark, release, err := mover.Freeze(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			done := make(chan error)
			go func() { done <- s.Replace(ctx, []stored.Value{value}, nil) }()
			waits(t, mover, done)
			if err := end.do(mark, release); err != nil {
				t.Fatal(err)
			}
			if err := <-done; !errors.Is(err, end.want) {
				t.Errorf("the change that waited: %v", err)
			}
		})
	}
	if err := s.SaveState(ctx, "k", []byte("later")); !errors.Is(err, ErrMoved) || !errors.Is(err, storage.ErrNotWritten) {
		t.Errorf("a change after the move: %v", err)
	}
	if err := mover.SaveState(ctx, stored.MovedNote, nil); err != nil {
		t.Error(err)
	}
	if err := s.SaveState(ctx, "k", []byte("later")); err != nil {
		t.Errorf("a change after the note is gone: %v", err)
	}
}

// waits returns when a change waits for the end of a freeze.
func waits(t *testing.T, s *Store, done <-chan error) {
	t.Helper()
	for {
		n := 0
		err := s.read(t.Context(), bulk, func(ctx context.Context, c *pgxpool.Conn) error {
			return c.QueryRow(ctx, `select count(*) from pg_locks where not granted and relation = 'operations'::regclass`).Scan(&n)
		})
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return
		}
		select {
		case err := <-done:
			t.Fatalf("the change did not wait: %v", err)
		default:
		}
	}
}

// TestAFreezeEndsWithItsConnection: a mover that dies keeps nobody out.
func TestAFreezeEndsWithItsConnection(t *testing.T) {
	ctx := t.Context()
	url := pgtest.New(t)
	s, err := Open(ctx, url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mover, err := Open(ctx, url, Options{Moving: true})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	mark, _, err := mover.Freeze(ctx)
	if err != nil {
		t.Fatal(err)
	}
	pgtest.Execute(t, url, `select pg_terminate_backend(pid, 10000) from pg_locks where mode = 'ShareRowExclusiveLock' and relation = 'operations'::regclass`)
	if err := s.SaveState(ctx, "k", []byte("v")); err != nil {
		t.Errorf("a change after the mover died: %v", err)
	}
	if err := mark(ctx, stored.MovedNote, []byte("x")); err == nil {
		t.Error("a note was written although the freeze was over")
	}
	if v, err := s.State(ctx, stored.MovedNote); v != nil || err != nil {
		t.Errorf("the note: %q, %v", v, err)
	}
}
