package notation

import (
	"strings"
	"unicode"
)

// TidyMove returns the text of a move in plain characters and without what does
// not belong to it:
//
//   - full-width characters become ASCII, and dashes and arrows of every kind
//     become "-", crosses "x", white space and quotes a space;
//   - invisible characters go;
//   - a move number in front goes, if a dot follows it: "12.", "12…", "12. …";
//   - signs at the end go: * + . ! ?
//
// What it does not know stays. [FindMove] tidies by itself; TidyMove is for
// comparing a text that somebody is still typing.
func TidyMove(text string) string {
	text = strings.TrimLeft(strings.Map(plainRune, text), " *")
	if rest := strings.TrimLeft(text, "0123456789"); rest != text {
		after := strings.TrimLeft(rest, " .")
		if strings.Contains(rest[:len(rest)-len(after)], ".") {
			text = after
		}
	}
	return strings.TrimRight(text, " *+.!?")
}

// plainRune returns the ASCII character that a character of a move stands for, -1
// if it is invisible, and itself if it stands for none.
func plainRune(r rune) rune {
	if r >= '！' && r <= '～' { // the full-width forms of ASCII, in its order
		r -= '！' - '!'
	}
	switch {
	case r == '`' || r == '´' || unicode.IsSpace(r) || unicode.Is(unicode.Quotation_Mark, r):
		return ' '
	case strings.ContainsRune("~=>", r) || unicode.In(r, unicode.Dash, dashes):
		return '-'
	case strings.ContainsRune("×✕✖⨯", r):
		return 'x'
	case r == '、' || r == '､':
		return ','
	case strings.ContainsRune("…‥。｡", r):
		return '.'
	case strings.ContainsRune("‼⁇⁈⁉", r):
		return '!'
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return -1
	}
	return r
}

// dashes are arrows, and what people type or paste as a dash although Unicode does
// not count it as one.
var dashes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x02d7, Hi: 0x02d7, Stride: 1}, // modifier letter minus
		{Lo: 0x2043, Hi: 0x2043, Stride: 1}, // hyphen bullet
		{Lo: 0x2190, Hi: 0x21ff, Stride: 1}, // arrows
		{Lo: 0x2500, Hi: 0x2501, Stride: 1}, // box drawing
		{Lo: 0x25b6, Hi: 0x25ba, Stride: 1}, // triangles to the right
		{Lo: 0x2794, Hi: 0x2794, Stride: 1},
		{Lo: 0x2796, Hi: 0x2796, Stride: 1}, // heavy minus
		{Lo: 0x2798, Hi: 0x27af, Stride: 1}, // arrows among the dingbats
		{Lo: 0x27b1, Hi: 0x27be, Stride: 1},
		{Lo: 0x27f0, Hi: 0x27ff, Stride: 1}, // supplemental arrows
		{Lo: 0x2900, Hi: 0x297f, Stride: 1},
		{Lo: 0x2b00, Hi: 0x2b11, Stride: 1},
		{Lo: 0x2b30, Hi: 0x2b4f, Stride: 1},
		{Lo: 0x2b5a, Hi: 0x2bb8, Stride: 1},
		{Lo: 0x30fc, Hi: 0x30fc, Stride: 1}, // the long vowel mark of Japanese keyboards
		{Lo: 0xff70, Hi: 0xff70, Stride: 1}, // its half-width form
		{Lo: 0xffe9, Hi: 0xffec, Stride: 1}, // half-width arrows
	},
	R32: []unicode.Range32{{Lo: 0x1f800, Hi: 0x1f8ff, Stride: 1}},
}
