package view

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// maxName is the most characters of a person's name that are shown.
const maxName = 32

// Escape makes text from outside harmless in Discord's markdown: no character
// of it formats, mentions or links, control and direction marks are dropped,
// and it is cut after 32 characters.
func Escape(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		switch {
		case n == maxName:
			return b.String() + "…"
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
			continue
		case strings.ContainsRune("\\*_~`|>#[]()<:@-+", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		n++
	}
	if strings.TrimSpace(b.String()) == "" {
		return "?"
	}
	return b.String()
}

// mention writes a person so that Discord shows the name, and notifies where
// the message allows it.
func mention(u match.UserID) string { return "<@" + string(u) + ">" }

// seatName returns who sits at a colour, escaped.
func seatName(l i18n.Lang, s match.Seat) string {
	switch {
	case s.Machine():
		return l.T(i18n.MachineAt, "Level", s.Level)
	case s.Name == "":
		return l.T(i18n.Someone)
	}
	return Escape(s.Name)
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

// clip cuts a text to a number of characters, at a rune's boundary.
func clip(text string, most int) string {
	n := 0
	for i := range text {
		if n == most-1 && len(text) > i {
			if rest := []rune(text[i:]); len(rest) > 1 {
				return text[:i] + "…"
			}
		}
		n++
	}
	return text
}
