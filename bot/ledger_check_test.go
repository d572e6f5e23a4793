package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// TestLedgerNoticesWhatIsWrong enters games that no bot should store.
func TestLedgerNoticesWhatIsWrong(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	game, err := match.Start(match.New{ID: "1", Seats: [2]match.Seat{{User: "a"}, {User: "b"}}, Terms: match.Terms{Rated: true}, Expires: now.Add(time.Hour)}, now)
	if err != nil {
		t.Fatal(err)
	}
	apply := func(m match.Match, commands ...match.Command) match.Match {
		t.Helper()
		for _, c := range commands {
			if m, err = m.Apply(c, now); err != nil {
				t.Fatal(err)
			}
		}
		return m
	}
	play := func(m match.Match) match.Match {
		pos := m.Game().Position()
		return apply(m, match.Play{By: m.Turn(), Move: pos.Moves()[0]})
	}
	begun := apply(game, match.Accept{By: engine.Black})
	moved := play(begun)
	replied := play(moved)
	ended := apply(replied, match.Resign{By: engine.White})
	line := storage.Line{Ply: 0, Moves: replied.Moves}
	otherwise := ended
	otherwise.Result = engine.Draw
	illegal := moved
	illegal.Moves = []engine.Move{moved.Moves[0], moved.Moves[0]}
	illegal.Version++

	for _, c := range []struct {
		name string
		list []storage.Record
		says string // what is wrong with the last one, "" for nothing
	}{
		{"a game to its end", []storage.Record{{Match: begun}, {Match: moved}, {Match: replied}, {Match: ended}}, ""},
		{"a stored reply", []storage.Record{{Match: begun, Lines: [2][]storage.Line{engine.Black: {line}}}, {Match: replied}}, ""},
		{"a reply that nobody stored", []storage.Record{{Match: begun}, {Match: replied}}, "nobody has stored"},
		{"a reply that the other stored", []storage.Record{{Match: begun, Lines: [2][]storage.Line{engine.White: {line}}}, {Match: replied}}, "nobody has stored"},
		{"another result", []storage.Record{{Match: ended}, {Match: otherwise}}, "after its end"},
		{"an older version", []storage.Record{{Match: replied}, {Match: moved}}, "gone back"},
		{"a move that is not legal", []storage.Record{{Match: moved}, {Match: illegal}}, "not legal"},
	} {
		var said []string
		l := newLedger(func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
		for i, r := range c.list {
			if i < len(c.list)-1 && len(said) > 0 {
				t.Errorf("%s: %q before the end", c.name, said)
			}
			l.learn(r)
		}
		if (c.says == "") != (len(said) == 0) || !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: %q, want %q", c.name, said, c.says)
		}
	}

	var said []string
	l := newLedger(func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	r := storage.Record{Match: ended}
	l.learn(r)
	wrong := storage.Rating{Value: 1600, Deviation: 300, Volatility: 0.06, Games: 1, Last: now}
	l.rated(&r, []storage.RatingChange{{Scope: storage.Overall, User: "a", Next: wrong}, {Scope: storage.Overall, User: "b", Next: wrong}},
		map[match.UserID]storage.Outcome{"a": {}, "b": {}})
	if len(said) != 2 {
		t.Errorf("two wrong ratings: %q", said)
	}
}
