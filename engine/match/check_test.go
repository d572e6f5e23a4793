package match

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

func TestCheckRefusesWhatNoCommandMakes(t *testing.T) {
	on := func(t *testing.T) Match { return running(t, 3) }
	from := func(t *testing.T) Match { return advance(t, fromEndgame(t), 3) }
	over := func(t *testing.T) Match { return do(t, running(t, 3), Resign{white}) }
	tests := []struct {
		name  string
		of    func(*testing.T) Match
		spoil func(*Match)
	}{
		{"no version", on, func(m *Match) { m.Version = 0 }},
		{"unknown rules", on, func(m *Match) { m.Rules = 9 }},
		{"an illegal move", on, func(m *Match) { m.Moves = m.Moves[1:] }},
		{"no move", on, func(m *Match) { m.Moves = []engine.Move{0} }},
		{"a start that is not a position", from, func(m *Match) { m.Start = "nonsense" }},
		{"a start that is illegal", from, func(m *Match) { m.Start = ",,,/,b,/,,,/,,/,,wb,/,w,/,b,, b 1 7" }},
		{"a start in another form", from, func(m *Match) { m.Start += " " }},
		{"the usual start written out", on, func(m *Match) { m.Start = notation.FormatPosition(engine.StartSetup(m.Rules)) }},
		{"a start that the moves do not fit", from, func(m *Match) { m.Start = "" }},
		{"a start where the game is over", over, func(m *Match) { m.Start, m.Moves = ",,,/,,/,,,/,,/,,wb,/,w,/,,, b 0 1", nil }},
		{"nobody on a seat", on, func(m *Match) { m.Seats[1] = Seat{} }},
		{"one person on both seats", on, func(m *Match) { m.Seats[1] = m.Seats[0] }},
		{"an unknown level", on, func(m *Match) { m.Seats[1] = Seat{Level: MaxLevel + 1} }},
		{"an unknown challenger", on, func(m *Match) { m.By = 2 }},
		{"an offer by nobody", on, func(m *Match) { m.Offer = &Offer{2} }},
		{"a notice about nobody", on, func(m *Match) { m.Notice = &Notice{TakenBack, 2} }},
		{"a request by nobody", on, func(m *Match) { m.Request = &Request{2, 0} }},
		{"a request to go forward", on, func(m *Match) { m.Request = &Request{white, 4} }},
		{"a request to go before the start", on, func(m *Match) { m.Request = &Request{white, -2} }},
		{"a request to go to the other side's turn", on, func(m *Match) { m.Request = &Request{white, 1} }},
		{"an unknown phase", on, func(m *Match) { m.Phase = "paused" }},
		{"a result while playing", on, func(m *Match) { m.Result = engine.Draw }},
		{"an ending while playing", on, func(m *Match) { m.Ending = Agreement }},
		{"a challenge with moves", on, func(m *Match) { m.Phase = Proposed }},
		{"a challenge to the machine", challengeOf, func(m *Match) { m.Seats[1] = machine }},
		{"an offer in a challenge", challengeOf, func(m *Match) { m.Offer = &Offer{white} }},
		{"an offer after the end", over, func(m *Match) { m.Offer = &Offer{white} }},
		{"no ending after the end", over, func(m *Match) { m.Ending = "" }},
		{"an unknown ending", over, func(m *Match) { m.Ending = "boredom" }},
		{"a resignation without a winner", over, func(m *Match) { m.Result = engine.Ongoing }},
		{"an abandonment that is a draw", over, func(m *Match) { m.Ending, m.Result = Abandonment, engine.Draw }},
		{"an agreement with a winner", over, func(m *Match) { m.Ending = Agreement }},
		{"an aborted game with a winner", over, func(m *Match) { m.Ending = Aborted }},
		{"no moves, though there are some", over, func(m *Match) { m.Ending = NoMoves }},
		{"a repetition that did not happen", over, func(m *Match) { m.Ending, m.Result = Repetition, engine.Draw }},
		{"playing on after the board's end", repeatedOf, func(m *Match) { m.Phase, m.Result, m.Ending = Playing, engine.Ongoing, "" }},
		{"another ending than the board's", repeatedOf, func(m *Match) { m.Ending = Agreement }},
		{"another result than the board's", repeatedOf, func(m *Match) { m.Result = engine.WhiteWins }},
		{"moves after the board's end", repeatedOf, func(m *Match) { m.Moves = append(m.Moves[:len(m.Moves):len(m.Moves)], m.Moves[0]) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.of(t)
			if err := m.Check(); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			tt.spoil(&m)
			if err := m.Check(); err == nil {
				t.Errorf("Check accepts %+v", m)
			}
		})
	}
}

func challengeOf(t *testing.T) Match { return challenge(t) }
func repeatedOf(t *testing.T) Match  { return endedBy(t, engine.Repetition) }

func TestJSONRoundTrip(t *testing.T) {
	for name, m := range map[string]Match{
		"challenge":           challenge(t),
		"with moves":          running(t, 12),
		"against the machine": against(t, 5),
		"with an offer":       do(t, running(t, 2), OfferDraw{black}),
		"with a request":      do(t, running(t, 4), RequestUndo{white, 0}),
		"with a notice":       do(t, running(t, 2), OfferDraw{white}, DeclineDraw{black}),
		"with a start":        advance(t, fromEndgame(t), 2),
		"resigned":            do(t, running(t, 2), Resign{white}),
		"aborted":             do(t, running(t, 1), Abort{white}),
		"ended on the board":  endedBy(t, engine.Repetition),
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			var got Match
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(m, got); d != "" {
				t.Errorf("%s\n%s", text, d)
			}
		})
	}
}
