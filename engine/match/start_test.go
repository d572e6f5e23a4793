package match

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// endgame has Black to move, one quiet ply and the move number 7.
const endgame = ",,,/,b,/,,,/,,/,,wb,/,w,/,,, b 1 7"

func setupOf(t testing.TB, text string, rules engine.Rules) *engine.Setup {
	t.Helper()
	s, err := notation.ParsePosition(text, rules)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// fromEndgame returns a running match between Ann (White) and Bob that started from
// endgame.
func fromEndgame(t testing.TB) Match {
	t.Helper()
	m, err := Start(New{
		ID: "m", Rules: engine.Lasker, Seats: [2]Seat{ann, bob}, By: white,
		Start: setupOf(t, endgame, engine.Lasker), Expires: t0.Add(time.Hour),
	}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, m, Accept{black})
}

func TestAMatchStartsFromItsPosition(t *testing.T) {
	m := fromEndgame(t)
	start := m.StartPosition()
	if start.Setup() != *setupOf(t, endgame, engine.Lasker) || m.Game().Position() != start {
		t.Errorf("it starts from %v", start.Setup())
	}
	if m.Turn() != black {
		t.Error("White is to move")
	}
	refuse(t, m, Play{white, legal(m)[0]}, t0, ErrNotYourTurn)
	m = advance(t, m, 3)
	for i, want := range []struct {
		side   engine.Color
		number int
	}{{black, 7}, {white, 8}, {black, 8}, {white, 9}, {black, 9}} {
		if m.Mover(i) != want.side || m.MoveNumber(i) != want.number {
			t.Errorf("move %d is number %d of %v, want %d of %v", i, m.MoveNumber(i), m.Mover(i), want.number, want.side)
		}
	}
	if p := m.Game().Position(); p.Turn() != m.Turn() || p.Number() != m.MoveNumber(3) {
		t.Errorf("after 3 moves the board says number %d of %v, the match %d of %v", p.Number(), p.Turn(), m.MoveNumber(3), m.Turn())
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}

func TestOrdinaryMovesAreNumberedFromOne(t *testing.T) {
	m := running(t, 0)
	for i, number := range []int{1, 1, 2, 2, 3} {
		if m.Mover(i) != engine.Color(i&1) || m.MoveNumber(i) != number {
			t.Errorf("move %d is number %d of %v", i, m.MoveNumber(i), m.Mover(i))
		}
	}
	if n := m.MoveNumber(3 * engine.MaxNumber); n != engine.MaxNumber {
		t.Errorf("the number rises to %d", n)
	}
}

func TestTakingBackKnowsWhoMovedFirst(t *testing.T) {
	m := advance(t, fromEndgame(t), 3) // Black, White, Black
	for _, tt := range []struct {
		by engine.Color
		to int
	}{{black, 2}, {white, 1}} {
		if to, ok := m.UndoPly(tt.by); to != tt.to || !ok {
			t.Errorf("%v goes back to %d, %v; want %d", tt.by, to, ok, tt.to)
		}
	}
	first := advance(t, fromEndgame(t), 1)
	if _, ok := first.UndoPly(white); ok {
		t.Error("White takes back before having moved")
	}
	refuse(t, m, RequestUndo{white, 2}, t0, ErrNothingToUndo)
	m = do(t, m, RequestUndo{black, 0}, AcceptUndo{white})
	if len(m.Moves) != 0 || m.Turn() != black {
		t.Errorf("%d moves, %v to move", len(m.Moves), m.Turn())
	}
}

func TestTheMachineMovesFirstWhereItIsToMove(t *testing.T) {
	m, err := Start(New{ID: "m", Seats: [2]Seat{ann, machine}, By: white, Start: setupOf(t, endgame, engine.Kawu)}, t0)
	if err != nil {
		t.Fatal(err)
	}
	if !m.MachineDue() {
		t.Error("the machine is to move, but it is not due")
	}
}

func TestStartRefusesPositionsThatCannotBePlayed(t *testing.T) {
	other := setupOf(t, endgame, engine.Kawu)
	illegal := setupOf(t, endgame, engine.Lasker)
	illegal.Number = 0
	lost := setupOf(t, ",,,/,,/,,,/,,/,,wb,/,w,/,,, b 0 1", engine.Lasker)
	drawn := setupOf(t, endgame, engine.Lasker)
	drawn.Quiet = engine.QuietLimit
	for name, s := range map[string]*engine.Setup{
		"of other rules": other, "that is illegal": illegal, "without a move": lost, "drawn already": drawn,
	} {
		t.Run("a position "+name, func(t *testing.T) {
			_, err := Start(New{ID: "m", Rules: engine.Lasker, Seats: [2]Seat{ann, machine}, Start: s}, t0)
			if !errors.Is(err, ErrStart) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestTheUsualStartIsNotWritten(t *testing.T) {
	for _, rules := range engine.AllRules() {
		s := engine.StartSetup(rules)
		m, err := Start(New{ID: "m", Rules: rules, Seats: [2]Seat{ann, machine}, Start: &s}, t0)
		if err != nil || m.Start != "" {
			t.Errorf("start %q, %v", m.Start, err)
		}
		if p := m.StartPosition(); p != engine.Start(rules) {
			t.Errorf("under %v it starts from %v", rules, p.Setup())
		}
	}
}

// TestOrdinaryRecordsStayAsTheyWere checks that a match without a start position is
// stored byte for byte as before there were start positions, and can be read.
func TestOrdinaryRecordsStayAsTheyWere(t *testing.T) {
	for name, tt := range map[string]struct {
		m    Match
		text string
	}{
		"running": {do(t, running(t, 3), OfferDraw{white}), `{"id":"m","version":6,"phase":"playing","rules":"kawu",` +
			`"seats":[{"user":"1","name":"Ann"},{"user":"2","name":"Bob"}],"by":0,"moves":["c3-b4","a5xc3","b2xd4"],"result":"*",` +
			`"offer":{"by":0},"created":"2026-03-01T12:00:00Z","changed":"2026-03-01T12:00:00Z","moved":"2026-03-01T12:00:00Z",` +
			`"seen":["2026-03-01T12:00:00Z","2026-03-01T12:00:00Z"]}`},
		"challenge": {challenge(t), `{"id":"m","version":1,"phase":"proposed","rules":"kawu",` +
			`"seats":[{"user":"1","name":"Ann"},{"user":"2","name":"Bob"}],"by":0,"result":"*","created":"2026-03-01T12:00:00Z",` +
			`"changed":"2026-03-01T12:00:00Z","moved":"2026-03-01T12:00:00Z","expires":"2026-03-01T13:00:00Z",` +
			`"seen":["2026-03-01T12:00:00Z","0001-01-01T00:00:00Z"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(tt.m)
			if err != nil || string(text) != tt.text {
				t.Errorf("%s, %v", text, err)
			}
			var got Match
			if err := json.Unmarshal([]byte(tt.text), &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.m, got); d != "" {
				t.Error(d)
			}
			if err := got.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
