package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/config/cli/clitest"
	"github.com/lascabot/lascabot/engine"
)

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return program.Run(ctx, cli.Call{Args: args, Getenv: os.Getenv, In: stdin, Out: stdout, Err: stderr})
}

// try runs the program within the test's process.
func try(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), status
}

// stopping ends a context as soon as something is printed.
type stopping struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (w *stopping) Write(p []byte) (int, error) {
	w.stop()
	return w.Buffer.Write(p)
}

func TestInterruptPrintsTheBestMoveSoFar(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	if status := run(ctx, []string{"best", "-time", "24h"}, nil, &out, &errs); status != cli.ExitDone {
		t.Errorf("status %d: %s", status, &errs)
	}
	if !strings.HasPrefix(out.String(), "bestmove ") {
		t.Errorf("printed %q", &out)
	}
}

func TestInterruptEndsLongWork(t *testing.T) {
	folder := t.TempDir()
	game := filepath.Join(folder, "game.txt")
	if err := os.WriteFile(game, []byte("1. c3-d4 e5xc3 2. b2xd4 f6-e5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"perft", "64"},
		{"analyse", "-time", "24h", game},
		{"match", "-games", "1000000", "-nodes", "10"},
		{"match", "-nodes", "10", "-o", filepath.Join(folder, "match.json")},
		{"tune", "games", "-games", "1000", "-nodes", "1", "-o", filepath.Join(folder, "games.jsonl")},
		{"bench"},
		{"signature"},
	} {
		t.Run(args[0], func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			out := &stopping{stop: stop}
			if args[0] != "perft" && args[0] != "analyse" {
				stop() // these print late
			}
			var errs bytes.Buffer
			status := run(ctx, args, strings.NewReader(""), out, &errs)
			if status != cli.ExitFailed || !strings.HasSuffix(errs.String(), ": interrupted\n") {
				t.Errorf("status %d and %q, want %d and interrupted", status, &errs, cli.ExitFailed)
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// broken fails to write, as a full disk or a closed pipe does.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestUnwritableAnswerFailsEveryCommand(t *testing.T) {
	for _, args := range [][]string{
		{"moves"},
		{"apply", "c3-d4"},
		{"perft", "64"},
		{"best", "-nodes", "10"},
		{"bench", "-depth", "1"},
		{"version"},
		{"help"},
		{"help", "best"},
	} {
		var errs bytes.Buffer
		status := run(t.Context(), args, nil, broken{}, &errs)
		if status != cli.ExitFailed || !strings.Contains(errs.String(), "writing the answer: no space left") {
			t.Errorf("%v: status %d, %q", args, status, &errs)
		}
	}
	var errs bytes.Buffer
	if status := run(t.Context(), []string{"uci"}, strings.NewReader("uci\n"), broken{}, &errs); status != cli.ExitFailed {
		t.Errorf("uci: status %d, %q", status, &errs)
	}
}

func TestPerftIsThatOfTheEngine(t *testing.T) {
	want := strings.SplitAfter("1 6\n2 6\n3 18\n4 54\n5 116\n6 324\n7 846\n8 2148\n9 5692\n10 13898\n11 37130\n12 97512\n", "\n")
	for depth := 1; depth < len(want); depth++ {
		out, errs, status := try(t, "perft", strconv.Itoa(depth))
		if status != cli.ExitDone || out != strings.Join(want[:depth], "") {
			t.Errorf("perft %d: status %d, %q, printed\n%s", depth, status, errs, out)
		}
	}
}

func TestPerftInPartsEqualsPerftAtOnce(t *testing.T) {
	var got, want [perftAtOnce + 3]uint64
	start := engine.Start(engine.Kawu)
	engine.PerftByPly(start, want[:])
	if err := perft(t.Context(), start, got[:]); err != nil || got != want {
		t.Errorf("%d, %v, want %d", got, err, want)
	}
}

func TestPackageCommentListsTheCommands(t *testing.T) { clitest.Doc(t, &program) }

func TestSameSeedSameMove(t *testing.T) {
	for _, level := range []string{"1", "4"} {
		first, errs, status := try(t, "best", "-level", level, "-seed", "7")
		if status != cli.ExitDone {
			t.Fatalf("status %d, %s", status, errs)
		}
		if again, _, _ := try(t, "best", "-level", level, "-seed", "7"); again != first {
			t.Errorf("level %s: %q, then %q", level, first, again)
		}
	}
}

func TestSeedsMakeGamesDifferent(t *testing.T) {
	answers := map[string]bool{}
	for seed := range 20 {
		out, errs, status := try(t, "best", "-level", "1", "-seed", strconv.Itoa(seed))
		if status != cli.ExitDone {
			t.Fatalf("status %d, %s", status, errs)
		}
		answers[out] = true
	}
	if len(answers) < 2 {
		t.Errorf("20 seeds, one answer: %v", answers)
	}
}

func TestBenchIsThatOfTheSearch(t *testing.T) {
	out, errs, status := try(t, "bench", "-depth", "2")
	if status != cli.ExitDone || !strings.Contains(out, " nodes ") {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	if b := ai.Bench(t.Context(), 2); !strings.Contains(out, " nodes "+strconv.FormatInt(b.Nodes, 10)+" ") {
		t.Errorf("printed %q, searched %d nodes", out, b.Nodes)
	}
}

// FuzzRun has the law that every input ends with status 0 and nothing on
// standard error, or with another one and one line there, and that bad input
// writes no answer.
func FuzzRun(f *testing.F) {
	for _, args := range []string{
		"moves", "moves\x00-rules\x00lasker", "apply\x00c3-d4\x00e5xc3", "apply\x00-position\x00,,,/,,/,,,/,w,/,,,/,,/,,, w\x00d4e5",
		"perft\x00-\x00--\x001", "moves\x00-position=\n", "help\x00tune\x00fit", "\x00", "apply\x00\xff",
	} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		switch args[0] {
		case "moves", "apply", "help", "version":
		default:
			t.Skip() // the others take long, or write files
		}
		var out, errs bytes.Buffer
		status := run(t.Context(), args, strings.NewReader(""), &out, &errs)
		line := errs.String()
		switch {
		case status == cli.ExitDone && line == "":
		case status == cli.ExitUsage && out.Len() == 0 && strings.Count(line, "\n") == 1 && strings.HasSuffix(line, "\n"):
		default:
			t.Errorf("%q: status %d, on standard error %q, printed %q", args, status, line, &out)
		}
	})
}

func TestFileIsReplacedOrLeftAlone(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, want string) {
		t.Helper()
		got, err := os.ReadFile(name)
		if err != nil || string(got) != want {
			t.Errorf("it holds %q (%v), want %q", got, err, want)
		}
		if all, _ := os.ReadDir(folder); len(all) > 2 {
			t.Errorf("left behind: %v", all)
		}
	}
	t.Run("dropped", func(t *testing.T) {
		f, err := replace(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "half")
		f.drop()
		check(t, "old")
	})
	t.Run("kept", func(t *testing.T) {
		if err := writeFile(io.Discard, name, []byte("new")); err != nil {
			t.Fatal(err)
		}
		check(t, "new")
		if info, _ := os.Stat(name); info.Mode().Perm() != 0o640 {
			t.Errorf("its mode has become %v", info.Mode())
		}
	})
	t.Run("through a link", func(t *testing.T) {
		link := filepath.Join(folder, "link")
		if err := os.Symlink(name, link); err != nil {
			t.Skip("no links here:", err)
		}
		if err := writeFile(io.Discard, link, []byte("linked")); err != nil {
			t.Fatal(err)
		}
		check(t, "linked")
		if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link has been replaced")
		}
	})
	t.Run("device", func(t *testing.T) {
		if err := writeFile(io.Discard, os.DevNull, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(os.DevNull); info.Mode().IsRegular() {
			t.Error("the device has been replaced")
		}
	})
}
