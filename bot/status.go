package bot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lascabot/lascabot/bot/metrics"
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
	// Since is when its session began to run, or to run again; zero if none has.
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
	host, _ := os.Hostname() // "" where it has none
	p := Process{
		Host: host, PID: os.Getpid(), Version: b.opt.Version, Started: b.started.UTC(), Up: Seconds(time.Since(b.started).Seconds()),
		Answers: speedOf(b.measures.Answers()), Failed: b.measures.Unanswered(),
		Reads: speedOf(b.measures.Reads()), Writes: speedOf(b.measures.Writes()), Screens: b.screens.Waiting(),
	}
	p.Thinking.Workers = max(b.opt.Workers, 1)
	p.Thinking.Waiting, p.Thinking.Running = b.pool.Load()
	shard := Shard{Of: 1, Connected: b.gateway.Connected()}
	if since := b.session.Load(); since != nil {
		shard.Since = since.UTC()
	}
	p.Shards = []Shard{shard}
	err := b.Ready(ctx)
	if p.Ready = err == nil; err != nil {
		p.Problem = err.Error()
	}
	return p
}

// survey is what the store says of all games together.
type survey struct {
	games *storage.Counts
	due   []Due
}

// survey asks the store.
func (b *Bot) survey(ctx context.Context) (found survey, err error) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	backlog, err := b.service.Backlog(ctx)
	if err != nil {
		return found, err
	}
	for _, k := range backlog {
		found.due = append(found.due, Due{Kind: k.Kind, Count: k.Count, More: k.More, Oldest: Seconds(k.Oldest.Seconds())})
	}
	games, err := b.store.Count(ctx)
	switch {
	case err == nil:
		found.games = &games
	case !errors.Is(err, errors.ErrUnsupported):
		return found, err
	}
	return found, nil
}
