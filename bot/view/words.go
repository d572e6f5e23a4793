package view

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// mention writes a person so that Discord shows their name, and notifies them if
// the message allows it.
func mention(u match.UserID) string { return "<@" + string(u) + ">" }

// seatName returns who plays a side, escaped.
func seatName(l i18n.Lang, s match.Seat) string { return seatNameAs(l, s, Escape) }

// plainSeatName is [seatName] where markdown is not read.
func plainSeatName(l i18n.Lang, s match.Seat) string { return seatNameAs(l, s, plain) }

func seatNameAs(l i18n.Lang, s match.Seat, write func(string) string) string {
	if words := nameless(l, s); words != "" {
		return words
	}
	return write(s.Name)
}

// nameless returns the words for a seat that has no person's name to show, ""
// for one that has. A name that is the ID, which stands in where the name was not
// known, counts as none.
func nameless(l i18n.Lang, s match.Seat) string {
	switch {
	case s.Machine():
		return l.T(i18n.MachineAt, "Level", s.Level)
	case s == (match.Seat{}):
		return l.T(i18n.Anyone)
	case s.User == storage.Deleted:
		return l.T(i18n.Deleted)
	case s.Name == "" || s.Name == string(s.User):
		return l.T(i18n.Someone)
	}
	return ""
}

// colorName returns "White" or "Black" in a language.
func colorName(l i18n.Lang, c engine.Color) string {
	if c == engine.White {
		return l.T(i18n.ColorWhite)
	}
	return l.T(i18n.ColorBlack)
}

// disc returns the emoji of a side.
func disc(c engine.Color) string {
	if c == engine.White {
		return "⚪"
	}
	return "⚫"
}

// rulesName returns what people call a ruleset.
func rulesName(l i18n.Lang, r engine.Rules) string {
	switch r {
	case engine.MindSports:
		return l.T(i18n.RulesMind)
	case engine.Lasker:
		return l.T(i18n.RulesLasker)
	}
	return l.T(i18n.RulesKawu)
}

// termsOf returns what people call a match's ruleset, and what else its players have
// agreed on that is not usual.
func termsOf(l i18n.Lang, m *match.Match, sep string) string {
	words := rulesName(l, m.Rules)
	if m.Terms.Rated {
		words += sep + l.T(i18n.BoardRated)
	}
	if m.Terms.Hints {
		words += sep + l.T(i18n.BoardHints)
	}
	return words
}

// timeOf returns how long each side has for a move.
func timeOf(l i18n.Lang, m *match.Match) string {
	if days := moveDays(m); days > 0 {
		return l.N(i18n.TermsDays, days)
	}
	return l.T(i18n.TermsNoLimit)
}

// unusualTime is [timeOf] where it is not what most games have, "" elsewhere. sep
// stands before it.
func unusualTime(l i18n.Lang, m *match.Match, sep string) string {
	limit, timed := m.Limit()
	if timed && limit == match.MoveTime || m.Seats[0].Machine() || m.Seats[1].Machine() {
		return ""
	}
	return sep + timeOf(l, m)
}

// listed is the most squares or moves that a sentence lists.
const listed = 10

// some joins a list as alternatives, bold. It cuts a long one and marks the cut.
func some[T interface{ String() string }](l i18n.Lang, items []T) string {
	if len(items) > listed {
		return strings.Join(bold(items[:listed]), ", ") + ", …"
	}
	return alternatives(l, bold(items))
}

// alternatives joins words as "a, b or c".
func alternatives(l i18n.Lang, words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " " + l.T(i18n.ListOr) + " " + words[n-1]
	}
}

// bold makes each item bold.
func bold[T interface{ String() string }](items []T) []string {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = "**" + item.String() + "**"
	}
	return words
}

// numbered writes moves of a match as "11. c3xe5xg7 e7-d6", or "11… e7-d6" if
// the first of them is Black's. first is the ply of that move, counted from 0. The
// moves need not have been made yet.
func numbered(m *match.Match, first int, moves []engine.Move) string {
	start := m.StartPosition()
	setup := start.Setup()
	var b strings.Builder
	for i, mv := range moves {
		number, side := setup.Ply(first + i)
		switch {
		case side == engine.White:
			b.WriteString(strconv.Itoa(number) + ". ")
		case i == 0:
			b.WriteString(strconv.Itoa(number) + "… ")
		}
		b.WriteString(mv.String() + " ")
	}
	return strings.TrimSpace(b.String())
}

// timestamp writes a time so that each reader sees it relative to now.
func timestamp(t time.Time) string { return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":R>" }

// date writes a time so that each reader sees the day in words.
func date(t time.Time) string { return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":D>" }

// length counts the characters of a text as the limits in this package do.
func length(text string) int {
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// clip cuts a text after at most most characters, as [length] counts them, and marks the
// cut. A name that [plain] keeps from turning what stands around it does not do so when
// it is cut either.
func clip(text string, most int) string {
	if length(text) <= most {
		return text
	}
	n, open := 0, 0
	for i, r := range text {
		room := most - 1 // for the mark
		if open > 0 || r == isolate {
			room-- // and for the end
		}
		if n += max(utf16.RuneLen(r), 1); n > room {
			text = text[:i] + "…"
			if open > 0 {
				text += string(isolateEnd)
			}
			return text
		}
		switch r {
		case isolate:
			open++
		case isolateEnd:
			open--
		}
	}
	return text
}
