// Package uci lets other programs drive the search with lines of text, as chess
// programs do with the Universal Chess Interface.
//
// # Design
//
// One goroutine reads commands, another one searches. Only one search runs at a
// time, and the commands that change its state wait until it ends. A command
// that is wrong changes nothing; the answer is a line that starts with "error"
// and says why.
//
// Commands, one per line:
//
//	uci                                     answers name, options, uciok
//	isready                                 answers readyok
//	ucinewgame                              clears the table
//	setoption name NAME value VALUE         Rules, Hash, Threads, Level
//	position startpos [moves M1 M2 ...]
//	position pos TEXT [moves M1 M2 ...]     TEXT with or without counters
//	go [movetime MS] [depth N] [nodes N] [infinite]
//	stop
//	quit
//
// Moves are paths, such as c3-d4 or c3xe5xg7. A search answers with lines
//
//	info depth D score cp POINTS nodes N nps N time MS pv M1 M2 ...
//	info depth D score mate MOVES ...
//
// and ends with "bestmove M", or "bestmove none" when there is no legal move.
// Points are for the side to move; 150 points multiply the odds of winning by e.
// MOVES is the number of the winner's own moves to the end, negative when the
// side to move loses.
package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

const (
	defaultHash = 64 // MiB
	maxHash     = 4096
	maxThreads  = 64
	maxLine     = 1 << 20 // bytes
)

// Run reads commands from in and answers on out, until quit, the end of in or the
// end of ctx. At the end of in, it lets a search with a limit finish. The error is
// that of reading or writing; a line of more than 1 MiB cannot be read. After the
// end of ctx, a goroutine keeps reading until the caller closes in.
func Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &loop{ctx: ctx, out: out, hash: defaultHash, threads: 1, game: engine.NewGame(engine.Start(engine.Kawu))}
	l.searcher = ai.NewSearcher(l.hash << 20)

	lines := make(chan string)
	var readErr error
	go func() { // ends when in does
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		readErr = s.Err()
	}()
	for {
		select {
		case <-ctx.Done():
			l.halt()
			return l.failed()
		case line, ok := <-lines:
			if !ok {
				if l.endless {
					l.halt()
				}
				l.wait()
				if err := l.failed(); err != nil {
					return err
				}
				return readErr
			}
			if !l.command(strings.Fields(line)) {
				l.halt()
				return l.failed()
			}
		}
	}
}

// loop is one conversation.
type loop struct {
	ctx      context.Context // of the conversation, parent of those of searches
	searcher *ai.Searcher
	game     *engine.Game
	rules    engine.Rules
	level    ai.Level
	hash     int
	threads  int

	stop    context.CancelFunc // ends the running search
	running sync.WaitGroup
	endless bool

	mu  sync.Mutex // guards what follows
	out io.Writer
	err error
}

// say writes a line. The first error is kept for failed.
func (l *loop) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := fmt.Fprintf(l.out, format+"\n", args...); err != nil && l.err == nil {
		l.err = err
	}
}

// failed returns the first error of writing.
func (l *loop) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// wait waits for the running search to end by itself.
func (l *loop) wait() { l.running.Wait() }

// halt stops the running search and waits for its answer.
func (l *loop) halt() {
	if l.stop != nil {
		l.stop()
	}
	l.wait()
}

// idle waits until no search runs. It stops an endless one.
func (l *loop) idle() {
	if l.endless {
		l.halt()
	}
	l.wait()
}

// command carries out one line. It returns false for quit.
func (l *loop) command(words []string) bool {
	if len(words) == 0 {
		return true
	}
	args := words[1:]
	switch words[0] {
	case "quit":
		return false
	case "uci":
		l.hello()
	case "isready":
		l.say("readyok")
	case "stop":
		l.halt()
	case "ucinewgame":
		l.idle()
		l.searcher.Forget()
	case "setoption":
		l.idle()
		if err := l.setOption(args); err != nil {
			l.say("error %v", err)
		}
	case "position":
		l.idle()
		if err := l.position(args); err != nil {
			l.say("error %v", err)
		}
	case "go":
		l.idle()
		if err := l.search(args); err != nil {
			l.say("error %v", err)
		}
	default:
		l.say("error unknown command %q; the commands are: uci isready ucinewgame setoption position go stop quit", clip(words[0]))
	}
	return true
}

