package bot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/metrics"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/storage"
)

// surveyTime is how long [Bot.Status] and [Bot.WriteMetrics] wait for the store.
const surveyTime = 2 * time.Second

// Status is how a bot is at a moment: every process of it, and what is stored.
type Status struct {
	At        time.Time       `json:"at"` // by Discord's clock
	Processes []Process       `json:"processes"`
	Games     *storage.Counts `json:"games,omitempty"` // nil if the store does not count them
	Due       []Due           `json:"due,omitempty"`   // one for each kind of work
	// Problem says why Games and Due are missing, "" if they are not.
	Problem string `json:"problem,omitempty"`
}

// Process is one process of a bot.
type Process struct {
	Host     string    `json:"host"`
	PID      int       `json:"pid"`
	Version  string    `json:"version,omitempty"`
	Started  time.Time `json:"started"` // by this machine's clock, as is UpSeconds
	Up       Seconds   `json:"up_seconds"`
	Worker   bool      `json:"worker,omitempty"` // it only makes the machine's moves
	Ready    bool      `json:"ready"`
	Problem  string    `json:"problem,omitempty"` // why it is not ready
	Shards   []Shard   `json:"shards"`
	Answers  Speed     `json:"answers"` // first ones, to people
	Failed   int       `json:"unanswered"`
	Thinking Load      `json:"thinking"`
	Screens  int       `json:"screens_waiting"` // messages to be brought up to date
	Reads    Speed     `json:"store_reads"`
	Writes   Speed     `json:"store_writes"`
}

// Shard is a part of the servers that a process serves.
type Shard struct {
	ID        int  `json:"id"`
	Of        int  `json:"of"`
	Connected bool `json:"connected"`
	// Since is when its session began to run, or to run again; zero if none runs.
	Since time.Time `json:"since,omitzero"`
}

// Speed is how often something was done since the start, and how long it took the last
// 1,000 times: half of them no longer than P50, 99 of 100 no longer than P99.
type Speed struct {
	Count int     `json:"count"`
	P50   Seconds `json:"p50_seconds"`
	P99   Seconds `json:"p99_seconds"`
}

// Load is what a queue has to do.
type Load struct {
	Workers int `json:"workers"`
	Running int `json:"running"`
	Waiting int `json:"waiting"`
}

// Due is what remains to be done of a kind of work; see play.Backlog.
type Due struct {
	Kind   storage.Due `json:"kind"`
	Count  int         `json:"count"`
	More   bool        `json:"more,omitempty"` // than Count
	Oldest Seconds     `json:"oldest_seconds"`
}

// Seconds is a length of time, as Prometheus gives them.
type Seconds float64

// Duration returns the same as a time.Duration.
func (s Seconds) Duration() time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

func speedOf(r metrics.Recent) Speed {
	return Speed{Count: r.Count, P50: Seconds(r.P50.Seconds()), P99: Seconds(r.P99.Seconds())}
}

// Status returns how the bot is. It takes four seconds at most, even when the store does
// not answer.
func (b *Bot) Status(ctx context.Context) Status {
	s := Status{At: b.now().UTC(), Processes: []Process{b.process(ctx)}}
	found, err := b.survey(ctx)
	if err != nil {
		s.Problem = fmt.Sprintf("the store did not say what is due: %v", err)
	}
	s.Games, s.Due = found.games, found.due
	return s
}

// process describes this process.
func (b *Bot) process(ctx context.Context) Process {
	p := newProcess(b.opt.Version, b.started, b.measures)
	p.Answers, p.Failed, p.Screens = speedOf(b.measures.Answers()), b.measures.Unanswered(), b.screens.Waiting()
	b.describe(&p, b.opt.Workers)
	for _, sh := range b.Shards() {
		shard := Shard{ID: sh.ID, Of: sh.Count, Connected: sh.Phase == discord.ShardRunning}
		if shard.Connected {
			shard.Since = sh.Since.UTC()
		}
		p.Shards = append(p.Shards, shard)
	}
	p.ready(b.Ready(ctx))
	return p
}

// newProcess describes what all processes have.
func newProcess(version string, started time.Time, m *metrics.Measures) Process {
	host, _ := os.Hostname() // "" where it has none
	return Process{
		Host: host, PID: os.Getpid(), Version: version, Started: started.UTC(), Up: Seconds(time.Since(started).Seconds()),
		Reads: speedOf(m.Reads()), Writes: speedOf(m.Writes()), Shards: []Shard{},
	}
}

func (p *Process) ready(err error) {
	if p.Ready = err == nil; err != nil {
		p.Problem = err.Error()
	}
}

// survey is what the store says of all games together.
type survey struct {
	games *storage.Counts
	due   []Due
}

// survey asks the store.
func (b *Bot) survey(ctx context.Context) (survey, error) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	return surveyOf(ctx, b.service, b.store)
}

// surveyOf asks a store what is due by a service, and how many games it has if it counts
// them.
func surveyOf(ctx context.Context, service *play.Service, store storage.Store) (found survey, err error) {
	backlog, err := service.Backlog(ctx)
	if err != nil {
		return found, err
	}
	for _, k := range backlog {
		found.due = append(found.due, Due{Kind: k.Kind, Count: k.Count, More: k.More, Oldest: Seconds(k.Oldest.Seconds())})
	}
	counter, ok := store.(storage.Counter)
	if !ok {
		return found, nil
	}
	games, err := counter.Count(ctx)
	switch {
	case err == nil:
		found.games = &games
	case !errors.Is(err, errors.ErrUnsupported):
		return found, err
	}
	return found, nil
}
