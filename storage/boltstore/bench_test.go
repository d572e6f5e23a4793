package boltstore

import (
	"context"
	"fmt"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// filled returns a store with a thousand games and the game "m" after 40 plies.
func filled(b *testing.B) (*Store, match.Match) {
	b.Helper()
	s, err := Open(b.TempDir()+"/games.db", Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	for i := range 1000 {
		if err := s.Create(b.Context(), storagetest.AgainstMachine(b, match.ID(fmt.Sprint(i)), i, i%2 == 0)); err != nil {
			b.Fatal(err)
		}
	}
	r := storagetest.Challenge(b, "m", 0)
	r.Match = storagetest.Apply(b, r.Match, match.Accept{By: engine.Black})
	for r.Match.Phase == match.Playing && len(r.Match.Moves) < 40 {
		next := storagetest.Play(b, r.Match, 1)
		if next.Phase != match.Playing {
			break
		}
		r.Match = next
	}
	if err := s.Create(b.Context(), r); err != nil {
		b.Fatal(err)
	}
	return s, r.Match
}

func BenchmarkSave(b *testing.B) {
	s, m := filled(b)
	for b.Loop() {
		m.Version++
		if err := s.Save(context.Background(), m, m.Version-1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	s, m := filled(b)
	b.Logf("%d plies", len(m.Moves))
	for b.Loop() {
		if _, err := s.Load(context.Background(), "m"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkListDue(b *testing.B) {
	s, _ := filled(b)
	for b.Loop() {
		ids, err := s.ListDue(context.Background(), storage.DueMachine, storagetest.Epoch, 100)
		if err != nil || len(ids) != 100 {
			b.Fatal(len(ids), err)
		}
	}
}

func BenchmarkListByUser(b *testing.B) {
	s, _ := filled(b)
	for b.Loop() {
		list, err := s.ListByUser(context.Background(), "ann", 25)
		if err != nil || len(list) != 25 {
			b.Fatal(len(list), err)
		}
	}
}

// BenchmarkListOf looks for a person who plays in few of many games of forty plies.
func BenchmarkListOf(b *testing.B) {
	const games, of = 10_000, 10
	s, m := filled(b)
	records := make([]storage.Record, games)
	for i := range records {
		records[i] = storage.Record{Match: m, Place: storage.Place{Guild: "1234567890123456789", Channel: "1234567890123456789"}}
		records[i].Match.ID = match.ID(fmt.Sprintf("x%06d", i))
		if i%(games/of) == 0 {
			records[i].Match.Seats[0] = match.Seat{User: "eve", Name: "Eve"}
		}
	}
	if _, err := s.CreateAll(b.Context(), records); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		list, err := s.ListOf(context.Background(), storage.Of{User: "eve"}, "", 100)
		if err != nil || len(list) != of {
			b.Fatal(len(list), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(games/1000), "µs/1000games")
}

// BenchmarkGuilds reads the server of every game.
func BenchmarkGuilds(b *testing.B) {
	s, _ := filled(b)
	for b.Loop() {
		if list, err := s.Guilds(context.Background()); err != nil || len(list) != 1 {
			b.Fatal(list, err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s, _ := filled(b)
	s.Close()
	for b.Loop() {
		s, err := Open(s.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