func (l *loop) hello() {
	l.say("id name lasca")
	l.say("id author the lascabot authors")
	l.say("option name Rules type combo default %v var %s", engine.Kawu, rulesList(" var "))
	l.say("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	l.say("option name Threads type spin default 1 min 1 max %d", maxThreads)
	l.say("option name Level type spin default 0 min 0 max %d", len(ai.Levels()))
	l.say("uciok")
}

func rulesList(sep string) string {
	var names []string
	for _, r := range engine.AllRules() {
		names = append(names, r.String())
	}
	return strings.Join(names, sep)
}

// setOption carries out the words after "setoption".
func (l *loop) setOption(args []string) error {
	if len(args) != 4 || args[0] != "name" || args[2] != "value" {
		return fmt.Errorf("want: setoption name NAME value VALUE")
	}
	value := args[3]
	number := func(least, most int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%s must be %d to %d, not %q", args[1], least, most, clip(value))
		}
		return n, nil
	}
	switch strings.ToLower(args[1]) {
	case "rules":
		r, err := engine.ParseRules(value)
		if err != nil {
			return err
		}
		l.rules = r
		l.game = engine.NewGame(engine.Start(r))
	case "hash":
		n, err := number(1, maxHash)
		if err != nil {
			return err
		}
		l.hash = n
		l.searcher = ai.NewSearcher(n << 20)
		l.searcher.SetThreads(l.threads)
	case "threads":
		n, err := number(1, maxThreads)
		if err != nil {
			return err
		}
		l.threads = n
		l.searcher.SetThreads(n)
	case "level":
		n, err := number(0, len(ai.Levels()))
		if err != nil {
			return err
		}
		l.level = ai.Level(n)
	default:
		return fmt.Errorf("unknown option %q; the options are: Rules Hash Threads Level", clip(args[1]))
	}
	return nil
}

// position carries out the words after "position".
func (l *loop) position(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want: position startpos or position pos TEXT, then moves")
	}
	kind, args := args[0], args[1:]
	n := 0
	for n < len(args) && args[n] != "moves" {
		n++
	}
	text, moves := strings.Join(args[:n], " "), args[min(n+1, len(args)):]
	start := engine.Start(l.rules)
	switch {
	case kind == "startpos" && text == "":
	case kind == "pos":
		setup, err := notation.ParsePosition(text, l.rules)
		if err != nil {
			return err
		}
		if start, err = setup.Position(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("want: position startpos or position pos TEXT, then moves")
	}
	game := engine.NewGame(start)
	for i, text := range moves {
		p := game.Position()
		m, err := notation.FindMove(&p, text)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		if err := game.Play(m); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	l.game = game
	return nil
}

// search carries out the words after "go": it starts a search.
func (l *loop) search(args []string) error {
	t := ai.TaskFor(l.game)
	t.Level = l.level
	for i := 0; i < len(args); i++ {
		if args[i] == "infinite" {
			continue
		}
		if i+1 == len(args) {
			return fmt.Errorf("go %s: the number is missing", clip(args[i]))
		}
		v, err := strconv.ParseInt(args[i+1], 10, 64)
		if err != nil || v < 1 {
			return fmt.Errorf("go %s: want a number above 0, not %q", clip(args[i]), clip(args[i+1]))
		}
		switch args[i] {
		case "movetime":
			t.Limits.Time = time.Duration(min(v, 1<<40)) * time.Millisecond
		case "depth":
			t.Limits.Depth = int(min(v, 1<<20))
		case "nodes":
			t.Limits.Nodes = v
		default:
			return fmt.Errorf("go: unknown limit %q; the limits are: movetime depth nodes infinite", clip(args[i]))
		}
		i++
	}
	l.endless = t.Limits == (ai.Limits{}) && t.Level == 0
	if l.endless {
		t.Limits.Depth = 1 << 20
	}
	t.Progress = l.info
	ctx, cancel := context.WithCancel(l.ctx)
	l.stop = cancel
	endless := l.endless
	l.running.Go(func() {
		defer cancel()
		r, err := l.searcher.Search(ctx, t)
		if endless && err == nil {
			<-ctx.Done() // the answer must wait for stop
		}
		if err != nil {
			l.say("bestmove none")
			return
		}
		l.say("bestmove %v", r.Best)
	})
	return nil
}

// info writes the info line of a report.
func (l *loop) info(r ai.Report) {
	score := fmt.Sprintf("cp %d", r.Score.Points())
	if n, ok := r.Score.Win(); ok {
		score = fmt.Sprintf("mate %d", (n+1)/2)
	} else if n, ok := r.Score.Loss(); ok {
		score = fmt.Sprintf("mate %d", -n/2)
	}
	var pv strings.Builder
	for _, m := range r.PV {
		pv.WriteString(" " + m.String())
	}
	nps := int64(float64(r.Nodes) / max(r.Elapsed.Seconds(), 1e-6))
	l.say("info depth %d score %s nodes %d nps %d time %d pv%s", r.Depth, score, r.Nodes, nps, r.Elapsed.Milliseconds(), pv.String())
}

// clip shortens text that an error repeats.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
