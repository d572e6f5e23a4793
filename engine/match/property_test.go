package match

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// drawCommand draws a command that may or may not be possible. The machine's side
// only does what the machine does: it moves and answers draw offers.
func drawCommand(t *rapid.T, m Match) Command {
	by := engine.Color(rapid.IntRange(0, 1).Draw(t, "side"))
	if m.Seats[by].Machine() {
		return rapid.SampledFrom([]Command{drawPlay(t, m, by), AcceptDraw{by}, DeclineDraw{by}}).Draw(t, "the machine's command")
	}
	if rapid.IntRange(0, 2).Draw(t, "move?") > 0 { // so that games make progress
		return drawPlay(t, m, m.Turn())
	}
	return rapid.SampledFrom([]Command{
		Accept{by}, Decline{by}, Withdraw{by}, Expire{}, SetBack{Shown: m.Version + 3, By: by, Here: true}, Resign{by}, OfferDraw{by}, AcceptDraw{by}, DeclineDraw{by},
		RequestUndo{by, rapid.IntRange(-1, len(m.Moves)+1).Draw(t, "to")}, AcceptUndo{by}, DeclineUndo{by}, Abort{by}, Claim{By: by, Told: m.Moved}, DropOffer{by}, DropRequest{by}, GiveTime{by, drawTime(t)}, Hinted{by}, Join{rapid.SampledFrom([]Seat{ann, bob, machine, {}}).Draw(t, "who joins")}, Stop{},
		OfferDraw{by}, DeclineDraw{by}, AcceptUndo{by}, Accept{by}, // more often than the commands that end a game
	}).Draw(t, "command")
}

func drawTime(t *rapid.T) time.Duration {
	return rapid.SampledFrom([]time.Duration{-1, 0, time.Hour, 24 * time.Hour, MaxExtra, MaxExtra + 1}).Draw(t, "given")
}

// drawPlay draws a move, usually a legal one.
func drawPlay(t *rapid.T, m Match, by engine.Color) Command {
	moves := append(legal(m), 0)
	if len(m.Moves) > 0 {
		moves = append(moves, m.Moves[0])
	}
	return Play{by, rapid.SampledFrom(moves).Draw(t, "move")}
}

// TestAnyCommands applies random commands and checks the invariants after each.
func TestAnyCommands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := New{ID: "m", Rules: rapid.SampledFrom(engine.AllRules()).Draw(t, "rules"), Expires: t0.Add(time.Hour)}
		n.By = engine.Color(rapid.IntRange(0, 1).Draw(t, "by"))
		n.Seats[n.By] = ann
		n.Seats[n.By.Other()] = rapid.SampledFrom([]Seat{bob, machine}).Draw(t, "opponent")
		n.Terms.Days = rapid.SampledFrom(append([]int{0}, AllDays...)).Draw(t, "days")
		n.Terms.Hints = rapid.Bool().Draw(t, "hints")
		n.Terms.Rated = !n.Terms.Hints && rapid.Bool().Draw(t, "rated")
		if n.Seats[n.By.Other()] == bob && rapid.Bool().Draw(t, "open") {
			n.Open, n.Seats[n.By.Other()] = true, Seat{}
		}
		now := t0
		if rapid.Bool().Draw(t, "from a position?") {
			p := enginetest.Positions().Draw(t, "start")
			s := p.Setup()
			n.Rules, n.Start = p.Rules(), &s
		}
		m, err := Start(n, now)
		if errors.Is(err, ErrStart) {
			t.Skip("the game would be over at once")
		}
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 80).Draw(t, "commands") {
			c := drawCommand(t, m)
			now = now.Add(rapid.SampledFrom([]time.Duration{0, time.Minute, 40 * time.Minute, MoveTime}).Draw(t, "time"))
			before := deepCopy(t, m)
			got, err := m.Apply(c, now)
			if d := cmp.Diff(before, m); d != "" {
				t.Fatalf("%T%+v changed its receiver:\n%s", c, c, d)
			}
			if err != nil {
				if d := cmp.Diff(m, got); d != "" {
					t.Fatalf("%T%+v was refused and changed the match:\n%s", c, c, d)
				}
				continue
			}
			checkStep(t, m, got, c, now)
			m = got
		}
	})
}

