package match

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
)

const (
	white = engine.White
	black = engine.Black
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var (
	ann     = Seat{User: "1", Name: "Ann"}
	bob     = Seat{User: "2", Name: "Bob"}
	machine = Seat{Level: 3}
)

// challenge returns a challenge from Ann (White) to Bob that expires after an hour.
func challenge(t testing.TB) Match {
	t.Helper()
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, bob}, By: white, Expires: t0.Add(time.Hour)}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// running returns a match between Ann (White) and Bob after some plies.
func running(t testing.TB, plies int) Match {
	t.Helper()
	return advance(t, do(t, challenge(t), Accept{black}), plies)
}

// against returns a match between Ann (White) and the machine after some plies.
func against(t testing.TB, plies int) Match {
	t.Helper()
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, machine}, By: white}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return advance(t, m, plies)
}

func do(t testing.TB, m Match, cs ...Command) Match {
	t.Helper()
	for _, c := range cs {
		next, err := m.Apply(c, t0)
		if err != nil {
			t.Fatalf("%T%+v: %v", c, c, err)
		}
		m = next
	}
	return m
}

// legal returns the legal moves.
func legal(m Match) []engine.Move {
	p := m.Game().Position()
	return p.AppendMoves(nil)
}

// next returns a legal move as a command.
func next(m Match) Play { return Play{m.Turn(), legal(m)[0]} }

func advance(t testing.TB, m Match, plies int) Match {
	t.Helper()
	for range plies {
		m = do(t, m, next(m))
	}
	return m
}

// refuse checks that a command fails with an error and changes nothing.
func refuse(t *testing.T, m Match, c Command, now time.Time, want error) {
	t.Helper()
	got, err := m.Apply(c, now)
	if !errors.Is(err, want) {
		t.Errorf("%T%+v: error %v, want %v", c, c, err, want)
	}
	if d := cmp.Diff(m, got); d != "" {
		t.Errorf("%T%+v was refused and changed the match:\n%s", c, c, d)
	}
}

