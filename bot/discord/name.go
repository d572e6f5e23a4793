package discord

import (
	"strings"
	"unicode"
)

// MaxName is the most characters of a name that [CleanName] leaves, Discord's
// own limit.
const MaxName = 32

// maxMarks is the most combining marks on one letter. Real writing needs up to
// three; towers of them spill over neighbouring lines.
const maxMarks = 3

// CleanName makes a person's name harmless to the text around it: characters
// that control, hide or reverse text are dropped, blanks become single spaces
// and no more than [MaxName] characters are kept. Markdown stays; the caller
// escapes it. The result is empty if nothing visible is left.
func CleanName(name string) string {
	var b strings.Builder
	n, marks, blank := 0, 0, false
	for _, r := range name {
		switch {
		case unicode.IsSpace(r) || looksBlank(r):
			blank = n > 0
			continue
		case r == unicode.ReplacementChar || !unicode.IsGraphic(r):
			// Controls, formats (zero width, direction), private use, unassigned.
			continue
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; marks > maxMarks || n == 0 || blank {
				continue
			}
		default:
			marks = 0
		}
		if blank {
			if n+2 > MaxName {
				break
			}
			b.WriteByte(' ')
			n, blank = n+1, false
		}
		if n == MaxName {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}

// looksBlank reports characters that are letters or symbols by class and show
// nothing.
func looksBlank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return false
}
