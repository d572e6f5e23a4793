package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgjobs"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// saves is a store that tells of each save.
type saves struct {
	storage.Store
	saved chan match.ID
}

func (s saves) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	err := s.Store.Save(ctx, m, prev, on...)
	if err == nil {
		s.saved <- m.ID
	}
	return err
}

// works starts a worker on a database. stop ends it.
func works(b *testing.B, url string) (store saves, stop func()) {
	b.Helper()
	log := slog.New(slog.DiscardHandler)
	own, err := pgstore.Open(b.Context(), url, pgstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	jobs, err := pgjobs.Open(b.Context(), own, pgjobs.Options{AtOnce: bot.JobsAtOnce(1), Log: log})
	if err != nil {
		b.Fatal(err)
	}
	store = saves{own, make(chan match.ID, 100_000)}
	w := bot.NewWorker(bot.WorkerOptions{Store: store, Jobs: jobs, Workers: 1, HashBytes: 1 << 20, Log: log})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	return store, func() {
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
		own.Close()
	}
}

// changes opens the database as a process that answers people, whose changes bring jobs.
func changes(b *testing.B, url string) *pgstore.Store {
	b.Helper()
	store, err := pgstore.Open(b.Context(), url, pgstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	if _, err := pgjobs.Open(b.Context(), store, pgjobs.Options{Shows: true}); err != nil {
		b.Fatal(err)
	}
	return store
}

// due is a game in which the machine, at its first level, has to move.
func due(b *testing.B, id string) storage.Record {
	r := storagetest.AgainstMachine(b, match.ID(id), 0, false)
	r.Match.Seats[0].Level = 1
	r.Place.Guild = "g" + id[len(id)-1:]
	return r
}

// BenchmarkWorker measures a worker in the same process as its database's clients:
//
//	LASCA_POSTGRES=postgres://… go test -run '^$' -bench Worker ./bot
func BenchmarkWorker(b *testing.B) {
	b.Run("from a change to the machine's move", func(b *testing.B) {
		url := pgtest.New(b)
		store, stop := works(b, url)
		defer stop()
		player := changes(b, url)
		var took []time.Duration
		for b.Loop() {
			id := fmt.Sprint("m", len(took))
			begin := time.Now()
			if err := player.Create(b.Context(), due(b, id)); err != nil {
				b.Fatal(err)
			}
			<-store.saved
			took = append(took, time.Since(begin))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	})
	b.Run("a backlog", func(b *testing.B) {
		const games = 1000
		for b.Loop() {
			b.StopTimer()
			url := pgtest.New(b)
			player := changes(b, url)
			for i := range games {
				if err := player.Create(b.Context(), due(b, fmt.Sprint("m", i))); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
			begin := time.Now()
			store, stop := works(b, url)
			for range games {
				<-store.saved
			}
			b.ReportMetric(games/time.Since(begin).Seconds(), "moves/s")
			b.StopTimer()
			stop()
			b.StartTimer()
		}
	})
	for name, jobs := range map[string]bool{"saves without a job": false, "saves with a job": true} {
		b.Run(name, func(b *testing.B) {
			url := pgtest.New(b)
			player := changes(b, url)
			const clients = 16
			var next atomic.Int64
			begin := time.Now()
			var wg sync.WaitGroup
			for range clients {
				wg.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						r := due(b, fmt.Sprint("m", n))
						if !jobs {
							r = storagetest.AgainstMachine(b, r.Match.ID, 0, true)
						}
						r.Match.Seats[0].User, r.Match.Seats[1].User = user(r.Match.Seats[0].User, n), user(r.Match.Seats[1].User, n)
						if err := player.Create(b.Context(), r); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "saves/s")
		})
	}
}

// user is one of many people, so that none has the others' locks.
func user(u match.UserID, n int64) match.UserID {
	if u == "" {
		return ""
	}
	return match.UserID(fmt.Sprint(u, n))
}
