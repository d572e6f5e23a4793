package gametext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// games returns games of several kinds, some running and some finished.
func games(t testing.TB) []storage.Record {
	on := storagetest.Challenge(t, "on", 1)
	on.Match.Lots = true
	on.Match = storagetest.Play(t, storagetest.Apply(t, on.Match, match.Accept{By: engine.Black}), 9)
	on.Screen = storage.Screen{Channel: "c1", Message: "m1", Version: 3, Turn: on.Match.Moved, Told: on.Match.Moved.Add(time.Second)}
	over := on
	over.Match.ID = `over "quoted" \ {`
	over.Match.Seats[0].Name = `[A "B"] ; {x`
	over.Match = storagetest.Apply(t, over.Match, match.Resign{By: engine.Black})
	over.Screen.Version = over.Match.Version
	machine := storagetest.AgainstMachine(t, "machine", 2, false)
	machine.Match.Rules = engine.Lasker
	machine.Place.Guild, machine.Place.Outside = "", "99"
	declined := storagetest.Challenge(t, "declined", 4)
	declined.Match = storagetest.Apply(t, declined.Match, match.Decline{By: engine.Black})
	declined.Screen.Version = declined.Match.Version
	deleted := storagetest.Challenge(t, "deleted", 5)
	deleted.Match = storagetest.Apply(t, deleted.Match, match.Accept{By: engine.Black}, match.Resign{By: engine.White})
	if changed, err := deleted.Forget("ann"); !changed || err != nil {
		t.Fatal(err)
	}
	from := storagetest.FromPosition(t, "from", 6)
	from.Match = storagetest.Play(t, from.Match, 3)
	rated := storagetest.Rated(t, "rated", 7)
	rated.Screen.Version, rated.Screen.Counted = rated.Match.Version, true
	terms := storagetest.Challenge(t, "terms", 8)
	terms.Match.Terms = match.Terms{Days: match.NoLimit, Hints: true}
	terms.Match = storagetest.Apply(t, terms.Match, match.Accept{By: engine.Black})
	given := storagetest.Challenge(t, "given", 9)
	given.Match.Terms.Days = 7
	given.Match = storagetest.Apply(t, given.Match, match.Accept{By: engine.Black}, match.GiveTime{By: engine.Black, For: 25 * time.Hour})
	return []storage.Record{on, over, machine, declined, deleted, from, rated, terms, given}
}

