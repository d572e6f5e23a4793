package view_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// start is when the matches of these tests begin.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// languages returns all languages.
func languages() []i18n.Lang {
	var list []i18n.Lang
	for _, tag := range i18n.Locales() {
		list = append(list, i18n.For(tag))
	}
	return list
}

// nasty are names that try to break out of the text around them.
var nasty = []string{
	"Ann", "@everyone", "@here", "<@999>", "<@&5>", "<#6>", "</lasca play:7>", "<t:0:R>", "**bold**", "`code`", "```", "||x||",
	"# big", "-# small", "- list", "> quote", "[a](https://evil.example)", "https://evil.example", "\\", "a\\", "_",
	"\u202egnol", "\u200b", "\u3164", "", " ", "\n@everyone\n", "عمر", "דוד", "Z\u0351\u036b\u0343\u0351\u036b\u0343algo",
	"http://a.b/c", "www.evil.example", "discord.gg/abc", "discord。gg/abc", "mailto:a@b.c", "1. item", "1.", "<:emoji:1>", "<id:guide>",
	"می\u200cخواهم", "ක්\u200dෂ", "അവന്\u200d", "👨\u200d👩\u200d👧", "❤\ufe0f\u200d🔥", "::::::::::::::::::::::::::::::::",
	"{{.Name}}", "<no value", "W7+", "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂",
	"********************************", "a very long name that goes on and on and on and on and on and on",
}

func names() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(nasty), rapid.StringN(0, 40, -1))
}

// The people of these tests.
const ann, ben match.UserID = "101", "202"

// matchOf makes a match: the challenge of one person to another, or a running game
// of a person against the machine. me is the side of the person who makes it.
func matchOf(people bool, me engine.Color, rules engine.Rules, names [2]string) match.Match {
	n := match.New{ID: "1234567890123456789", Rules: rules, By: me, Expires: start.Add(24 * time.Hour)}
	n.Seats[me] = match.Seat{User: ann, Name: names[0]}
	n.Seats[me.Other()] = match.Seat{Level: 4}
	if people {
		n.Seats[me.Other()] = match.Seat{User: ben, Name: names[1]}
	}
	m, err := match.Start(n, start)
	if err != nil {
		panic(err)
	}
	return m
}

func move(text string) engine.Move {
	mv, err := engine.ParseMove(text)
	if err != nil {
		panic(err)
	}
	return mv
}

func moveBy(by engine.Color, text string) match.Command { return match.Play{By: by, Move: move(text)} }

// after returns a match after commands, a minute each.
func after(t *testing.T, m match.Match, commands ...match.Command) match.Match {
	t.Helper()
	for _, c := range commands {
		next, err := m.Apply(c, m.Changed.Add(time.Minute))
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		m = next
	}
	return m
}

// running returns a game of Ann as White and Ben before its first move.
func running(t *testing.T) match.Match {
	t.Helper()
	return after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
}

// moves returns a match after moves.
func moves(t *testing.T, m match.Match, list ...string) match.Match {
	t.Helper()
	for _, text := range list {
		m = after(t, m, moveBy(m.Turn(), text))
	}
	return m
}

// matches draws matches in every phase: challenges, games with some moves made and
// with open offers and requests, and games that have ended in every way.
func matches() *rapid.Generator[match.Match] {
	return rapid.Custom(func(t *rapid.T) match.Match {
		m := matchOf(
			rapid.Bool().Draw(t, "two people"),
			engine.Color(rapid.IntRange(0, 1).Draw(t, "side")),
			rapid.SampledFrom(engine.AllRules()).Draw(t, "rules"),
			[2]string{names().Draw(t, "my name"), names().Draw(t, "other name")},
		)
		m.Lots = rapid.Bool().Draw(t, "lots")
		now := start
		do := func(c match.Command) {
			now = now.Add(time.Minute)
			if next, err := m.Apply(c, now); err == nil {
				m = next
			}
		}
		if m.Phase == match.Proposed {
			switch rapid.IntRange(0, 9).Draw(t, "answer") {
			case 0: // none yet
			case 1:
				do(match.Decline{By: m.By.Other()})
			case 2:
				do(match.Withdraw{By: m.By})
			case 3:
				now = now.Add(48 * time.Hour)
				do(match.Expire{})
			default:
				do(match.Accept{By: m.By.Other()})
			}
		}
		for _, b := range rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "commands") {
			if m.Phase != match.Playing {
				break
			}
			side := engine.Color(b & 1)
			switch {
			case b < 222:
				pos := m.Game().Position()
				legal := pos.Moves()
				do(match.Play{By: m.Turn(), Move: legal[int(b)%len(legal)]})
			case b < 230:
				do(match.OfferDraw{By: side})
			case b < 238:
				if to, ok := m.UndoPly(side); ok {
					do(match.RequestUndo{By: side, To: to})
				}
			case b < 242:
				do(match.DeclineDraw{By: side})
			case b < 246:
				do(match.DeclineUndo{By: side})
			case b < 248:
				do(match.AcceptUndo{By: side})
			case b < 250:
				do(match.Resign{By: side})
			case b < 252:
				do(match.AcceptDraw{By: side})
			case b < 254:
				now = now.Add(match.MoveTime)
				do(match.Claim{By: side, Told: m.Moved})
			default:
				do(match.Abort{By: side})
			}
		}
		// Open questions are rare by chance.
		side := engine.Color(rapid.IntRange(0, 1).Draw(t, "who asks"))
		if rapid.IntRange(0, 3).Draw(t, "offer") == 0 && m.Offer == nil {
			do(match.OfferDraw{By: side})
		}
		if to, ok := m.UndoPly(side); ok && rapid.IntRange(0, 3).Draw(t, "request") == 0 && !m.Seats[side.Other()].Machine() {
			do(match.RequestUndo{By: side, To: to})
		}
		return m
	})
}

// played draws matches that are running.
func played() *rapid.Generator[match.Match] {
	return matches().Filter(func(m match.Match) bool { return m.Phase == match.Playing })
}

// looks draws ways to see boards.
func looks() *rapid.Generator[view.Look] {
	return rapid.Custom(func(t *rapid.T) view.Look {
		return view.Look{
			Theme:  rapid.SampledFrom([]render.Theme{render.Wood, render.Dark, render.Contrast}).Draw(t, "theme"),
			Boards: rapid.SampledFrom([]view.Boards{view.InPictures, view.InEmoji, view.InLetters}).Draw(t, "boards"),
			Emoji:  rapid.SampledFrom([]*view.EmojiSet{nil, wholeSet()}).Draw(t, "emoji"),
			Moves:  rapid.Bool().Draw(t, "whole moves"),
		}
	})
}

// prefixes returns every beginning of every legal move, the empty one first.
func prefixes(pos engine.Position) [][]engine.Square {
	list := [][]engine.Square{nil}
	for _, mv := range pos.Moves() {
		path := mv.Path()
		for n := 1; n < len(path); n++ {
			if !slices.ContainsFunc(list, func(p []engine.Square) bool { return slices.Equal(p, path[:n]) }) {
				list = append(list, path[:n])
			}
		}
	}
	return list
}
