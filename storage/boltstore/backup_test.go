package boltstore

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

func TestABackupIsAStore(t *testing.T) {
	s := mustOpen(t, t.TempDir()+"/games.db")
	r := storagetest.Challenge(t, "m", 0)
	if err := s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	// Somebody plays while copies are taken.
	m := storagetest.Apply(t, r.Match, match.Accept{By: engine.Black})
	var player sync.WaitGroup
	player.Go(func() {
		for m.Phase == match.Playing && m.Version < 40 {
			if err := s.Save(context.Background(), m, m.Version-1); err != nil {
				t.Error(err)
				return
			}
			m = storagetest.Play(t, m, 1)
		}
	})
	var last uint64
	for range 10 {
		before := loadVersion(t, s, "m")
		var data bytes.Buffer
		if err := s.Backup(t.Context(), &data); err != nil {
			t.Fatal(err)
		}
		after := loadVersion(t, s, "m")
		copied := mustOpen(t, writeFile(t, data.Bytes()))
		if v := loadVersion(t, copied, "m"); v < before || v > after {
			t.Errorf("the copy has version %d, but was taken between %d and %d", v, before, after)
		}
		last = after
	}
	player.Wait()
	if last == 0 {
		t.Error("nothing was copied")
	}
}

func loadVersion(t *testing.T, s *Store, id match.ID) uint64 {
	t.Helper()
	r, err := s.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r.Match.Version
}

func TestABackupStopsWhenItsContextEnds(t *testing.T) {
	s := mustOpen(t, t.TempDir()+"/games.db")
	ctx, cancel := context.WithCancel(t.Context())
	stop := writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
	if err := s.Backup(ctx, stop); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	full := errors.New("the disk is full")
	if err := s.Backup(t.Context(), writerFunc(func([]byte) (int, error) { return 0, full })); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), stop); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