func written(t testing.TB, records ...storage.Record) string {
	var b strings.Builder
	for _, r := range records {
		if err := Write(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// kept returns the record without what text leaves out.
func kept(r storage.Record) storage.Record {
	r = r.Normal()
	m := &r.Match
	m.Offer, m.Request, m.Notice, m.Refused, m.UndoRefused = nil, nil, nil, [2]int{}, [2]int{}
	return r
}

func TestGamesComeBackAsTheyWere(t *testing.T) {
	all := games(t)
	got, err := Read(strings.NewReader("\ufeff\n" + written(t, all...)))
	if err != nil {
		t.Fatal(err)
	}
	var want []storage.Record
	for _, r := range all {
		r = kept(r)
		if r.Match.ID == "declined" {
			r.Match.Expires = got[3].Match.Expires // no longer of use
		}
		if r.Match.ID == "deleted" {
			r.Screen.Version = r.Match.Version // so that it is not shown again
		}
		want = append(want, r)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOtherProgramsReadIt(t *testing.T) {
	list, err := notation.ReadGames(strings.NewReader(written(t, games(t)...)))
	if err != nil || len(list) != 9 || list[0].Tag("White") != "Ann" || len(list[0].Moves) != 9 {
		t.Errorf("%d games, %v", len(list), err)
	}
}

func TestAnyPlayedGameComesBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := storagetest.Challenge(t, match.ID(rapid.StringN(1, 20, 60).Draw(rt, "id")), rapid.IntRange(0, 1e6).Draw(rt, "minutes"))
		r.Match.Rules = rapid.SampledFrom(engine.AllRules()).Draw(rt, "rules")
		if rapid.Bool().Draw(rt, "from a position?") {
			p := enginetest.Positions().Draw(rt, "start")
			r.Match.Rules, r.Match.Start = p.Rules(), match.StartText(p.Setup())
			if r.Match.Check() != nil {
				rt.Skip("the game would be over at once")
			}
		}
		r.Match.Seats[1].Name = rapid.StringN(0, 30, 100).Draw(rt, "name")
		r.Match = storagetest.Apply(t, r.Match, match.Accept{By: engine.Black})
		for range rapid.IntRange(0, 60).Draw(rt, "plies") {
			g := r.Match.Game()
			pos := g.Position()
			moves := pos.Moves()
			if r.Match.Phase != match.Playing {
				break
			}
			r.Match = storagetest.Apply(t, r.Match, match.Play{By: r.Match.Turn(), Move: rapid.SampledFrom(moves).Draw(rt, "move")})
		}
		if r.Match.Phase == match.Finished {
			r.Screen.Version = r.Match.Version
		}
		got, err := Read(strings.NewReader(written(t, r)))
		if len(r.Match.ID) > 0 && strings.ContainsFunc(string(r.Match.ID)+r.Match.Seats[1].Name, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }) {
			return // text does not keep control characters
		}
		if err != nil {
			rt.Fatalf("%v\n%s", err, written(t, r))
		}
		if d := cmp.Diff([]storage.Record{kept(r)}, got); d != "" {
			rt.Fatal(d)
		}
	})
}

func TestEveryBrokenGameIsReported(t *testing.T) {
	text := written(t, games(t)...)
	text = strings.Replace(text, "1. ", "1. a1-b2 ", 1)
	text = strings.Replace(text, `[WhiteLevel "3"]`, `[WhiteLevel "9"]`, 1)
	records, err := Read(strings.NewReader(text))
	if len(records) != 0 || err == nil || strings.Count(err.Error(), "\n") != 1 ||
		!strings.Contains(err.Error(), "game 1, ") || !strings.Contains(err.Error(), "game 3 ") {
		t.Errorf("%d records, error %v", len(records), err)
	}
}

func TestAnErrorNamesTheGame(t *testing.T) {
	text := written(t, games(t)...)
	for name, tt := range map[string]struct {
		old, new string
		game     int
		says     string
	}{
		"an illegal move":       {"1. ", "1. a1-b2 ", 1, "line "},
		"no player":             {`[WhiteUser "ann"]`, "", 1, "WhiteUser"},
		"no channel":            {`[Channel "c1"]`, "", 1, "Channel"},
		"an unknown level":      {`[WhiteLevel "3"]`, `[WhiteLevel "9"]`, 3, "WhiteLevel"},
		"a malformed time":      {`[Created "`, `[Created "x`, 1, "Created"},
		"no version":            {`[Version "11"]`, `[Version "0"]`, 1, "Version"},
		"a result, no ending":   {`[Termination "resignation"]`, "", 2, "over"},
		"an unknown ending":     {`"resignation"`, `"boredom"`, 2, "boredom"},
		"the same game twice":   {`[Game "machine"]`, `[Game "on"]`, 3, "same ID"},
		"an unknown colour":     {`[Challenger "`, `[Challenger "x`, 1, "colour"},
		"the same person twice": {`[BlackUser "bob"]`, `[BlackUser "ann"]`, 1, "against"},
		"a malformed start":     {` b 3 7"]`, ` b 3 0"]`, 6, "move number"},
		"a start that is over":  {` b 3 7"]`, ` b 60 7"]`, 6, "cannot start"},
		"a game of other text":  {`[Event "Lasca on Discord"]`, "1. c3-d4 *\n\n[Event \"Lasca on Discord\"]", 1, "not a game as lascabot exports it"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(text, tt.old, tt.new, 1)
			if bad == text {
				t.Fatalf("%q is not in\n%s", tt.old, text)
			}
			_, err := Read(strings.NewReader(bad))
			var e *Error
			if !errors.As(err, &e) || e.Game != tt.game || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("error %v", err)
			}
			if got := strings.Split(bad, "\n")[e.Line-1]; !strings.HasPrefix(got, "[") && !strings.HasPrefix(got, "1.") {
				t.Errorf("line %d is %q", e.Line, got)
			}
		})
	}
}

func TestALongTextIsRead(t *testing.T) {
	var b bytes.Buffer
	one := games(t)[0]
	const n = notation.MaxGames + 500
	for i := range n {
		one.Match.ID = match.ID(fmt.Sprint("g", i))
		if err := Write(&b, one); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(&b)
	if err != nil || len(got) != n {
		t.Errorf("%d games, %v", len(got), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, games(f)...))
	f.Add("")
	f.Add("1. c3-d4 *")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range records {
			if err := r.Check(); err != nil {
				t.Fatalf("read a record that the stores refuse: %v", err)
			}
		}
		again, err := Read(strings.NewReader(written(t, records...)))
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, written(t, records...))
		}
		if d := cmp.Diff(records, again); d != "" {
			t.Fatal(d)
		}
	})
}