// checkStep checks a command that succeeded.
func checkStep(t *rapid.T, m, got Match, c Command, now time.Time) {
	if j, ok := c.(Join); ok {
		if got.Seats[m.By.Other()] != j.Seat || !m.Open || got.Open {
			t.Fatalf("%+v: %+v became %+v", c, m, got)
		}
		m.Seats = got.Seats
	}
	version := m.Version + 1
	if back, ok := c.(SetBack); ok {
		version = back.Shown + VersionJump + 1
	}
	if got.Version != version || got.Changed != now || got.ID != m.ID || got.Seats != m.Seats || got.Rules != m.Rules || got.Created != m.Created {
		t.Fatalf("%T%+v: version, time or identity is wrong: %+v", c, c, got)
	}
	if p := got.Game().Position(); got.Start != m.Start || p.Turn() != got.Turn() || p.Number() != got.MoveNumber(len(got.Moves)) {
		t.Fatalf("%T%+v: the start is %q after %q, %v is to move", c, c, got.Start, m.Start, got.Turn())
	}
	if err := got.Check(); err != nil {
		t.Fatalf("%T%+v: %v", c, c, err)
	}
	if m.Phase == Finished {
		t.Fatalf("%T%+v revived a finished match", c, c)
	}
	if r := got.Request; r != nil && got.Seats[r.By.Other()].Machine() {
		t.Fatalf("%T%+v asks the machine for its consent", c, c)
	}
	if got.Offer != nil && got.Seats[got.Offer.By.Other()].Machine() && !got.MachineDue() {
		t.Fatalf("%T%+v: the machine is not due to answer", c, c)
	}
	if got.Terms.Rated && !m.Terms.Rated || got.Terms.Days != m.Terms.Days || got.Terms.Hints != m.Terms.Hints {
		t.Fatalf("%T%+v: the terms became %+v after %+v", c, c, got.Terms, m.Terms)
	}
	switch c := c.(type) {
	case Play:
		if !slices.Equal(got.Moves, append(slices.Clone(m.Moves), c.Move)) {
			t.Fatalf("%+v: the moves are %v after %v", c, got.Moves, m.Moves)
		}
	case RequestUndo, AcceptUndo:
		if !slices.Equal(got.Moves, m.Moves[:len(got.Moves)]) {
			t.Fatalf("%T%+v: the moves are %v after %v", c, c, got.Moves, m.Moves)
		}
	default:
		if !slices.Equal(got.Moves, m.Moves) {
			t.Fatalf("%T%+v changed the moves", c, c)
		}
	}
}

// TestTakingBackUndoesAMove checks that playing a move and taking it back restores
// the position, its repetition count and its quiet plies.
func TestTakingBackUndoesAMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opponent := rapid.SampledFrom([]Seat{bob, machine}).Draw(t, "opponent")
		m, err := Start(New{ID: "m", Seats: [2]Seat{ann, opponent}, By: white, Expires: t0.Add(time.Hour)}, t0)
		if err != nil {
			t.Fatal(err)
		}
		apply := func(c Command) {
			if m, err = m.Apply(c, t0); err != nil {
				t.Fatal(err)
			}
		}
		if m.Phase == Proposed {
			apply(Accept{black})
		}
		play := func() {
			moves := legal(m)
			apply(Play{m.Turn(), moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")]})
		}
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			if m.Phase == Playing {
				play()
			}
		}
		if m.Phase != Playing || m.Seats[m.Turn()].Machine() {
			t.Skip("the game is over, or it is the machine's turn")
		}
		by, before, to := m.Turn(), m.Game(), len(m.Moves)
		play()
		if m.Phase != Playing {
			t.Skip("the game is over")
		}
		apply(RequestUndo{by, to})
		if opponent == bob {
			apply(AcceptUndo{by.Other()})
		}
		after := m.Game()
		if before.Position() != after.Position() || before.Occurrences() != after.Occurrences() {
			t.Fatalf("%v, occurred %d times, became %v, occurred %d times",
				before.Position(), before.Occurrences(), after.Position(), after.Occurrences())
		}
	})
}

// deepCopy returns a copy that shares no memory with the match. It goes through JSON.
func deepCopy(t *rapid.T, m Match) Match {
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var c Match
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if m.Moves != nil && c.Moves == nil {
		c.Moves = []engine.Move{} // JSON leaves out an empty list
	}
	return c
}
