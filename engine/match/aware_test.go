package match

import (
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
)

func TestWhoMayNotKnowOfTheLatestChange(t *testing.T) {
	// later is a match after commands an hour apart, so that it shows who was there.
	later := func(m Match, commands ...Command) Match {
		for i, c := range commands {
			next, err := m.Apply(c, t0.Add(time.Duration(i+1)*time.Hour))
			if err != nil {
				t.Fatalf("%T: %v", c, err)
			}
			m = next
		}
		return m
	}
	expired := challenge(t)
	expired.Expires = t0.Add(time.Minute)
	byBlack := challenge(t)
	byBlack.By = black
	byBlack.Seen = [2]time.Time{{}, t0}
	alone := open(t)
	alone.Expires = t0.Add(time.Minute)
	first := running(t, 0)
	pos := first.Game().Position()
	move := pos.Moves()[0]
	over := later(first, Play{white, move})
	over.finish(engine.WhiteWins, NoMoves)
	replied := later(first, Play{white, move})
	pos = replied.Game().Position()
	replied, err := replied.Apply(PlayStored{black, pos.Moves()[0]}, replied.Changed) // at once
	if err != nil {
		t.Fatal(err)
	}
	replied.Phase, replied.Result, replied.Ending = Finished, engine.BlackWins, NoMoves
	for name, c := range map[string]struct {
		m    Match
		want []engine.Color
	}{
		"a challenge":                           {challenge(t), []engine.Color{black}},
		"a declined challenge, its challenger":  {later(challenge(t), Decline{black}), []engine.Color{white}},
		"a withdrawn challenge":                 {later(challenge(t), Withdraw{white}), nil},
		"an expired challenge, its challenger":  {later(expired, Expire{}), []engine.Color{white}},
		"an expired challenge to anybody":       {later(alone, Expire{}), []engine.Color{white}},
		"an accepted one, who moves first":      {later(challenge(t), Accept{black}), []engine.Color{white}},
		"an accepted one, who moves second":     {later(byBlack, Accept{white}), []engine.Color{black}},
		"one that somebody joined":              {later(open(t), Join{Seat{User: "bob", Name: "Bob"}}), []engine.Color{white}},
		"a move":                                {later(first, Play{white, move}), []engine.Color{black}},
		"a resignation":                         {later(first, Resign{white}), []engine.Color{black}},
		"an accepted draw":                      {later(first, OfferDraw{white}, AcceptDraw{black}), []engine.Color{white}},
		"an accepted undo":                      {later(first, Play{white, move}, RequestUndo{white, 0}, AcceptUndo{black}), []engine.Color{white}},
		"a claimed win":                         {claimed(t), []engine.Color{white}},
		"a game called off":                     {later(first, Abort{black}), []engine.Color{white}},
		"a game that a moderator has stopped":   {later(first, Stop{}), []engine.Color{white, black}},
		"a last move":                           {over, []engine.Color{black}},
		"a last move that was stored":           {replied, []engine.Color{black}},
		"a resignation against the machine":     {later(against(t, 1), Resign{white}), nil},
		"a draw that was refused to the waiter": {later(first, Play{white, move}, OfferDraw{white}, DeclineDraw{black}), nil},
	} {
		var got []engine.Color
		for _, side := range []engine.Color{white, black} {
			if c.m.Unaware(side) {
				got = append(got, side)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// claimed is a game that Black has won since White did not move.
func claimed(t *testing.T) Match {
	m := running(t, 2)
	m, err := m.Apply(Claim{By: black, Told: t0}, t0.Add(MoveTime))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
