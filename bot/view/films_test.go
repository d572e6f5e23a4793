package view_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

func TestFilmsKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		for _, l := range languages() {
			film, _ := view.Film(l, view.Look{}, &m)
			private(t, film)
			if len(m.Moves) > 0 {
				replay, _ := view.Replay(l, view.Look{}, &m, engine.Black)
				private(t, replay)
			}
		}
	})
}

func TestFilmsShowTheMovesAsPlayed(t *testing.T) {
	m := moves(t, running(t), "c3-b4", "a5xc3")
	_, film := view.Film(i18n.For("en"), view.Look{}, &m)
	_, replay := view.Replay(i18n.For("en"), view.Look{}, &m, engine.Black)
	after := m.Game().Position()
	pos := after.Setup()
	frames, err := film()
	if err != nil {
		t.Fatal(err)
	}
	if first := frames[0].Scene.Board; first.Stacks != engine.StartSetup(m.Rules).Stacks {
		t.Errorf("the film begins with %v", first)
	}
	if last := frames[len(frames)-1].Scene; last.Board.Stacks != pos.Stacks || last.Bottom != engine.White {
		t.Errorf("the film ends with %v", last)
	}
	if frames, err = replay(); err != nil {
		t.Fatal(err)
	}
	if last := frames[len(frames)-1].Scene; last.Board.Stacks != pos.Stacks || last.Bottom != engine.Black {
		t.Errorf("the replay ends with %v", last)
	}
}

func TestGameTextReadsBackAsTheGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		for _, l := range languages() {
			msg := view.GameText(l, &m)
			private(t, msg)
			g, err := notation.ReadGame(strings.NewReader(string(msg.File.Data)))
			if err != nil {
				t.Fatalf("%v:\n%s", err, msg.File.Data)
			}
			pos := m.StartPosition()
			if g.Start != pos.Setup() || len(g.Moves) != len(m.Moves) || g.Result != m.Result {
				t.Errorf("reads as %+v", g)
			}
		}
	})
}

func TestGameTextNamesThePlayersAsTheyAre(t *testing.T) {
	m := moves(t, matchOf(false, engine.White, engine.Lasker, [2]string{`*Ann* "O"`}), "c3-d4", "e5xc3")
	m = after(t, m, match.Resign{By: engine.White})
	const want = `[Event "Lasca on Discord"]
[Date "2026.03.01"]
[White "*Ann* \"O\""]
[Black "Lasca level 4"]
[Result "0-1"]
[Rules "lasker"]
[Termination "resignation"]

1. c3-d4 e5xc3 0-1
`
	msg := view.GameText(i18n.For("en"), &m)
	if got := string(msg.File.Data); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if msg.File.Name != "lasca-1234567890123456789.txt" {
		t.Errorf("the file is called %s", msg.File.Name)
	}
}

func TestGameTextCallsPlayersWithoutAKnownNameByAWord(t *testing.T) {
	const id = "9876543210987654321"
	for _, l := range languages() {
		for _, c := range []struct {
			seat match.Seat
			want string
		}{
			{match.Seat{User: storage.Deleted}, l.T(i18n.Deleted)},
			{match.Seat{User: storage.Deleted, Name: "Ann"}, l.T(i18n.Deleted)},
			{match.Seat{User: id}, l.T(i18n.Someone)},
			{match.Seat{User: id, Name: id}, l.T(i18n.Someone)},
			{match.Seat{User: id, Name: "*Ann*"}, "*Ann*"},
		} {
			m := running(t)
			m.Seats[engine.Black] = c.seat
			if text := string(view.GameText(l, &m).File.Data); !strings.Contains(text, `[Black "`+c.want+`"]`) {
				t.Errorf("%s: %+v should be called %q:\n%s", l.Tag(), c.seat, c.want, text)
			}
		}
	}
}
