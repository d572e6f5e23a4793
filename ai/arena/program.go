package arena

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// ErrProgram says that another program could not be started, has ended, does not
// answer in time, or does not follow the protocol. [Play] counts a game in which a
// program fails as lost for it.
var ErrProgram = errors.New("program does not answer")

// Program is a player that runs in a process of its own and speaks the protocol
// of package uci.
type Program struct {
	name     string
	command  []string
	options  []string
	limits   ai.Limits
	patience patience

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  chan string
	failed bool // it has to be started again before the next game
}

var _ Player = (*Program)(nil)

// patience is how long a program may take.
type patience struct {
	// To answer anything but a search, to quit, and beyond the time of a search.
	answer time.Duration
	// For a search that is not limited by time: as long as a thousand positions a
	// second take, but no less and no more than this; the longer one if it is limited
	// by depth.
	shortest, longest time.Duration
}

var patient = patience{answer: 10 * time.Second, shortest: time.Minute, longest: 15 * time.Minute}

// StartProgram starts a command and greets it. Options have the form "Name=Value"
// and are sent as they are. ctx limits only the greeting. Call Close to end the
// process.
func StartProgram(ctx context.Context, command []string, limits ai.Limits, options ...string) (*Program, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%w: no command given", ErrProgram)
	}
	p := &Program{name: command[0], command: command, options: options, limits: limits, patience: patient}
	if err := p.start(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// start starts the process and greets it. If that fails, no process is left.
func (p *Program) start(ctx context.Context) error {
	cmd := exec.Command(p.command[0], p.command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w: %w", ErrProgram, err)
	}
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			lines <- in.Text()
		}
	}()
	p.cmd, p.in, p.out, p.lines, p.failed = cmd, in, out, lines, false
	if err := p.greet(ctx, p.options); err != nil {
		p.kill()
		_ = p.cmd.Wait()
		return err
	}
	return nil
}

// greet asks for the program's name and sends the options.
func (p *Program) greet(ctx context.Context, options []string) error {
	if err := p.send(ctx, "uci"); err != nil {
		return err
	}
	if _, err := p.wait(ctx, "uciok", func(line string) {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			p.name = name
		}
	}); err != nil {
		return err
	}
	for _, o := range options {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return fmt.Errorf("option %q: write it as Name=Value", o)
		}
		if err := p.send(ctx, "setoption name "+name+" value "+value); err != nil {
			return err
		}
	}
	return p.ready(ctx)
}

func (p *Program) ready(ctx context.Context) error {
	if err := p.send(ctx, "isready"); err != nil {
		return err
	}
	_, err := p.wait(ctx, "readyok", nil)
	return err
}

// send sends a line. A program that does not read cannot hold it up for longer than
// ctx: the program then counts as failed, and the line is lost with its process.
func (p *Program) send(ctx context.Context, line string) error {
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(p.in, line+"\n")
		sent <- err
	}()
	select {
	case err := <-sent:
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrProgram, p.name, err)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait reads lines until one begins with a word, and returns that line. It calls
// other, if not nil, with the lines before it.
func (p *Program) wait(ctx context.Context, word string, other func(string)) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case line, ok := <-p.lines:
			if !ok {
				return "", fmt.Errorf("%w: %s ended before it sent %q", ErrProgram, p.name, word)
			}
			if line == word || strings.HasPrefix(line, word+" ") {
				return line, nil
			}
			if strings.HasPrefix(line, "error") {
				return "", fmt.Errorf("%w: %s sent %q", ErrProgram, p.name, line)
			}
			if other != nil {
				other(line)
			}
		}
	}
}

// Name returns the name that the program sent, or its command if it sent none.
func (p *Program) Name() string { return p.name }

// NewGame sends the rules and starts a new game. A program that failed in the last one
// is started again.
func (p *Program) NewGame(ctx context.Context, rules engine.Rules, _ uint64) error {
	return p.within(ctx, p.patience.answer, func(ctx context.Context) error {
		if p.failed {
			p.kill()
			_ = p.cmd.Wait()
			if err := p.start(ctx); err != nil {
				return err
			}
		}
		for _, line := range []string{"setoption name Rules value " + rules.String(), "ucinewgame"} {
			if err := p.send(ctx, line); err != nil {
				return err
			}
		}
		return p.ready(ctx)
	})
}

