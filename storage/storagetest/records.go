package storagetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Epoch is the time from which the matches of this package count.
var Epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

// Challenge returns the record of a new challenge from "ann" (White) to "bob" in
// channel "c1". It is made some minutes after [Epoch] and expires a day later.
func Challenge(t testing.TB, id match.ID, minutes int) storage.Record {
	return record(t, match.New{ID: id, Seats: [2]match.Seat{{User: "ann", Name: "Ann"}, {User: "bob", Name: "Bob"}}}, minutes)
}

// AgainstMachine returns the record of a new match of "ann" against the machine. She
// is White when annBegins is set, otherwise Black.
func AgainstMachine(t testing.TB, id match.ID, minutes int, annBegins bool) storage.Record {
	n := match.New{ID: id, Seats: [2]match.Seat{{User: "ann", Name: "Ann"}, {Level: 3}}}
	if !annBegins {
		n.Seats[0], n.Seats[1], n.By = n.Seats[1], n.Seats[0], engine.Black
	}
	return record(t, n, minutes)
}

// FromPosition returns the record of a new match of "ann" (Black) against the machine
// that starts from a position in which she is to make move 7.
func FromPosition(t testing.TB, id match.ID, minutes int) storage.Record {
	s := engine.Setup{Turn: engine.Black, Quiet: 3, Number: 7, Rules: engine.MindSports}
	s.Stacks[4] = engine.StackOf(engine.WhiteSoldier)
	s.Stacks[9] = engine.StackOf(engine.WhiteOfficer, engine.BlackSoldier)
	s.Stacks[22] = engine.StackOf(engine.BlackOfficer, engine.WhiteSoldier)
	return record(t, match.New{
		ID: id, Rules: s.Rules, Seats: [2]match.Seat{{Level: 3}, {User: "ann", Name: "Ann"}}, By: engine.Black, Start: &s,
	}, minutes)
}

func record(t testing.TB, n match.New, minutes int) storage.Record {
	t.Helper()
	now := Epoch.Add(time.Duration(minutes) * time.Minute)
	n.Expires = now.Add(24 * time.Hour)
	m, err := match.Start(n, now)
	if err != nil {
		t.Fatal(err)
	}
	return storage.Record{Match: m, Place: storage.Place{Guild: "g", Channel: "c1", Locale: "de"}}
}

// Apply returns the match after some commands, each a minute after the previous
// change.
func Apply(t testing.TB, m match.Match, commands ...match.Command) match.Match {
	t.Helper()
	for _, c := range commands {
		next, err := m.Apply(c, m.Changed.Add(time.Minute))
		if err != nil {
			t.Fatalf("%T%+v: %v", c, c, err)
		}
		m = next
	}
	return m
}

// Play returns the match after some plies, in which each side plays its first legal
// move.
func Play(t testing.TB, m match.Match, plies int) match.Match {
	t.Helper()
	for range plies {
		pos := m.Game().Position()
		m = Apply(t, m, match.Play{By: m.Turn(), Move: pos.AppendMoves(nil)[0]})
	}
	return m
}

// kinds returns records of every kind: in every phase and with everything that can be
// open.
func kinds(t testing.TB) []storage.Record {
	on := Challenge(t, "on", 1)
	on.Match = Apply(t, on.Match, match.Accept{By: engine.Black})
	with := func(id match.ID, plies int, commands ...match.Command) storage.Record {
		r := on
		r.Match.ID = id
		r.Match = Apply(t, Play(t, r.Match, plies), commands...)
		r.Screen = storage.Screen{Channel: "c1", Message: "m" + string(id), Version: 2}
		return r
	}
	waits := with("waits", 2)
	waits.Screen.Refused, waits.Screen.Again = 3, Epoch.Add(time.Hour)
	quiet := with("quiet", 1)
	quiet.Screen.Version = quiet.Match.Version
	quiet.Screen.Teller = "m0"
	quiet.Screen.Turn, quiet.Screen.Told, quiet.Screen.Quiet = quiet.Match.Moved, Epoch.Add(time.Hour), Epoch.Add(2*time.Hour)
	from := FromPosition(t, "from a position", 0)
	from.Match = Play(t, from.Match, 3)
	told := with("told", 1)
	told.Clock = storage.Clock{Turn: told.Match.Moved, Next: Epoch.Add(36 * time.Hour), Sent: 2}
	told.Match.Extra = 24 * time.Hour
	told.Lines[engine.White] = []storage.Line{{Ply: 1, Moves: []engine.Move{told.Match.Moves[0]}}}
	free := record(t, match.New{ID: "open", Seats: [2]match.Seat{{User: "ann", Name: "Ann"}}, Open: true, Terms: match.Terms{Days: 7, Rated: true}}, 0)
	return []storage.Record{
		told, free, Rated(t, "counts", 5),
		waits, quiet, from, Challenge(t, "challenge", 0), AgainstMachine(t, "machine", 0, true), AgainstMachine(t, "machine begins", 0, false),
		on, with("moves", 11), with("offer", 2, match.OfferDraw{By: engine.White}),
		with("request", 4, match.RequestUndo{By: engine.White, To: 2}),
		with("refused", 2, match.OfferDraw{By: engine.White}, match.DeclineDraw{By: engine.Black}),
		with("taken back", 1, match.RequestUndo{By: engine.White, To: 0}, match.AcceptUndo{By: engine.Black}),
		with("over", 3, match.Resign{By: engine.Black}), with("aborted", 0, match.Abort{By: engine.White}),
		with(match.ID(fmt.Sprintf("日本 %c/\x01", 0)), 1),
	}
}
