package view

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// mention writes a person so that Discord shows the name, and notifies where
// the message allows it.
func mention(u match.UserID) string { return "<@" + string(u) + ">" }

// seatName returns who sits at a colour, escaped.
func seatName(l i18n.Lang, s match.Seat) string { return seatNameAs(l, s, Escape) }

// plainSeatName is [seatName] for places that know no markdown.
func plainSeatName(l i18n.Lang, s match.Seat) string { return seatNameAs(l, s, plain) }

func seatNameAs(l i18n.Lang, s match.Seat, write func(string) string) string {
	if words := nameless(l, s); words != "" {
		return words
	}
	return write(s.Name)
}

// nameless returns what is said of a seat for which there is no person's name to
// be shown, "" when there is one. A name that is the ID, as it is where nothing
// better was known, says nothing to anybody.
func nameless(l i18n.Lang, s match.Seat) string {
	switch {
	case s.Machine():
		return l.T(i18n.MachineAt, "Level", s.Level)
	case s.User == storage.Deleted:
		return l.T(i18n.Deleted)
	case s.Name == "" || s.Name == string(s.User):
		return l.T(i18n.Someone)
	}
	return ""
}

// PlayerName returns who sits at a colour, for the text of a game that other
// programs read: neither escaped nor cut.
func PlayerName(l i18n.Lang, s match.Seat) string {
	return cmp.Or(nameless(l, s), s.Name)
}

// colorName returns "White" or "Black" in a language.
func colorName(l i18n.Lang, c engine.Color) string {
	if c == engine.White {
		return l.T(i18n.ColorWhite)
	}
	return l.T(i18n.ColorBlack)
}

// disc is the small picture of a colour in text.
func disc(c engine.Color) string {
	if c == engine.White {
		return "⚪"
	}
	return "⚫"
}

// rulesName returns the name for people of a ruleset.
func rulesName(l i18n.Lang, r engine.Rules) string {
	switch r {
	case engine.MindSports:
		return l.T(i18n.RulesMind)
	case engine.Lasker:
		return l.T(i18n.RulesLasker)
	}
	return l.T(i18n.RulesKawu)
}

// listed is the most squares or moves that a sentence lists.
const listed = 10

// some joins the first of a list as alternatives, bold, and tells when there are
// more.
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

// numbered writes the last plies of a game as "11. c3xe5xg7 e7-d6", or
// "11… e7-d6" when the first of them is Black's.
func numbered(moves []engine.Move, from int) string {
	var b strings.Builder
	for i := max(from, 0); i < len(moves); i++ {
		switch {
		case i%2 == 0:
			b.WriteString(strconv.Itoa(i/2+1) + ". ")
		case i == from:
			b.WriteString(strconv.Itoa(i/2+1) + "… ")
		}
		b.WriteString(moves[i].String() + " ")
	}
	return strings.TrimSpace(b.String())
}

// length counts the characters of a text as the limits in this package do.
func length(text string) int {
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// clip cuts a text to a number of characters, between two of them, and marks the
// cut.
func clip(text string, most int) string {
	if length(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += max(utf16.RuneLen(r), 1); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}
