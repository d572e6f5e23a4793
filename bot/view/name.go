package view

import (
	"strings"
	"unicode"
)

// maxName is the most characters of a person's name that are kept, Discord's own
// limit.
const maxName = 32

// maxMarks is the most marks of no particular script that a letter may carry in
// a name, and maxScriptMarks the most if a script's own are among them, as in
// Tibetan and Hebrew. More would cover the lines above and below.
const (
	maxMarks       = 2
	maxScriptMarks = 3
)

// CleanName makes a person's name harmless to the text around it: it drops
// characters that control, hide or reverse text and piles of marks, turns
// blanks into single spaces and keeps at most 32 characters. Joiners stay where
// a script or an emoji needs them, and Markdown stays. The result is "" if
// nothing visible is left, and cleaning it again changes nothing.
//
// Clean a name where it enters. What shows it cleans it too, because a stored name
// may come from a version that did not.
func CleanName(name string) string {
	clean, _ := cleanName(name)
	return clean
}

// cleanName is [CleanName] and reports whether anything was cut off.
func cleanName(name string) (clean string, cut bool) {
	var c cleaner
	runes := []rune(name)
	for len(runes) > 0 {
		n := max(1, flagLen(runes))
		if !c.take(runes[:n]) {
			return c.b.String(), true
		}
		runes = runes[n:]
	}
	return c.b.String(), false
}

// cleaner builds a clean name. Blanks and joiners wait until a character follows
// that they stand before.
type cleaner struct {
	b      strings.Builder
	n      int // characters written
	marks  int // since base, with those that were dropped
	base   rune
	last   rune
	blank  bool
	joiner rune
}

// take reads one character, or a flag of several, and returns false if it no
// longer fits.
func (c *cleaner) take(unit []rune) bool {
	switch r := unit[0]; {
	case unicode.Is(unicode.Zs, r) || looksBlank(r):
		c.blank = c.n > 0
	case r == zwj && !c.blank && isVirama(c.last):
		return c.write(unit) // shapes the letter before it, even at the end of a word
	case r == zwj || r == zwnj:
		if c.n > 0 && !c.blank && c.joiner == 0 && c.last != zwj {
			c.joiner = r
		}
	case !unicode.IsGraphic(r) && !isEmoji(r):
		// Controls, formats (zero width, direction), private use, unassigned.
	case unicode.In(r, unicode.Mn, unicode.Me):
		c.marks++
		most := maxScriptMarks
		if unicode.Is(unicode.Inherited, r) {
			most = maxMarks
		}
		if c.marks <= most && c.n > 0 && !c.blank {
			return c.write(unit)
		}
	default:
		if !c.write(unit) {
			return false
		}
		c.base, c.marks = r, 0
	}
	return true
}

// write adds characters, and before them the blank or the joiner that waits. It
// returns false and adds nothing if they do not fit.
func (c *cleaner) write(unit []rune) bool {
	var before rune
	switch {
	case c.blank:
		before = ' '
	case c.joiner != 0 && joins(c.base, c.joiner, unit[0]):
		before = c.joiner
	}
	if before != 0 {
		unit = append([]rune{before}, unit...)
	}
	if c.n += len(unit); c.n > maxName {
		return false
	}
	c.b.WriteString(string(unit))
	c.last, c.blank, c.joiner = unit[len(unit)-1], false, 0
	return true
}

// The joiners: invisible characters that join what stands around them, or keep it
// from joining.
const zwnj, zwj = '\u200c', '\u200d'

// joins reports whether a joiner matters between two characters.
func joins(before, joiner, after rune) bool {
	return joiner == zwj && isEmoji(before) && isEmoji(after) ||
		unicode.In(before, joiningScripts...) && unicode.In(after, joiningScripts...)
}

// joiningScripts are the scripts that are written with joiners: those whose letters
// join, and those whose letters form clusters.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Mongolian, unicode.Phags_Pa,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Tai_Tham, unicode.Balinese, unicode.Javanese,
}

// isVirama reports whether r is the sign that takes the vowel from a letter in one
// of the scripts from Devanagari to Sinhala. Their blocks have 128 characters each
// and the same layout, but for the last.
func isVirama(r rune) bool {
	return r >= 0x0900 && r < 0x0d80 && r&0x7f == 0x4d || r == 0x0dca
}

// isEmoji reports whether r may be a part of an emoji of several: a symbol, an
// arrow with heads on both ends, or a place that Unicode keeps for emoji, which
// clients may know before this program does.
func isEmoji(r rune) bool {
	return unicode.Is(unicode.So, r) || r == '↔' || r >= 0x1f000 && r <= 0x1faff
}

// flagLen returns how many characters at the beginning of a text are the flag of a
// region, such as that of Wales: a black flag, invisible tags, and a tag that ends
// them. It is 0 if the text does not begin with one.
func flagLen(text []rune) int {
	const blackFlag, tags, end, most = '\U0001f3f4', 0xe0000, '\U000e007f', 6
	if text[0] != blackFlag {
		return 0
	}
	for i, r := range text[1:] {
		switch tag := r - tags; {
		case r == end && i > 0:
			return i + 2
		case i == most || (tag < '0' || tag > '9') && (tag < 'a' || tag > 'z'):
			return 0
		}
	}
	return 0
}

// looksBlank reports characters that count as letters, marks or symbols and yet
// show nothing.
func looksBlank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u17b5', '\U0001d159':
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
		if strings.ContainsRune("@:.．。｡", r) {
			// An invisible character takes @everyone, addresses and numbered lists
			// apart even where a backslash does not.
			b.WriteRune('\u200b')
		}
	}
	return b.String()
}

// What stands between these does not turn what stands around it.
const isolate, isolateEnd = '\u2068', '\u2069'

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
		return string(isolate) + name + string(isolateEnd)
	}
	return name
}

// rightToLeft reports whether r is in one of the blocks that Unicode keeps for
// scripts written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}
