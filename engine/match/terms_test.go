package match

import (
	"errors"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// onTerms returns a match between Ann (White) and Bob after some plies.
func onTerms(t testing.TB, plies int, terms Terms) Match {
	t.Helper()
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, bob}, By: white, Terms: terms, Expires: t0.Add(time.Hour)}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return advance(t, do(t, m, Accept{black}), plies)
}

// open returns a challenge by Ann (White) to whoever comes first.
func open(t testing.TB) Match {
	t.Helper()
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, {}}, By: white, Open: true, Terms: Terms{Days: 1, Rated: true}, Expires: t0.Add(time.Hour)}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTermsThatNobodyCanAgreeOn(t *testing.T) {
	for _, terms := range []Terms{{Days: 2}, {Days: -2}, {Days: 1000}, {Rated: true, Hints: true}} {
		if _, err := Start(New{Seats: [2]Seat{ann, bob}, By: white, Terms: terms}, t0); !errors.Is(err, ErrTerms) {
			t.Errorf("%+v: error %v", terms, err)
		}
		m := running(t, 0)
		m.Terms = terms
		if err := m.Check(); !errors.Is(err, ErrTerms) {
			t.Errorf("Check of %+v: error %v", terms, err)
		}
	}
}

func TestTimeForAMove(t *testing.T) {
	for days, want := range map[int]time.Duration{0: MoveTime, 1: 24 * time.Hour, 3: MoveTime, 7: 7 * 24 * time.Hour} {
		m := onTerms(t, 2, Terms{Days: days})
		if limit, timed := m.Limit(); limit != want || !timed {
			t.Errorf("%d days: %v, %t", days, limit, timed)
		}
		refuse(t, m, Claim{By: black, Told: t0}, t0.Add(want-1), ErrTooEarly)
		if got, err := m.Apply(Claim{By: black, Told: t0}, t0.Add(want)); err != nil || got.Result != engine.BlackWins || got.Ending != Abandonment {
			t.Errorf("%d days: %+v, %v", days, got, err)
		}
	}
	never := onTerms(t, 2, Terms{Days: NoLimit})
	if _, timed := never.Limit(); timed {
		t.Error("there is a limit")
	}
	refuse(t, never, Claim{By: black, Told: t0}, t0.Add(1000*MoveTime), ErrNoClock)
	refuse(t, never, GiveTime{black, time.Hour}, t0, ErrNoClock)
	refuse(t, against(t, 1), GiveTime{white, time.Hour}, t0, ErrNoClock)
}

func TestAClaimBeforeBothHaveMovedCallsTheGameOff(t *testing.T) {
	for plies := range 3 {
		m := running(t, plies)
		got, err := m.Apply(Claim{By: m.Turn().Other(), Told: t0}, t0.Add(MoveTime))
		want := Aborted
		if plies == 2 {
			want = Abandonment
		}
		if err != nil || got.Ending != want || (got.Result == engine.Ongoing) != (want == Aborted) || got.Check() != nil {
			t.Errorf("after %d plies: %v (%q), %v", plies, got.Result, got.Ending, err)
		}
	}
}

