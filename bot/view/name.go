package view

import (
	"strings"
	"unicode"
)

// maxName is the most characters of a person's name that are kept, Discord's own
// limit.
const maxName = 32

// maxMarks is the most marks that a letter may carry in a name. More would cover
// the lines above and below.
const maxMarks = 2

// CleanName makes a person's name harmless to the text around it: it drops
// characters that control, hide or reverse text and piles of marks, turns
// blanks into single spaces and keeps at most 32 characters. Markdown stays. The
// result is "" if nothing visible is left, and cleaning it again changes nothing.
//
// Clean a name where it enters. What shows it cleans it too, because a stored name
// may come from a version that did not.
func CleanName(name string) string {
	clean, _ := cleanName(name)
	return clean
}

// cleanName is [CleanName] and reports whether anything was cut off.
func cleanName(name string) (clean string, cut bool) {
	var b strings.Builder
	n, marks, blank := 0, 0, false
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Zs) || looksBlank(r):
			blank = n > 0
			continue
		case !unicode.IsGraphic(r):
			// Controls, formats (zero width, direction), private use, unassigned.
			continue
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks || n == 0 || blank {
				continue
			}
		default:
			marks = 0
		}
		room := maxName - n
		if blank {
			room--
		}
		if room < 1 {
			return b.String(), true
		}
		if blank {
			b.WriteByte(' ')
			n, blank = n+1, false
		}
		b.WriteRune(r)
		n++
	}
	return b.String(), false
}

// looksBlank reports characters that count as letters, marks or symbols and yet
// show nothing.
func looksBlank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return false
}

// Escape makes text from outside harmless in Discord's markdown. It is cleaned as
// by [CleanName] and marked where that cuts it; no character of it formats,
// mentions or links; and writing from right to left does not turn what stands
// around it. Text without anything to see becomes "?".
func Escape(text string) string {
	var b strings.Builder
	for _, r := range plain(text) {
		if strings.ContainsRune("\\*_~`|>#[]()<:-+", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if r == '@' {
			b.WriteRune('\u200b') // keeps @everyone apart even where a backslash does not
		}
	}
	return b.String()
}

// plain is [Escape] for places that know no markdown.
func plain(text string) string {
	name, cut := cleanName(text)
	if name == "" {
		return "?"
	}
	if cut {
		name += "…"
	}
	if strings.ContainsFunc(name, rightToLeft) {
		const isolate, end = "\u2068", "\u2069"
		return isolate + name + end
	}
	return name
}

func rightToLeft(r rune) bool { return unicode.In(r, rightToLeftScripts...) }

var rightToLeftScripts = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic,
	unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Mende_Kikakui,
}
