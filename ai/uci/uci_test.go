package uci

import (
	"bufio"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// talk sends lines and returns the answers after the conversation has ended.
func talk(t *testing.T, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	if err := Run(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func last(lines []string) string { return lines[len(lines)-1] }

func TestGreetingNamesTheOptions(t *testing.T) {
	got := strings.Join(talk(t, "uci", "isready"), "\n")
	for _, want := range []string{"id name", "option name Rules type combo default kawu var kawu var mindsports var lasker",
		"option name Hash type spin", "option name Threads type spin", "option name Level type spin", "uciok\nreadyok"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestSearchAnswersWithInfoAndBestMove(t *testing.T) {
	got := talk(t, "position startpos moves c3-b4", "go depth 4")
	info := regexp.MustCompile(`^info depth \d+ score (cp|mate) -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-g1-7x-]+)+$`)
	for _, line := range got[:len(got)-1] {
		if !info.MatchString(line) {
			t.Errorf("%q", line)
		}
	}
	if last(got) != "bestmove a5xc3" { // the only move
		t.Errorf("%q", last(got))
	}
}

func TestProvenScoreIsGivenInMoves(t *testing.T) {
	got := talk(t, "position pos ,,,/,,/,,,/,,/,,B,/,,/,W,, w 0 1", "go depth 9")
	if text := strings.Join(got, "\n"); !strings.Contains(text, "score mate -") {
		t.Errorf("officers on ranks of the same parity: this is lost, but\n%s", text)
	}
	got = talk(t, "position pos ,,,/,,/,B,,/,,/,,,/,,W/,,, w 0 1", "go depth 9")
	if text := strings.Join(got, "\n"); !strings.Contains(text, "score mate ") || strings.Contains(text, "mate -") {
		t.Errorf("officers on ranks of different parity: this is won, but\n%s", text)
	}
}

func TestPositionWithoutMovesHasNoBestMove(t *testing.T) {
	got := talk(t, "position pos ,,,/,,/,,,/,,/,,,/,,/W,,, b 0 1", "go nodes 100")
	if last(got) != "bestmove none" {
		t.Errorf("%q", got)
	}
}

func TestMistakesAreExplainedAndChangeNothing(t *testing.T) {
	for line, want := range map[string]string{
		"fly":                               "unknown command",
		"position":                          "want: position",
		"position here":                     "want: position",
		"position startpos moves c3-c4":     "move 1",
		"position pos ,,/ w":                "not a position",
		"go depth":                          "number is missing",
		"go depth x":                        "above 0",
		"go nodes -3":                       "above 0",
		"go far 3":                          "unknown limit",
		"setoption Rules lasker":            "want: setoption",
		"setoption name Rules value chess":  "unknown rules",
		"setoption name Hash value 0":       "1 to 4096",
		"setoption name Threads value many": "1 to 64",
		"setoption name Level value 9":      "0 to 8",
		"setoption name Sound value 1":      "unknown option",
	} {
		got := talk(t, "position startpos moves c3-b4", line, "go nodes 50")
		var said string
		for _, l := range got {
			if strings.HasPrefix(l, "error ") {
				said += l
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", line, said, want)
		}
		if last(got) != "bestmove a5xc3" {
			t.Errorf("%s: the position has changed: %q", line, last(got))
		}
	}
}

func TestRulesAndLevelOptionsAreUsed(t *testing.T) {
	// Only under the open rules may e7 jump back over what it uncovered on d6.
	const jumpBack = "position pos b,,Wbb,b/b,bb,/,,,/,b,w/w,wb,,bw/w,,/,w,Bwww,w w 0 1 moves e7xc5xe7"
	for rules, legal := range map[string]bool{"kawu": true, "mindsports": false, "lasker": false} {
		got := talk(t, "setoption name Rules value "+rules, jumpBack, "isready")
		if (len(got) == 1) != legal {
			t.Errorf("%s: %q", rules, got)
		}
	}
	got := talk(t, "setoption name Level value 2", "position startpos", "go")
	if !strings.HasPrefix(last(got), "bestmove ") || !strings.Contains(got[0], "info depth 1 ") {
		t.Errorf("%q", got)
	}
}

// conversation starts Run and returns functions to talk to it while it searches.
func conversation(t *testing.T) (send func(string), wait func(prefix string) string, ended chan error) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), inR, outW)
		_ = outW.Close()
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close() })
	lines := bufio.NewScanner(outR)
	send = func(line string) {
		if _, err := io.WriteString(inW, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	wait = func(prefix string) string {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), prefix) {
				return lines.Text()
			}
		}
		t.Fatalf("no line starts with %q", prefix)
		return ""
	}
	return send, wait, ended
}

func TestEndlessSearchStopsWhenTold(t *testing.T) {
	send, wait, ended := conversation(t)
	send("go infinite")
	wait("info depth 6 ")
	go send("isready")
	wait("readyok")
	go send("stop")
	best := strings.TrimPrefix(wait("bestmove "), "bestmove ")
	p := engine.Start(engine.Kawu)
	m, err := engine.ParseMove(best)
	if err == nil {
		_, err = p.Play(m)
	}
	if err != nil {
		t.Errorf("%q: %v", best, err)
	}
	go send("quit")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestQuitEndsASearch(t *testing.T) {
	send, wait, ended := conversation(t)
	send("go infinite")
	wait("info depth 4 ")
	go send("quit")
	wait("bestmove ")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestEndOfContextEndsTheConversation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer func() { _ = w.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, r, io.Discard) }()
	if _, err := io.WriteString(w, "go infinite\n"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestFailureToWriteIsReported(t *testing.T) {
	if err := Run(t.Context(), strings.NewReader("uci\n"), broken{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

func FuzzRun(f *testing.F) {
	f.Add("uci\nposition startpos moves c3-b4\nisready\nquit\n")
	f.Add("position pos ,,,/,,/,,,/,,/,,,/,,/W,,, b 0 1\ngo nodes 5\n")
	f.Add("setoption name Level value 3\ngo\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range []string{"Hash", "hash", "movetime", "infinite", "depth", "nodes", "go", "Threads", "threads"} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(w)) && len(text) > 80 {
				t.Skip("this would test memory and time")
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = Run(ctx, strings.NewReader(text), io.Discard)
	})
}