func TestStart(t *testing.T) {
	tests := []struct {
		name  string
		seats [2]Seat
		by    engine.Color
		rules engine.Rules
		want  error
		phase Phase
	}{
		{"two people make a challenge", [2]Seat{ann, bob}, white, 0, nil, Proposed},
		{"the challenger may be Black", [2]Seat{bob, ann}, black, 0, nil, Proposed},
		{"the machine accepts at once", [2]Seat{ann, machine}, white, engine.Lasker, nil, Playing},
		{"the machine may be White", [2]Seat{machine, ann}, black, 0, nil, Playing},
		{"nobody plays against themselves", [2]Seat{ann, ann}, white, 0, ErrSelf, ""},
		{"the machine does not play alone", [2]Seat{machine, machine}, white, 0, ErrSeats, ""},
		{"the machine does not challenge", [2]Seat{machine, ann}, white, 0, ErrSeats, ""},
		{"every seat is taken", [2]Seat{ann, {}}, white, 0, ErrSeats, ""},
		{"a seat is a person or the machine, not both", [2]Seat{ann, {User: "2", Level: 1}}, white, 0, ErrSeats, ""},
		{"there is no level above the strongest", [2]Seat{ann, {Level: MaxLevel + 1}}, white, 0, ErrSeats, ""},
		{"there is no level below the weakest", [2]Seat{ann, {User: "2", Level: -1}}, white, 0, ErrSeats, ""},
		{"there are two sides", [2]Seat{ann, bob}, 2, 0, ErrSeats, ""},
		{"there are three rulesets", [2]Seat{ann, bob}, white, 9, engine.ErrRules, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Start(New{ID: "m", Rules: tt.rules, Seats: tt.seats, By: tt.by, Expires: t0.Add(time.Hour)}, t0)
			if !errors.Is(err, tt.want) || m.Phase != tt.phase {
				t.Fatalf("phase %q, error %v, want %q, %v", m.Phase, err, tt.phase, tt.want)
			}
			if err != nil {
				return
			}
			if m.Version != 1 || m.Created != t0 || m.Changed != t0 || m.Moved != t0 || m.Seen[tt.by] != t0 || !m.Seen[tt.by^1].IsZero() {
				t.Errorf("version or times are wrong: %+v", m)
			}
			if (m.Phase == Proposed) == m.Expires.IsZero() {
				t.Errorf("phase %s, expires %v", m.Phase, m.Expires)
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPhases tries every command in every phase.
func TestPhases(t *testing.T) {
	proposed, on := challenge(t), running(t, 2)
	over := do(t, running(t, 2), Resign{white})
	late := t0.Add(MoveTime)
	tests := []struct {
		name                   string
		c                      Command
		inProposed, on, inOver error
	}{
		{"accept", Accept{black}, nil, ErrNotProposed, ErrNotProposed},
		{"decline", Decline{black}, nil, ErrNotProposed, ErrNotProposed},
		{"withdraw", Withdraw{white}, nil, ErrNotProposed, ErrNotProposed},
		{"expire", Expire{}, ErrTooEarly, ErrNotProposed, ErrNotProposed},
		{"play", next(on), ErrNotAccepted, nil, ErrFinished},
		{"resign", Resign{black}, ErrNotAccepted, nil, ErrFinished},
		{"offer a draw", OfferDraw{black}, ErrNotAccepted, nil, ErrFinished},
		{"accept a draw", AcceptDraw{black}, ErrNotAccepted, ErrNoOffer, ErrFinished},
		{"decline a draw", DeclineDraw{black}, ErrNotAccepted, ErrNoOffer, ErrFinished},
		{"ask to take back", RequestUndo{white, 0}, ErrNotAccepted, nil, ErrFinished},
		{"grant taking back", AcceptUndo{black}, ErrNotAccepted, ErrNoRequest, ErrFinished},
		{"refuse taking back", DeclineUndo{black}, ErrNotAccepted, ErrNoRequest, ErrFinished},
		{"abort", Abort{white}, ErrNotAccepted, ErrTooLate, ErrFinished},
		{"claim", Claim{By: white, Told: t0}, ErrNotAccepted, ErrNotYourTurn, ErrFinished},
	}
	for _, tt := range tests {
		for _, p := range []struct {
			m    Match
			want error
		}{{proposed, tt.inProposed}, {on, tt.on}, {over, tt.inOver}} {
			t.Run(tt.name+" when "+string(p.m.Phase), func(t *testing.T) {
				if p.want != nil {
					refuse(t, p.m, tt.c, t0, p.want)
				} else {
					do(t, p.m, tt.c)
				}
			})
		}
	}
	t.Run("a command by an unknown side", func(t *testing.T) {
		refuse(t, proposed, Accept{2}, late, ErrNotAPlayer)
		refuse(t, on, Play{7, legal(on)[0]}, late, ErrNotAPlayer)
		refuse(t, on, RequestUndo{255, 0}, late, ErrNotAPlayer)
	})
}

func TestChallenge(t *testing.T) {
	t.Run("accepting starts the game and the time to move", func(t *testing.T) {
		m, err := challenge(t).Apply(Accept{black}, t0.Add(time.Minute))
		if err != nil || m.Phase != Playing || m.Moved != t0.Add(time.Minute) || !m.Expires.IsZero() || m.Seen[black] != m.Moved {
			t.Errorf("%+v, %v", m, err)
		}
	})
	t.Run("only the challenged player accepts and declines", func(t *testing.T) {
		refuse(t, challenge(t), Accept{white}, t0, ErrNotChallenged)
		refuse(t, challenge(t), Decline{white}, t0, ErrNotChallenged)
	})
	t.Run("only the challenger withdraws", func(t *testing.T) {
		refuse(t, challenge(t), Withdraw{black}, t0, ErrNotChallenger)
	})
	t.Run("a challenge expires after its time and not before", func(t *testing.T) {
		m := challenge(t)
		refuse(t, m, Expire{}, m.Expires, ErrTooEarly)
		if _, err := m.Apply(Accept{black}, m.Expires); err != nil {
			t.Errorf("at the last moment: %v", err)
		}
		after := m.Expires.Add(1)
		refuse(t, m, Accept{black}, after, ErrNotProposed)
		end, err := m.Apply(Expire{}, after)
		if err != nil || end.Ending != Expired || end.Seen != m.Seen {
			t.Errorf("%+v, %v", end, err)
		}
	})
	for _, tt := range []struct {
		c    Command
		want Ending
	}{{Decline{black}, Declined}, {Withdraw{white}, Withdrawn}} {
		t.Run("a challenge that is "+string(tt.want)+" has no winner", func(t *testing.T) {
			m := do(t, challenge(t), tt.c)
			if m.Phase != Finished || m.Result != engine.Ongoing || m.Ending != tt.want {
				t.Errorf("%s, %v, %s", m.Phase, m.Result, m.Ending)
			}
		})
	}
}

func TestPlay(t *testing.T) {
	t.Run("a side moves only on its turn", func(t *testing.T) {
		m := running(t, 0)
		refuse(t, m, Play{black, legal(m)[0]}, t0, ErrNotYourTurn)
	})
	t.Run("an illegal move is refused", func(t *testing.T) {
		m := running(t, 0)
		move, err := engine.ParseMove("a1-b2")
		if err != nil {
			t.Fatal(err)
		}
		refuse(t, m, Play{white, move}, t0, engine.ErrIllegalMove)
	})
	t.Run("the other side has its full time after a move", func(t *testing.T) {
		m := running(t, 0)
		later := t0.Add(time.Hour)
		got, err := m.Apply(next(m), later)
		if err != nil || got.Moved != later || got.Changed != later || got.Seen[white] != later || got.Seen[black] != t0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("two continuations of one match are independent", func(t *testing.T) {
		m := running(t, 3)
		moves := legal(m)
		a := do(t, m, Play{m.Turn(), moves[0]})
		b := do(t, m, Play{m.Turn(), moves[len(moves)-1]})
		if a.Moves[3] != moves[0] || b.Moves[3] != moves[len(moves)-1] {
			t.Errorf("%v and %v", a.Moves, b.Moves)
		}
	})
	t.Run("a move declines the opponent's offer", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{black})
		m = do(t, m, next(m))
		if m.Offer != nil {
			t.Error("the offer is still open")
		}
		refuse(t, advance(t, m, 1), OfferDraw{black}, t0, ErrOfferTooSoon)
	})
	t.Run("a side's own offer lapses when it moves", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white})
		m = do(t, m, next(m))
		if m.Offer != nil {
			t.Error("the offer is still open")
		}
		refuse(t, m, AcceptDraw{black}, t0, ErrNoOffer)
		refuse(t, advance(t, m, 1), OfferDraw{white}, t0, ErrOfferTooSoon)
	})
	t.Run("a move drops every request to take back", func(t *testing.T) {
		for _, by := range []engine.Color{white, black} {
			m := running(t, 4)
			to, _ := m.UndoPly(by)
			m = do(t, m, RequestUndo{by, to})
			m = do(t, m, next(m))
			if m.Request != nil {
				t.Errorf("the request by %v is still open", by)
			}
		}
	})
	t.Run("a move clears the notice", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white}, DeclineDraw{black})
		if m.Notice == nil {
			t.Fatal("there is no notice")
		}
		if m = do(t, m, next(m)); m.Notice != nil {
			t.Error("the notice is still there")
		}
	})
}