// within lets a program answer within a time. It tells a program that has not answered
// by then from a match that has been stopped, and remembers that the program failed.
func (p *Program) within(ctx context.Context, most time.Duration, ask func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := ask(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: %s has not answered within %v", ErrProgram, p.name, most)
	}
	p.failed = p.failed || err != nil
	return err
}

// searchTime returns how long a search may take.
func (p *Program) searchTime() time.Duration {
	switch l, most := p.limits, p.patience.longest; {
	case l.Time > 0:
		return l.Time + p.patience.answer
	case l.Nodes > 0 && l.Nodes < most.Milliseconds():
		return max(p.patience.shortest, time.Duration(l.Nodes)*time.Millisecond)
	default:
		return most
	}
}

// Move asks the program for a move. The error wraps [ErrProgram] if the program has
// ended, does not answer in time or answers with no move.
func (p *Program) Move(ctx context.Context, g *engine.Game) (c Choice, err error) {
	err = p.within(ctx, p.searchTime(), func(ctx context.Context) error {
		c, err = p.move(ctx, g)
		return err
	})
	return c, err
}

func (p *Program) move(ctx context.Context, g *engine.Game) (Choice, error) {
	var b strings.Builder
	start := g.Start()
	b.WriteString("position pos " + notation.FormatPosition(start.Setup()))
	for i, m := range g.Moves() {
		if i == 0 {
			b.WriteString(" moves")
		}
		b.WriteString(" " + m.String())
	}
	if err := p.send(ctx, b.String()); err != nil {
		return Choice{}, err
	}
	search := "go"
	if p.limits.Time > 0 {
		search += " movetime " + strconv.FormatInt(p.limits.Time.Milliseconds(), 10)
	}
	if p.limits.Nodes > 0 {
		search += " nodes " + strconv.FormatInt(p.limits.Nodes, 10)
	}
	if p.limits.Depth > 0 {
		search += " depth " + strconv.Itoa(p.limits.Depth)
	}
	if err := p.send(ctx, search); err != nil {
		return Choice{}, err
	}
	var c Choice
	line, err := p.wait(ctx, "bestmove", func(line string) {
		if s, ok := scoreIn(line); ok {
			c.Score, c.Known = s, true
		}
	})
	if err != nil {
		return Choice{}, err
	}
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return Choice{}, fmt.Errorf("%w: %s sent %q", ErrProgram, p.name, line)
	}
	c.Move, err = engine.ParseMove(fields[1])
	if err != nil {
		return Choice{}, fmt.Errorf("%w: %s sent %q: %w", ErrProgram, p.name, line, err)
	}
	return c, nil
}

// scoreIn returns the score of an info line.
func scoreIn(line string) (ai.Score, bool) {
	f := strings.Fields(line)
	for i := 0; i+2 < len(f); i++ {
		if f[i] != "score" {
			continue
		}
		n, err := strconv.Atoi(f[i+2])
		if err != nil {
			return 0, false
		}
		switch {
		case f[i+1] == "cp":
			return ai.Score(max(-29000, min(n, 29000))), true
		case f[i+1] == "mate" && n > 0:
			return ai.WinIn(2*n - 1), true
		case f[i+1] == "mate":
			return ai.LossIn(-2 * n), true
		}
	}
	return 0, false
}

// kill ends the process and what waits for its answers.
func (p *Program) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.in.Close()
	_ = p.out.Close() // a process that it has started may still hold the other end
	for range p.lines {
	}
}

// Close tells the program to quit and waits until it has. If it does not quit in
// ten seconds, or has failed before, Close kills it. The error is that of the process,
// if it failed.
func (p *Program) Close() error {
	if p.failed {
		p.kill()
		return p.cmd.Wait()
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.patience.answer)
	defer cancel()
	_ = p.send(ctx, "quit") // it may have ended already
	_ = p.in.Close()
	for {
		select {
		case _, more := <-p.lines: // discard what it still sends
			if more {
				continue
			}
			// It may have closed its output and stay.
			defer time.AfterFunc(p.patience.answer, func() { _ = p.cmd.Process.Kill() }).Stop()
		case <-ctx.Done():
			p.kill()
		}
		return p.cmd.Wait()
	}
}
