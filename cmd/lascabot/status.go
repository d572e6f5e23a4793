package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage/pgstore"
)

// statusTime is how long "lascabot status" waits for a running bot, which needs four
// seconds at most.
const statusTime = 6 * time.Second

// maxStatus is the most bytes of an answer that are read.
const maxStatus = 16 << 20

// Why there is no status, and what is wrong with one.
var (
	errNoBot    = errors.New("no bot runs")
	errSilent   = errors.New("a bot runs, but does not answer")
	errNotReady = errors.New("the bot cannot serve people; see above")
)

var statusCommand = cli.Command{
	Name: "status", Short: "shows how a running bot is",
	Long: `
It shows the processes and shards of the bot, how fast people got their answers, what
waits, and for how long. It asks the bot that has the file of games open, or, with
-store, what all processes on the database have said there in the last seconds, and
waits for six seconds at most. The exit status is 0 if the bot can serve people, 1 if it
cannot, does not answer, or does not run.

DUE lists what the stored games wait for: a move of the machine, a screen to be brought
up to date, a challenge to expire, a game to be removed, a person to be reminded or to be
told of the clock, a result to be rated. With the bot at leisure nothing waits for more
than some seconds, except for screens that Discord refuses and finished threads, which
wait for their time.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.StoreFlags(f)
		asJSON := f.Bool("json", false, "print JSON, with lengths of time in seconds")
		return func(ctx context.Context, c *cli.Call) error {
			s, err := statusOn(ctx, set)
			if err != nil {
				return err
			}
			if *asJSON {
				e := json.NewEncoder(c.Out)
				e.SetIndent("", "  ")
				err = e.Encode(s)
			} else {
				err = writeStatus(c.Out, s)
			}
			if err == nil && !serves(s) {
				err = errNotReady
			}
			return err
		}
	},
}

// serves reports whether some process can serve people, and the store answers.
func serves(s bot.Status) bool {
	for _, p := range s.Processes {
		if p.Ready && !p.Worker {
			return s.Problem == ""
		}
	}
	return false
}

// statusOn asks how the bot is that serves some games.
func statusOn(ctx context.Context, set *config.Store) (s bot.Status, err error) {
	if set.Store.IsZero() {
		return statusFrom(ctx, set.Data, statusTime)
	}
	ctx, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	store, err := openDatabase(ctx, set.Store, pgstore.Options{Existing: true})
	if err != nil {
		return s, err
	}
	defer store.Close()
	s, err = bot.StatusOf(ctx, store, store, time.Now())
	if err == nil && len(s.Processes) == 0 {
		err = fmt.Errorf(`%w on %s: start one with "lascabot run -store"`, errNoBot, whereOf(set))
	}
	return s, err
}

// statusOf returns how the bot is; [bot.Bot.Status] is one.
type statusOf func(context.Context) bot.Status

// serve answers "lascabot status".
func (of statusOf) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(statusTime))
	_ = json.NewEncoder(w).Encode(of(r.Context())) // whoever asked may have gone
}

// statusFrom asks the bot that has a file of games open how it is. The error wraps
// [errNoBot] or [errSilent], or says that the bot is an older version.
func statusFrom(ctx context.Context, data string, patience time.Duration) (s bot.Status, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := askRunningBot(ctx, data, "/status")
	var dial *net.OpError
	switch {
	case errors.As(err, &dial) && dial.Op == "dial" && (errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)):
		return s, fmt.Errorf(`%w on %s: nothing answers at %s; start one with "lascabot run", or name its file with -data`, errNoBot, data, controlPath(data))
	case errors.Is(err, os.ErrPermission):
		return s, fmt.Errorf("only the user whom the bot runs as may ask it: %w", err)
	case err != nil:
		return s, silent(data, patience, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return s, errors.New("the bot that runs is an older version, which does not say how it is; start it again")
	default:
		return s, silent(data, patience, errors.New(resp.Status))
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxStatus)).Decode(&s); err != nil {
		return s, silent(data, patience, err)
	}
	return s, nil
}

func silent(data string, patience time.Duration, err error) error {
	return fmt.Errorf("%w within %v on %s: %w; if that goes on, stop it and start it again: nothing is lost", errSilent, patience, data, err)
}

// writeStatus writes a status as tables.
func writeStatus(out io.Writer, s bot.Status) error {
	w := &table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	w.row("PROCESS", "STATE", "UP", "THINKING", "SCREENS", "VERSION")
	for _, p := range s.Processes {
		state := "ready"
		switch {
		case !p.Ready:
			state = "not ready"
		case p.Worker:
			state = "works"
		}
		t := p.Thinking
		w.row(processName(p), state, span(p.Up), fmt.Sprintf("%d of %d, %d wait", t.Running, t.Workers, t.Waiting), fmt.Sprint(p.Screens), p.Version)
	}
	for _, p := range s.Processes {
		if p.Problem != "" {
			w.line("%s: %s", processName(p), cli.OneLine(p.Problem))
		}
	}
	w.line("")
	w.row("PROCESS", "ANSWERS", "P50", "P99", "FAILED", "READS", "P50", "P99", "WRITES", "P50", "P99")
	for _, p := range s.Processes {
		row := append([]string{processName(p)}, speed(p.Answers)...)
		row = append(append(row, fmt.Sprint(p.Failed)), speed(p.Reads)...)
		w.row(append(row, speed(p.Writes)...)...)
	}
	w.line("")
	w.row("SHARD", "PROCESS", "STATE", "SINCE")
	for _, p := range s.Processes {
		for _, shard := range p.Shards {
			state, since := "disconnected", "-"
			if shard.Connected {
				state = "connected"
			}
			if !shard.Since.IsZero() {
				since = shard.Since.UTC().Format(time.DateTime)
			}
			w.row(fmt.Sprintf("%d of %d", shard.ID, shard.Of), processName(p), state, since)
		}
	}
	w.line("")
	if s.Problem != "" {
		w.line("%s", cli.OneLine(s.Problem))
		return w.end()
	}
	w.row("DUE", "GAMES", "OLDEST")
	for _, d := range s.Due {
		count, oldest := fmt.Sprint(d.Count), "-"
		if d.More {
			count = "more than " + count
		}
		if d.Oldest > 0 {
			oldest = span(d.Oldest)
		}
		w.row(string(d.Kind), count, oldest)
	}
	if g := s.Games; g != nil {
		w.line("")
		w.line("running games: %d, open challenges: %d, finished games: %d", g.Running, g.Proposed, g.Finished)
	}
	return w.end()
}

// processName names a process.
func processName(p bot.Process) string { return fmt.Sprintf("%s:%d", p.Host, p.PID) }

// speed returns three cells about how fast something was done.
func speed(s bot.Speed) []string {
	if s.Count == 0 {
		return []string{"0", "-", "-"}
	}
	return []string{fmt.Sprint(s.Count), span(s.P50), span(s.P99)}
}

// span writes a length of time as short as it is still telling.
func span(s bot.Seconds) string {
	d := s.Duration()
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d >= time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.0fms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.2gms", float64(d)/float64(time.Millisecond))
}

// table writes rows of cells and lines between them.
type table struct {
	w   *tabwriter.Writer
	err error
}

func (t *table) row(cells ...string) {
	t.line("%s", strings.Join(cells, "\t"))
}

// line writes a line that belongs to no table.
func (t *table) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

func (t *table) end() error {
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}
