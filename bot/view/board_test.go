package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

func TestBoardMessageKeepsDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := matches().Draw(t, "match"), looks().Draw(t, "look")
		for _, l := range languages() {
			for _, path := range prefixes(m.Game().Position()) {
				keeps(t, view.Game(l, look, &m, path))
			}
		}
	})
}

func TestBoardAsksThePersonToMoveInThisVersionOfTheGame(t *testing.T) {
	l := i18n.For("en")
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		pos := m.Game().Position()
		for _, path := range prefixes(pos) {
			msg := view.Game(l, view.Look{}, &m, path)
			got := steps(msg, path)
			if m.Seats[m.Turn()].Machine() {
				if len(got) > 0 {
					t.Errorf("the machine is to move, and buttons lead to %v", got)
				}
				continue
			}
			bare := turn(pos, path)
			bare.Bottom = msg.Picture.Scene.Bottom
			want := steps(asked(l, bare), path)
			for i := range want {
				want[i].Ref = intent.Ref{Game: m.ID, Version: m.Version}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after %v a turn in this position offers (-), the board (+):\n%s", path, diff)
			}
			if s := msg.Picture.Scene; s.Must != bare.Scene(render.Wood).Must || s.Targets != bare.Scene(render.Wood).Targets {
				t.Errorf("after %v the picture marks %b and %b", path, s.Must, s.Targets)
			}
		}
	})
}

func TestOnlyThoseWhoHoldUpTheGameAreNotified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		var want []match.UserID
		add := func(s match.Seat) {
			if !s.Machine() && !slices.Contains(want, s.User) {
				want = append(want, s.User)
			}
		}
		switch m.Phase {
		case match.Proposed:
			add(m.Seats[m.By.Other()])
		case match.Playing:
			if m.Offer != nil {
				add(m.Seats[m.Offer.By.Other()])
			}
			if m.Request != nil {
				add(m.Seats[m.Request.By.Other()])
			}
			if len(want) == 0 {
				add(m.Seats[m.Turn()])
			}
		}
		for _, l := range languages() {
			if got := view.Game(l, view.Look{}, &m, nil).Notify; !slices.Equal(got, want) {
				t.Errorf("%v are notified, want %v", got, want)
			}
		}
	})
}

func TestButtonsOfEachState(t *testing.T) {
	l := i18n.For("en")
	two := matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"})
	on := after(t, two, match.Accept{By: engine.Black})
	bot := matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"})
	open := openMatch(t, match.Terms{Days: 7, Rated: true})
	hints := on
	hints.Terms.Hints = true
	botFirst := matchOf(false, engine.Black, engine.Kawu, [2]string{"Ann"})
	for _, c := range []struct {
		name string
		m    match.Match
		want string
	}{
		{"challenge", two, "Accept Decline Block Withdraw"},
		{"open challenge", open, "Join Withdraw"},
		{"open challenge that was withdrawn", after(t, open, match.Withdraw{By: engine.White}), ""},
		{"hints are agreed on", hints, "Step Hint Draw AskResign More"},
		{"answered challenge", after(t, two, match.Decline{By: engine.Black}), ""},
		{"first move", on, "Step Plan Draw AskResign More"},
		{"later move", after(t, on, moveBy(engine.White, "c3-d4")), "Step Plan Undo Draw AskResign More"},
		{"first move against the machine", bot, "Step Hint Draw AskResign More"},
		{"the machine thinks", after(t, bot, moveBy(engine.White, "c3-d4")), "Undo Draw AskResign More"},
		{"the machine has moved first", after(t, botFirst, moveBy(engine.White, "c3-b4")), "Step Hint Draw AskResign More"},
		{"draw offer", after(t, on, match.OfferDraw{By: engine.White}), "Step Plan AcceptDraw DeclineDraw DropDraw AskResign More"},
		{"draw offer to the machine", after(t, bot, match.OfferDraw{By: engine.White}), "Step Hint AskResign More"},
		{
			"draw offer and request to take back",
			after(t, on, moveBy(engine.White, "c3-d4"), match.OfferDraw{By: engine.Black}, match.RequestUndo{By: engine.White, To: 0}),
			"Step Plan AcceptDraw DeclineDraw AllowUndo RefuseUndo DropUndo DropDraw AskResign More",
		},
		{"end", after(t, on, moveBy(engine.White, "c3-d4"), match.Resign{By: engine.White}), "Rematch Review Film GameText"},
		{"end without a move", after(t, on, match.Resign{By: engine.White}), "Rematch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[string]bool{}
			for _, name := range strings.Fields(c.want) {
				want[name] = true
			}
			if diff := cmp.Diff(want, intents(view.Game(l, view.Look{}, &c.m, nil))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPersonIsAtTheBottomAgainstTheMachineOtherwiseWhite(t *testing.T) {
	for _, c := range []struct {
		name   string
		people bool
		me     engine.Color
		want   engine.Color
	}{
		{"White between people", true, engine.White, engine.White},
		{"White between people, whoever challenges", true, engine.Black, engine.White},
		{"the person as White", false, engine.White, engine.White},
		{"the person as Black", false, engine.Black, engine.Black},
	} {
		m := matchOf(c.people, c.me, engine.Kawu, [2]string{"Ann", "Ben"})
		if c.people {
			m = after(t, m, match.Accept{By: c.me.Other()})
		}
		if got := view.Game(i18n.For("en"), view.Look{}, &m, nil).Picture.Scene.Bottom; got != c.want {
			t.Errorf("%s: %v is at the bottom", c.name, got)
		}
	}
}

func TestPictureNameChangesWithWhatItShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		if m.Seats[m.Turn()].Machine() {
			return
		}
		seen := map[string]render.Scene{}
		for _, theme := range render.Themes() {
			for _, path := range prefixes(m.Game().Position()) {
				p := view.Game(i18n.For("en"), view.Look{Theme: theme}, &m, path).Picture
				if other, ok := seen[p.Name]; ok && other != p.Scene {
					t.Errorf("two pictures are named %s", p.Name)
				}
				seen[p.Name] = p.Scene
			}
		}
	})
}

func TestBoardShowsTheMachinesMoveWithTheOneItAnswers(t *testing.T) {
	bot := moves(t, matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"}), "c3-b4", "a5xc3")
	two := moves(t, running(t), "c3-b4", "a5xc3")
	for _, c := range []struct {
		m    match.Match
		text string
		prev engine.Move
	}{
		{bot, "`1. c3-b4 a5xc3`", move("c3-b4")},
		{two, "`1… a5xc3`", 0},
	} {
		msg := view.Game(i18n.For("en"), view.Look{}, &c.m, nil)
		if !strings.Contains(msg.Text, c.text) {
			t.Errorf("no %s in %s", c.text, msg.Text)
		}
		if s := msg.Picture.Scene; s.Last != move("a5xc3") || s.Previous != c.prev {
			t.Errorf("the picture shows %v, then %v", s.Previous, s.Last)
		}
	}
}

func TestEveryNoticeHasItsSentence(t *testing.T) {
	m := running(t)
	for _, l := range languages() {
		seen := map[string]bool{view.Game(l, view.Look{}, &m, nil).Text: true}
		for _, kind := range texts(t, "../../engine/match", "NoticeKind") {
			m := m
			m.Notice = &match.Notice{Kind: match.NoticeKind(kind), By: engine.Black}
			text := view.Game(l, view.Look{}, &m, nil).Text
			if seen[text] {
				t.Errorf("%s: %s has no sentence of its own: %s", l.Tag(), kind, text)
			}
			seen[text] = true
		}
	}
}
