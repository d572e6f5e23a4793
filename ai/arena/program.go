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

// ErrProgram says that another program could not be started, has ended, or does
// not follow the protocol.
var ErrProgram = errors.New("program does not answer")

// Program is a player that runs in a process of its own and speaks the protocol
// of package uci.
type Program struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string
	limits ai.Limits
}

var _ Player = (*Program)(nil)

// StartProgram starts a command and greets it. Options have the form "Name=Value"
// and are sent as they are. ctx limits only the greeting. Call Close to end the
// process.
func StartProgram(ctx context.Context, command []string, limits ai.Limits, options ...string) (*Program, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%w: no command given", ErrProgram)
	}
	p := &Program{name: command[0], cmd: exec.Command(command[0], command[1:]...), lines: make(chan string, 64), limits: limits}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProgram, err)
	}
	go func() {
		defer close(p.lines)
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			p.lines <- in.Text()
		}
	}()
	err = p.greet(ctx, options)
	if err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// greet asks for the program's name and sends the options.
func (p *Program) greet(ctx context.Context, options []string) error {
	if err := p.send("uci"); err != nil {
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
		if err := p.send("setoption name " + name + " value " + value); err != nil {
			return err
		}
	}
	return p.ready(ctx)
}

func (p *Program) ready(ctx context.Context) error {
	if err := p.send("isready"); err != nil {
		return err
	}
	_, err := p.wait(ctx, "readyok", nil)
	return err
}

func (p *Program) send(line string) error {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProgram, p.name, err)
	}
	return nil
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

// NewGame sends the rules and starts a new game.
func (p *Program) NewGame(ctx context.Context, rules engine.Rules, _ uint64) error {
	for _, line := range []string{"setoption name Rules value " + rules.String(), "ucinewgame"} {
		if err := p.send(line); err != nil {
			return err
		}
	}
	return p.ready(ctx)
}

// answerWithin is how long a program may exceed its time limit, and how long it
// may take to quit.
const answerWithin = 10 * time.Second

// Move asks the program for a move.
func (p *Program) Move(ctx context.Context, g *engine.Game) (Choice, error) {
	var b strings.Builder
	start := g.Start()
	b.WriteString("position pos " + notation.FormatPosition(start.Setup()))
	for i, m := range g.Moves() {
		if i == 0 {
			b.WriteString(" moves")
		}
		b.WriteString(" " + m.String())
	}
	if err := p.send(b.String()); err != nil {
		return Choice{}, err
	}
	search := "go"
	if p.limits.Time > 0 {
		search += " movetime " + strconv.FormatInt(p.limits.Time.Milliseconds(), 10)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.limits.Time+answerWithin)
		defer cancel()
	}
	if p.limits.Nodes > 0 {
		search += " nodes " + strconv.FormatInt(p.limits.Nodes, 10)
	}
	if p.limits.Depth > 0 {
		search += " depth " + strconv.Itoa(p.limits.Depth)
	}
	if err := p.send(search); err != nil {
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
		return Choice{}, fmt.Errorf("%s: %w", p.name, err)
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

// Close tells the program to quit and waits until it has. If it does not quit in
// ten seconds, Close kills it. The error is that of the process, if it failed.
func (p *Program) Close() error {
	_ = p.send("quit") // it may have ended already
	_ = p.in.Close()
	done := make(chan struct{})
	go func() {
		for range p.lines { // discard what it still sends
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(answerWithin):
		_ = p.cmd.Process.Kill()
		<-done
	}
	return p.cmd.Wait()
}
