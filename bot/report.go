package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/storage"
)

// A process that shares a store says there how it is, in the note of a lease, so that
// whoever asks the store hears of all.
const (
	statusPrefix = "status:"
	statusEvery  = 5 * time.Second
	statusTerm   = 15 * time.Second // after that a process is taken for dead
	statusCall   = 2 * time.Second
)

// report says how a process is until ctx ends. id is its name in the fleet.
func report(ctx context.Context, fleet storage.Fleet, id string, process func(context.Context) Process, log *slog.Logger) {
	name := statusPrefix + id
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), statusCall)
		defer cancel()
		_ = fleet.Release(last, id, name) // else it runs out by itself
	}()
	tick := time.NewTicker(statusEvery)
	defer tick.Stop()
	for {
		note, err := json.Marshal(process(ctx))
		if err == nil {
			once, cancel := context.WithTimeout(ctx, statusCall)
			_, err = fleet.Hold(once, id, statusTerm, string(note), name)
			cancel()
		}
		if err != nil && ctx.Err() == nil {
			log.DebugContext(ctx, "could not say how this process is", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// StatusOf returns how the processes that share a store are, as each has said in the last
// seconds, and what is due in it. now is the time by which that is due. The error is the
// store's.
func StatusOf(ctx context.Context, store storage.Store, fleet storage.Fleet, now time.Time) (Status, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*surveyTime)
	defer cancel()
	s := Status{At: now.UTC(), Processes: []Process{}}
	leases, err := fleet.Leases(ctx)
	if err != nil {
		return s, err
	}
	for _, l := range leases {
		var p Process
		if strings.HasPrefix(l.Name, statusPrefix) && json.Unmarshal([]byte(l.Note), &p) == nil { // else a later version wrote it
			s.Processes = append(s.Processes, p)
		}
	}
	slices.SortFunc(s.Processes, func(a, b Process) int {
		if a.Worker != b.Worker {
			if b.Worker {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID))
	})
	found, err := surveyOf(ctx, play.New(play.Options{Store: store, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}), store)
	if err != nil {
		s.Problem = fmt.Sprintf("the store did not say what is due: %v", err)
	}
	s.Games, s.Due = found.games, found.due
	return s, nil
}