func TestTheOpponentMayGiveTime(t *testing.T) {
	m := running(t, 2) // White is to move
	refuse(t, challenge(t), GiveTime{black, time.Hour}, t0, ErrNotAccepted)
	refuse(t, m, GiveTime{white, time.Hour}, t0, ErrOwnTime)
	for _, d := range []time.Duration{-1, 0, MaxExtra + 1} {
		refuse(t, m, GiveTime{black, d}, t0, ErrMuchTime)
	}
	m = do(t, m, GiveTime{black, 24 * time.Hour})
	refuse(t, m, Claim{By: black, Told: t0}, t0.Add(MoveTime+24*time.Hour-1), ErrTooEarly)
	claimed, err := m.Apply(Claim{By: black, Told: t0}, t0.Add(MoveTime+24*time.Hour))
	if err != nil || claimed.Check() != nil {
		t.Error(err, claimed.Check())
	}
	m = do(t, m, GiveTime{black, 6 * 24 * time.Hour})
	refuse(t, m, GiveTime{black, 1}, t0, ErrMuchTime)
	t.Run("for this turn only", func(t *testing.T) {
		if got := advance(t, m, 1); got.Extra != 0 {
			t.Errorf("%v after a move", got.Extra)
		}
		if got := do(t, m, RequestUndo{white, 0}, AcceptUndo{black}); got.Extra != 0 {
			t.Errorf("%v after taking back", got.Extra)
		}
	})
	t.Run("what else makes the time longer is added", func(t *testing.T) {
		claim := Claim{By: black, Told: t0.Add(time.Minute), Extra: time.Hour}
		due := t0.Add(time.Minute + MoveTime + MaxExtra + time.Hour)
		refuse(t, m, claim, due.Add(-1), ErrTooEarly)
		if got, ok := m.Deadline(claim.Told, claim.Extra); got != due || !ok {
			t.Errorf("%v, %t, want %v", got, ok, due)
		}
		claim.Extra = -1000 * time.Hour // never shorter
		refuse(t, m, claim, due.Add(-time.Hour-1), ErrTooEarly)
	})
}

func TestTakingBackMakesAGameCasual(t *testing.T) {
	m := onTerms(t, 3, Terms{Rated: true})
	if got := do(t, m, RequestUndo{white, 2}, DeclineUndo{black}); !got.Terms.Rated {
		t.Error("a refused request does")
	}
	if got := do(t, m, RequestUndo{white, 2}, AcceptUndo{black}); got.Terms.Rated {
		t.Error("a granted request does not")
	}
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, machine}, By: white, Terms: Terms{Rated: true}}, t0)
	if err != nil {
		t.Fatal(err)
	}
	m = advance(t, m, 2)
	if got := do(t, m, RequestUndo{white, 0}); got.Terms.Rated {
		t.Error("taking back against the machine does not")
	}
	t.Run("so does a hint against the machine", func(t *testing.T) {
		got := do(t, m, Hinted{white})
		if got.Terms.Rated {
			t.Error("it does not")
		}
		refuse(t, got, Hinted{white}, t0, ErrCasual)
		refuse(t, m, Hinted{black}, t0, ErrNoHints)
		refuse(t, against(t, 2), Hinted{white}, t0, ErrCasual)
	})
}

func TestHintsBetweenPeopleAreAgreedOnBefore(t *testing.T) {
	refuse(t, onTerms(t, 2, Terms{}), Hinted{white}, t0, ErrNoHints)
	refuse(t, onTerms(t, 2, Terms{Rated: true}), Hinted{white}, t0, ErrNoHints)
	m := onTerms(t, 2, Terms{Hints: true})
	if !m.MayHint(white) || !m.MayHint(black) {
		t.Error("a player may not have a hint")
	}
	refuse(t, m, Hinted{black}, t0, ErrCasual) // nothing changes
	over := do(t, m, Resign{white})
	if over.MayHint(white) {
		t.Error("a hint in a game that is over")
	}
}

func TestWhatCounts(t *testing.T) {
	rated := Terms{Rated: true}
	for name, tt := range map[string]struct {
		m    Match
		want bool
	}{
		"a rated game":                   {do(t, onTerms(t, 2, rated), Resign{white}), true},
		"a draw":                         {do(t, onTerms(t, 2, rated), OfferDraw{white}, AcceptDraw{black}), true},
		"a casual game":                  {do(t, onTerms(t, 2, Terms{}), Resign{white}), false},
		"a game that goes on":            {onTerms(t, 2, rated), false},
		"a game with one side's move":    {do(t, onTerms(t, 1, rated), Resign{white}), false},
		"a game without a result":        {do(t, onTerms(t, 2, rated), Stop{}), false},
		"a game that was called off":     {do(t, onTerms(t, 1, rated), Abort{white}), false},
		"a game in which was taken back": {do(t, onTerms(t, 4, rated), RequestUndo{white, 2}, AcceptUndo{black}, Resign{white}), false},
	} {
		if got := tt.m.Counts(); got != tt.want {
			t.Errorf("%s counts: %t", name, got)
		}
	}
}

