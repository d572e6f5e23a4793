package arena

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/uci"
	"github.com/lascabot/lascabot/engine"
)

// asProgram is an environment variable that makes the test binary behave as a
// program that plays, or as one that does not answer.
const asProgram = "ARENA_TEST_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "uci":
		if err := uci.Run(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "silent":
		_, _ = fmt.Scanln()
		os.Exit(0)
	}
	if how, ok := strings.CutPrefix(os.Getenv(asProgram), "broken "); ok {
		brokenProgram(how)
	}
	os.Exit(m.Run())
}

func openings(t *testing.T, n int, rules engine.Rules) []*engine.Game {
	t.Helper()
	out, err := Openings(t.Context(), OpeningOptions{Rules: rules, Count: n, Plies: 6, Within: 100, Nodes: 1000, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func machine(nodes int64) *Machine {
	return NewMachine(fmt.Sprint(nodes, " nodes"), ai.NewSearcher(1<<20), 0, ai.Limits{Nodes: nodes})
}

func TestOpeningsAreEvenAndDistinct(t *testing.T) {
	seen := map[uint64]bool{}
	s := ai.NewSearcher(4 << 20)
	for _, g := range openings(t, 12, engine.MindSports) {
		p := g.Position()
		if p.Rules() != engine.MindSports || len(g.Moves()) != 6 || seen[p.Hash()] {
			t.Errorf("%v after %v", p.Rules(), g.Moves())
		}
		seen[p.Hash()] = true
		task := ai.TaskFor(g)
		task.Limits.Nodes = 1000
		r, err := s.Search(t.Context(), task)
		if err != nil || r.Score > 100 || r.Score < -100 {
			t.Errorf("%v: %v, %v", g.Moves(), r.Score, err)
		}
	}
	again := openings(t, 12, engine.MindSports)
	for i, g := range openings(t, 12, engine.MindSports) {
		if d := cmp.Diff(g.Moves(), again[i].Moves()); d != "" {
			t.Errorf("opening %d differs: %s", i, d)
		}
	}
}

func TestImpossibleOpeningsAreReported(t *testing.T) {
	_, err := Openings(t.Context(), OpeningOptions{Count: 50, Plies: 1, Nodes: 200})
	if err == nil || !strings.Contains(err.Error(), "openings") {
		t.Errorf("error %v", err)
	}
}

func TestEveryOpeningIsPlayedTwiceWithColoursChanged(t *testing.T) {
	o := Options{Openings: openings(t, 3, engine.Kawu), Proven: true, Seed: 9}
	seen := 0
	o.Progress = func(r Result, g GameResult) { seen++ }
	res, err := Play(t.Context(), machine(200), &Chance{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Games) != 6 || seen != 6 || res.Wins+res.Draws+res.Losses != 6 {
		t.Fatalf("%d games, %d reported: %v", len(res.Games), seen, &res)
	}
	for i, g := range res.Games {
		if g.First != engine.Color(i%2) || g.Number != i+1 {
			t.Errorf("game %d: the first player has %v", g.Number, g.First)
		}
		if d := cmp.Diff(o.Openings[i/2].Moves(), g.Moves[:g.Opening]); d != "" {
			t.Errorf("game %d: opening %s", g.Number, d)
		}
		if _, err := engine.Replay(engine.Start(engine.Kawu), g.Moves); err != nil {
			t.Errorf("game %d: %v", g.Number, err)
		}
	}
	if res.Wins < 5 {
		t.Errorf("a search scores %v against random moves", &res)
	}
	again, err := Play(t.Context(), machine(200), &Chance{}, o)
	if d := cmp.Diff(res, again); d != "" || err != nil {
		t.Errorf("the same match differs: %v %s", err, d)
	}
	var back Result
	data, err := json.Marshal(res)
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if d := cmp.Diff(res, back); d != "" || err != nil {
		t.Errorf("JSON: %v %s", err, d)
	}
}

func TestPlayedOutGameEndsByTheRules(t *testing.T) {
	res, err := Play(t.Context(), machine(300), &Chance{}, Options{Openings: openings(t, 1, engine.Lasker)})
	if err != nil {
		t.Fatal(err)
	}
	for _, gr := range res.Games {
		g, err := engine.Replay(engine.Start(engine.Lasker), gr.Moves)
		if err != nil {
			t.Fatal(err)
		}
		result, reason := g.Result()
		if result.String() != gr.Result || reason.String() != gr.Reason {
			t.Errorf("%v %v, recorded %v %v", result, reason, gr.Result, gr.Reason)
		}
	}
}

// sure is a player that plays random moves and announces the same score for
// each, counted for White.
type sure struct {
	Chance
	white ai.Score
}

func (s *sure) Move(ctx context.Context, g *engine.Game) (Choice, error) {
	c, err := s.Chance.Move(ctx, g)
	c.Known, c.Score = true, s.white
	if p := g.Position(); p.Turn() == engine.Black {
		c.Score = -s.white
	}
	return c, err
}

func TestGameEndsWhenBothPlayersAgreeWhoWins(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second Player
		result        string // "" when the game must go on
	}{
		{"both for White", &sure{white: 650}, &sure{white: 700}, "1-0"},
		{"both for Black", &sure{white: -650}, &sure{white: -700}, "0-1"},
		{"not far enough", &sure{white: 650}, &sure{white: 599}, ""},
		{"not the same side", &sure{white: 650}, &sure{white: -650}, ""},
		{"one announces no score", &sure{white: 650}, &Chance{}, ""},
	} {
		o := Options{Openings: openings(t, 1, engine.Kawu), MaxPlies: 24, Agreed: 600}
		res, err := Play(t.Context(), tt.first, tt.second, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range res.Games {
			agreed := g.Reason == "agreed" && g.Result == tt.result && len(g.Moves) == g.Opening+8
			if agreed != (tt.result != "") {
				t.Errorf("%s: %s, %s after %d plies", tt.name, g.Result, g.Reason, len(g.Moves)-g.Opening)
			}
		}
	}
}

func TestAgreementStartsAgainAfterDoubt(t *testing.T) {
	var a agreement
	for i, tt := range []struct {
		c    Choice
		want int
	}{
		{Choice{Score: 600, Known: true}, 1},
		{Choice{Score: -600, Known: true}, 2},
		{Choice{Score: 10, Known: true}, 0},
		{Choice{Score: ai.LossIn(4), Known: true}, 1},
		{Choice{Score: 700, Known: true}, 2},
		{Choice{Score: 700, Known: true}, 1}, // the other side
		{Choice{Score: -700}, 0},
	} {
		turn := engine.White
		if i%2 == 1 {
			turn = engine.Black
		}
		a.hear(turn, tt.c, 600)
		if a.plies != tt.want {
			t.Errorf("%d: %d plies, want %d", i, a.plies, tt.want)
		}
	}
}

func TestGameThatIsTooLongIsDrawn(t *testing.T) {
	res, err := Play(t.Context(), &Chance{}, &Chance{}, Options{Openings: openings(t, 1, engine.Kawu), MaxPlies: 8})
	if err != nil || res.Draws != 2 || res.Games[0].Reason != "too long" || len(res.Games[0].Moves) != 8 {
		t.Errorf("%v %v", &res, err)
	}
}

func TestMatchNeedsOpenings(t *testing.T) {
	if _, err := Play(t.Context(), &Chance{}, &Chance{}, Options{}); !errors.Is(err, ErrNoOpenings) {
		t.Errorf("error %v", err)
	}
}

func TestMatchStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Openings: openings(t, 4, engine.Kawu), Progress: func(Result, GameResult) { cancel() }}
	res, err := Play(ctx, &Chance{}, &Chance{}, o)
	if !errors.Is(err, context.Canceled) || len(res.Games) != 1 {
		t.Errorf("%d games, error %v", len(res.Games), err)
	}
}

func TestProgramPlays(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "uci")
	p, err := StartProgram(t.Context(), []string{self}, ai.Limits{Nodes: 200}, "Hash=1")
	if err != nil {
		t.Fatal(err)
	}
	res, err := Play(t.Context(), p, &Chance{}, Options{Openings: openings(t, 2, engine.Lasker), Proven: true})
	if err != nil || res.First != "lasca" || res.Wins < 3 {
		t.Errorf("%v %v", &res, err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := p.Move(t.Context(), openings(t, 1, engine.Lasker)[0]); err == nil {
		t.Error("a closed program moves")
	}
}

func TestProgramThatDoesNotAnswerIsReported(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "silent")
	if _, err := StartProgram(t.Context(), []string{self}, ai.Limits{Nodes: 1}); !errors.Is(err, ErrProgram) {
		t.Errorf("error %v", err)
	}
	t.Setenv(asProgram, "uci")
	if _, err := StartProgram(t.Context(), []string{self}, ai.Limits{Nodes: 1}, "Sound=loud"); !errors.Is(err, ErrProgram) {
		t.Errorf("unknown option: error %v", err)
	}
	if _, err := StartProgram(t.Context(), []string{self + "-not-there"}, ai.Limits{Nodes: 1}); !errors.Is(err, ErrProgram) {
		t.Errorf("no program: error %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if _, err := StartProgram(ctx, []string{self}, ai.Limits{Nodes: 1}); err == nil {
		t.Error("started although ctx has ended")
	}
}

func TestScoreOfInfoLines(t *testing.T) {
	for line, want := range map[string]ai.Score{
		"info depth 3 score cp -12 nodes 5":   -12,
		"info depth 3 score mate 4 nodes 5":   ai.WinIn(7),
		"info depth 3 score mate -3 nodes 5":  ai.LossIn(6),
		"info depth 3 score cp 31000 nodes 5": 29000,
	} {
		if got, ok := scoreIn(line); !ok || got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for _, line := range []string{"info depth 3", "info score", "info score cp x pv", "bestmove a1-b2"} {
		if got, ok := scoreIn(line); ok {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestEloOfKnownShares(t *testing.T) {
	r := Result{Pairs: [5]int{0, 0, 100, 0, 100}} // 75 %
	elo, low, high := r.elo()
	if math.Abs(elo-190.85) > 0.1 || low >= elo || high <= elo {
		t.Errorf("%v (%v..%v)", elo, low, high)
	}
	even := Result{Pairs: [5]int{10, 20, 30, 20, 10}}
	if elo, low, high := even.elo(); elo != 0 || math.Abs(low+high) > 1e-9 {
		t.Errorf("%v (%v..%v)", elo, low, high)
	}
	// The results within a pair depend on each other, so the range from pairs is
	// narrower than from single games.
	balanced := Result{Pairs: [5]int{0, 0, 50, 0, 0}}
	if _, dev := balanced.Score(); dev > 0.02 {
		t.Errorf("deviation %v of pairs that all ended 1-1", dev)
	}
}

func TestSequentialTestDecides(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 20}
	for pairs, want := range map[[5]int]Decision{
		{}:                         Undecided,
		{1, 2, 3, 2, 2}:            Undecided,
		{20, 50, 100, 90, 60}:      AcceptH1,
		{100, 200, 400, 200, 100}:  AcceptH0,
		{600, 900, 1200, 700, 500}: AcceptH0,
	} {
		if got := test.decide(pairs); got.Decision != want {
			t.Errorf("%v: %v, want %v", pairs, got, want)
		}
	}
	if v := test.decide([5]int{}); math.Abs(v.Upper-2.944) > 0.001 || math.Abs(v.Lower+2.944) > 0.001 {
		t.Errorf("bounds %v %v, want ±2.944", v.Lower, v.Upper)
	}
}

func TestMatchEndsWhenTheTestHasDecided(t *testing.T) {
	o := Options{Openings: openings(t, 30, engine.Kawu), Proven: true, Test: &SPRT{Elo0: 0, Elo1: 200}}
	res, err := Play(t.Context(), machine(300), &Chance{}, o)
	if err != nil || res.Test.Decision != AcceptH1 || len(res.Games) == 60 {
		t.Errorf("%v %v after %d games", &res, err, len(res.Games))
	}
}

// brokenProgram greets well and then does not play.
func brokenProgram(how string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch word, _, _ := strings.Cut(in.Text(), " "); word {
		case "uci":
			fmt.Println("id name broken\nuciok")
		case "isready":
			fmt.Println("readyok")
			if how == "deaf" { // it reads nothing more
				end := make(chan os.Signal, 1)
				signal.Notify(end, os.Interrupt)
				<-end
			}
		case "go":
			switch how {
			case "dies":
				os.Exit(3)
			case "garbage":
				fmt.Println("bestmove of all")
			case "nothing":
				fmt.Println("bestmove")
			case "noise":
				for {
					fmt.Println("info string still thinking")
				}
			case "long line":
				fmt.Println(strings.Repeat("x", 2<<20))
			case "illegal":
				fmt.Println("bestmove a1-b2")
			}
		case "quit":
			os.Exit(0)
		}
	}
	os.Exit(0)
}

// It loses its games, is started again for the next, and the match goes on.
func TestMatchSurvivesAProgramThatFailsToAnswer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"silent", "dies", "garbage", "nothing", "noise", "long line", "illegal"} {
		t.Run(how, func(t *testing.T) {
			t.Setenv(asProgram, "broken "+how)
			p, err := StartProgram(t.Context(), []string{self}, ai.Limits{Nodes: 10})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if how == "silent" || how == "noise" {
				p.patience.shortest = 50 * time.Millisecond
			}
			res, err := Play(t.Context(), machine(20), p, Options{Openings: openings(t, 1, engine.Kawu)})
			if err != nil || res.Wins != 2 || len(res.Games) != 2 {
				t.Fatalf("%v, error %v", &res, err)
			}
			for _, g := range res.Games {
				if want := "program failed"; g.Failure == "" || g.Reason != want && how != "illegal" {
					t.Errorf("game %d: %s, %q", g.Number, g.Reason, g.Failure)
				}
			}
		})
	}
}

// The first question fills no pipe, so a program is only found out by the time that
// writing to it takes.
func TestProgramThatDoesNotReadCannotHoldUpTheMatch(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asProgram, "broken deaf")
	p, err := StartProgram(t.Context(), []string{self}, ai.Limits{Nodes: 10})
	if err != nil {
		t.Fatal(err)
	}
	p.patience.answer = 50 * time.Millisecond
	err = p.within(t.Context(), p.patience.answer, func(ctx context.Context) error {
		return p.send(ctx, strings.Repeat("x", 4<<20))
	})
	if !errors.Is(err, ErrProgram) {
		t.Errorf("error %v", err)
	}
	if err := p.Close(); err == nil {
		t.Error("it has ended well")
	}
}

func TestMatchFromTheStartHasNoOpening(t *testing.T) {
	for _, g := range Starts(engine.Lasker, 3) {
		if p := g.Position(); len(g.Moves()) != 0 || p != engine.Start(engine.Lasker) {
			t.Errorf("it begins with %v", g.Moves())
		}
	}
}