func TestBoardEndings(t *testing.T) {
	for _, why := range []engine.Reason{engine.NoMoves, engine.Repetition, engine.NoProgress} {
		t.Run(why.String(), func(t *testing.T) {
			m := endedBy(t, why)
			r, _ := m.Game().Result()
			if m.Phase != Finished || m.Result != r || string(m.Ending) != why.String() {
				t.Errorf("%s, %v, %q; the board says %v", m.Phase, m.Result, m.Ending, r)
			}
			if (why == engine.NoMoves) != (r == engine.WhiteWins || r == engine.BlackWins) {
				t.Errorf("%v by %v", r, why)
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// endedBy returns a match that a rule of the board has ended.
func endedBy(t testing.TB, why engine.Reason) Match {
	t.Helper()
	m := running(t, 0)
	for _, text := range strings.Fields(gamesByEnding[why]) {
		mv, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		m = do(t, m, Play{m.Turn(), mv})
	}
	return m
}

// gamesByEnding holds one game for each ending on the board, found by random play.
var gamesByEnding = map[engine.Reason]string{
	engine.NoMoves: `
		c3-d4 e5xc3 d2xb4 g5-f4 e3xg5 f6-e5 f2-e3 g7-f6 e3-f4 c5-d4 e1-d2 b6-c5 g1-f2 c7-b6 d2-e3`,
	engine.Repetition: `
		c3-b4 a5xc3 d2xb4 e5-f4 g3xe5 f6xd4 e3-f4 g5xe3 e1-d2 b6-a5 d2xf4 e5xg3xe1 e3xg5 g7-f6 c3xe5xg7
		c5xe3 b2-c3 a7-b6 a1-b2 b6-c5 g7-f6 c7-b6 f6-g7 e1-f2 g7-f6 f2-g3 f6-g7 g3-f4 g7-f6 f4-g3 f6-g7
		g3-f4 g7-f6 f4-g3`,
	engine.NoProgress: `
		e3-d4 c5xe3 d2xf4 e5-d4 e3xc5 b6xd4 c3xe5 c5xe3 f2xd4 a7-b6 c1-d2 d6-c5 a3-b4 c5xa3xc1 a1-b2 c1xa3
		e5-d6 c7xe5xc3 e3xc5xa7 g5xe3xc1 g3xe5xc7 c3-b2 a7-b6 a3-b4 e1-f2 b4-a3 f2-e3 f6-g5 b6-a7 c1-d2
		e3-d4 d2-e1 a7-b6 e1-d2 b6-c5 d2-c3 d4-e5 e7-f6 c5-d4 g5-f4 g1-f2 f4-e3 f2-g3 e3-f2 c7-b6 c3-d2
		b6-c5 a5-b4 c5-b6 d2-c3 b6-c7 f6-g5 d4-c5 c3-d2 c5-d4 g5-f4 e5-d6 f4-e3 c7-b6 b4-c3 b6-c5 g7-f6
		g3-f4 f6-g5 f4-e5 d2-e1 c5-b6 a3-b4 e5-f6 g5-f4 b6-a5 b4-a3 d4-c5 f4-g3 a5-b6 e3-d2 c5-d4 a3-b4
		b6-a5 b4-a3 d4-c5`,
}

func TestEndings(t *testing.T) {
	tests := []struct {
		name   string
		m      Match
		c      Command
		result engine.Result
		ending Ending
	}{
		{"the side that resigns loses", running(t, 2), Resign{white}, engine.BlackWins, Resignation},
		{"resigning is possible on the opponent's turn", running(t, 2), Resign{black}, engine.WhiteWins, Resignation},
		{"an accepted offer is a draw", do(t, running(t, 2), OfferDraw{white}), AcceptDraw{black}, engine.Draw, Agreement},
		{"offering back accepts", do(t, running(t, 2), OfferDraw{white}), OfferDraw{black}, engine.Draw, Agreement},
		{"aborting before the first move", running(t, 0), Abort{black}, engine.Ongoing, Aborted},
		{"aborting after one move", running(t, 1), Abort{white}, engine.Ongoing, Aborted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := do(t, tt.m, tt.c)
			if m.Phase != Finished || m.Result != tt.result || m.Ending != tt.ending {
				t.Errorf("%s, %v, %q", m.Phase, m.Result, m.Ending)
			}
			if m.Offer != nil || m.Request != nil || m.Notice != nil || m.MachineDue() {
				t.Error("something is open after the end")
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestClaim(t *testing.T) {
	t.Run("the game can be claimed when the time to move is up", func(t *testing.T) {
		m := running(t, 3) // Black is to move
		refuse(t, m, Claim{By: white, Told: t0}, t0.Add(MoveTime-1), ErrTooEarly)
		refuse(t, m, Claim{By: black, Told: t0}, t0.Add(MoveTime), ErrNotYourTurn)
		got, err := m.Apply(Claim{By: white, Told: t0}, t0.Add(MoveTime))
		if err != nil || got.Result != engine.WhiteWins || got.Ending != Abandonment {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("the time to move counts from when the opponent was told", func(t *testing.T) {
		m := running(t, 1)
		told := t0.Add(time.Hour)
		refuse(t, m, Claim{By: white}, t0.Add(100*MoveTime), ErrNotTold)
		refuse(t, m, Claim{By: white, Told: told}, told.Add(MoveTime-1), ErrTooEarly)
		refuse(t, m, Claim{By: white, Told: t0.Add(-time.Hour)}, t0.Add(MoveTime-1), ErrTooEarly) // of an earlier turn
		if _, err := m.Apply(Claim{By: white, Told: told}, told.Add(MoveTime)); err != nil {
			t.Error(err)
		}
	})
	t.Run("the machine's time is never up", func(t *testing.T) {
		refuse(t, against(t, 1), Claim{By: white, Told: t0}, t0.Add(100*MoveTime), ErrNoClock)
	})
	t.Run("taking back restores the full time to move", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{white, 2})
		later := t0.Add(MoveTime)
		m, err := m.Apply(AcceptUndo{black}, later)
		if err != nil {
			t.Fatal(err)
		}
		refuse(t, m, Claim{By: black, Told: t0}, later.Add(MoveTime-1), ErrTooEarly)
	})
}

func TestAwaits(t *testing.T) {
	answered, err := do(t, running(t, 1), OfferDraw{white}).Apply(DeclineDraw{black}, t0.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                     string
		m                        Match
		awaitsWhite, awaitsBlack bool
		open                     []engine.Color // who may not know of it
	}{
		{"a challenge, for its answer", challenge(t), false, true, []engine.Color{black}},
		{"the side to move", running(t, 1), false, true, []engine.Color{black}},
		{"whoever is offered a draw, not the side to move", do(t, running(t, 1), OfferDraw{black}), true, false, []engine.Color{white}},
		{"whoever is asked to allow an undo", do(t, running(t, 1), RequestUndo{white, 0}), false, true, []engine.Color{black}},
		{"the side to move that has just answered, and knows", answered, false, true, nil},
		{"a person, as the machine needs no telling", against(t, 1), false, true, nil},
		{"nobody once the game is over, which the other may not know", do(t, running(t, 1), Resign{white}), false, false, []engine.Color{black}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.m.Awaits(white) != c.awaitsWhite || c.m.Awaits(black) != c.awaitsBlack {
				t.Errorf("awaits White %t, Black %t", c.m.Awaits(white), c.m.Awaits(black))
			}
			for _, side := range []engine.Color{white, black} {
				if got := c.m.Unaware(side); got != slices.Contains(c.open, side) {
					t.Errorf("%v: %t", side, got)
				}
			}
		})
	}
}

func TestDrawOffer(t *testing.T) {
	t.Run("one offer at a time", func(t *testing.T) {
		refuse(t, do(t, running(t, 2), OfferDraw{white}), OfferDraw{white}, t0, ErrOfferStands)
	})
	t.Run("nobody answers their own offer", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white})
		refuse(t, m, AcceptDraw{white}, t0, ErrNoOffer)
		refuse(t, m, DeclineDraw{white}, t0, ErrNoOffer)
	})
	t.Run("declining leaves a notice", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white}, DeclineDraw{black})
		if d := cmp.Diff(&Notice{DrawRefused, black}, m.Notice); d != "" || m.Offer != nil {
			t.Error(d, m.Offer)
		}
	})
	t.Run("a side whose offer was declined waits six plies", func(t *testing.T) {
		m := do(t, running(t, 2), OfferDraw{white}, DeclineDraw{black})
		for range DrawPause {
			refuse(t, m, OfferDraw{white}, t0, ErrOfferTooSoon)
			do(t, m, OfferDraw{black}) // the other side need not wait
			m = advance(t, m, 1)
		}
		do(t, m, OfferDraw{white})
	})
	t.Run("taking back does not lengthen the pause", func(t *testing.T) {
		m := do(t, running(t, 5), OfferDraw{white}, DeclineDraw{black})
		m = do(t, m, RequestUndo{white, 0}, AcceptUndo{black})
		m = advance(t, m, DrawPause-1)
		refuse(t, m, OfferDraw{white}, t0, ErrOfferTooSoon)
		do(t, advance(t, m, 1), OfferDraw{white})
	})
	t.Run("the machine is due to answer", func(t *testing.T) {
		m := against(t, 2)
		if m.MachineDue() {
			t.Fatal("due on Ann's turn")
		}
		if m = do(t, m, OfferDraw{white}); !m.MachineDue() {
			t.Error("not due with an offer to answer")
		}
	})
}

func TestTakeBack(t *testing.T) {
	t.Run("a person must agree", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{white, 2})
		if len(m.Moves) != 3 || m.Request == nil {
			t.Fatalf("%+v", m)
		}
		refuse(t, m, AcceptUndo{white}, t0, ErrNoRequest)
		refuse(t, m, DeclineUndo{white}, t0, ErrNoRequest)
		m = do(t, m, AcceptUndo{black})
		if d := cmp.Diff(&Notice{TakenBack, white}, m.Notice); d != "" || len(m.Moves) != 2 || m.Turn() != white || m.Request != nil {
			t.Errorf("%s%+v", d, m)
		}
	})
	t.Run("the machine agrees at once, even while it thinks", func(t *testing.T) {
		for _, plies := range []int{1, 2} {
			m := do(t, against(t, plies), RequestUndo{white, 0})
			if len(m.Moves) != 0 || m.Request != nil {
				t.Errorf("after %d plies: %+v", plies, m)
			}
		}
	})
	t.Run("declining leaves a notice", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{white, 2}, DeclineUndo{black})
		if d := cmp.Diff(&Notice{UndoRefused, black}, m.Notice); d != "" || len(m.Moves) != 3 || m.Request != nil {
			t.Errorf("%s%+v", d, m)
		}
	})
	t.Run("one request at a time, by either side", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{white, 2})
		refuse(t, m, RequestUndo{white, 0}, t0, ErrRequestStands)
		refuse(t, m, RequestUndo{black, 1}, t0, ErrRequestWaits)
	})
	t.Run("a side goes back only to its own turns", func(t *testing.T) {
		m := running(t, 3)
		for _, to := range []int{-2, -1, 1, 3, 4, 100} {
			refuse(t, m, RequestUndo{white, to}, t0, ErrNothingToUndo)
		}
	})
	t.Run("a game that was over on the board does not come back", func(t *testing.T) {
		refuse(t, endedBy(t, engine.Repetition), RequestUndo{white, 0}, t0, ErrFinished)
	})
	t.Run("a side's latest move", func(t *testing.T) {
		for _, tt := range []struct {
			plies int
			by    engine.Color
			to    int
			ok    bool
		}{{0, white, 0, false}, {0, black, 0, false}, {1, white, 0, true}, {1, black, 0, false}, {2, white, 0, true}, {2, black, 1, true}, {5, white, 4, true}, {5, black, 3, true}} {
			m := running(t, tt.plies)
			if to, ok := m.UndoPly(tt.by); ok != tt.ok || ok && to != tt.to {
				t.Errorf("%d plies, %v: %d, %t", tt.plies, tt.by, to, ok)
			}
		}
	})
}

func TestSeatOf(t *testing.T) {
	m := against(t, 0)
	if c, err := m.SeatOf("1"); c != white || err != nil {
		t.Error(c, err)
	}
	for _, u := range []UserID{"", "2"} {
		if _, err := m.SeatOf(u); !errors.Is(err, ErrNotAPlayer) {
			t.Errorf("%q: %v", u, err)
		}
	}
}