func TestWhoComesFirstJoinsAnOpenChallenge(t *testing.T) {
	m := open(t)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.SeatOf(""); !errors.Is(err, ErrNotAPlayer) {
		t.Errorf("nobody has a seat: %v", err)
	}
	if m.Awaits(black) || m.Awaits(white) || m.Unaware(black) || m.MachineDue() {
		t.Error("it waits for somebody")
	}
	refuse(t, m, Join{ann}, t0, ErrSelf)
	refuse(t, m, Join{machine}, t0, ErrSeats)
	refuse(t, m, Join{Seat{}}, t0, ErrSeats)
	refuse(t, m, Accept{black}, t0, ErrOpen)
	refuse(t, m, Decline{black}, t0, ErrOpen)
	refuse(t, m, next(m), t0, ErrNotAccepted)
	refuse(t, m, Join{bob}, m.Expires.Add(1), ErrNotProposed)
	refuse(t, challenge(t), Join{Seat{User: "3"}}, t0, ErrNotChallenged)
	later := t0.Add(time.Minute)
	got, err := m.Apply(Join{bob}, later)
	if err != nil || got.Phase != Playing || got.Seats != [2]Seat{ann, bob} || got.Moved != later || got.Seen[black] != later || got.Check() != nil {
		t.Fatalf("%+v, %v, %v", got, err, got.Check())
	}
	if got.Open || !got.Terms.Rated {
		t.Error("the game is still open, or has other terms")
	}
	refuse(t, got, Join{Seat{User: "3"}}, later, ErrNotProposed)
	t.Run("until then it can be withdrawn, expires and can be ended", func(t *testing.T) {
		refuse(t, m, Withdraw{black}, t0, ErrNotChallenger)
		expired, err := m.Apply(Expire{}, m.Expires.Add(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, over := range []Match{do(t, m, Withdraw{white}), expired, do(t, m, Stop{})} {
			if err := over.Check(); err != nil {
				t.Error(err)
			}
			refuse(t, over, Join{bob}, t0, ErrNotProposed)
		}
	})
	t.Run("only a challenge is open", func(t *testing.T) {
		m := running(t, 2)
		m.Open = true
		if m.Check() == nil {
			t.Error("a game is")
		}
		m = running(t, 2)
		m.Open, m.Seats[black] = true, Seat{}
		if m.Check() == nil {
			t.Error("a game without a player is")
		}
		if _, err := Start(New{Seats: [2]Seat{ann, bob}, By: white, Open: true}, t0); !errors.Is(err, ErrSeats) {
			t.Errorf("one with two people is: %v", err)
		}
		if _, err := Start(New{Seats: [2]Seat{ann, {}}, By: black, Open: true}, t0); !errors.Is(err, ErrSeats) {
			t.Errorf("one by nobody is: %v", err)
		}
	})
}

func TestAModeratorEndsAGameWithoutResult(t *testing.T) {
	for name, m := range map[string]Match{"challenge": challenge(t), "game": do(t, running(t, 5), OfferDraw{white}), "game against the machine": against(t, 2)} {
		later := t0.Add(time.Minute)
		got, err := m.Apply(Stop{}, later)
		if err != nil || got.Phase != Finished || got.Result != engine.Ongoing || got.Ending != Stopped || got.Check() != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got.Seen[white] == later || got.Seen[black] == later {
			t.Errorf("%s: a player did it", name)
		}
		refuse(t, got, Stop{}, t0, ErrFinished)
	}
}
