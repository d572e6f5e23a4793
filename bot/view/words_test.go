package view_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/view"
)

func TestEscape(t *testing.T) {
	const zwsp, isolate, end = "\u200b", "\u2068", "\u2069"
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Ann Müller 7", "Ann Müller 7"},
		{"bold", "**Ann**", `\*\*Ann\*\*`},
		{"spoiler", "||x||", `\|\|x\|\|`},
		{"code", "`x`", "\\`x\\`"},
		{"link", "[a](http://b)", `\[a\]\(http\://b\)`},
		{"everyone", "@everyone", "@" + zwsp + "everyone"},
		{"mention", "<@123>", `\<@` + zwsp + `123\>`},
		{"heading", "# x", `\# x`},
		{"backslash", `\`, `\\`},
		{"new line", "a\nb", "ab"},
		{"direction", "\u202eabc\u202c", "abc"},
		{"hidden", "a\u200b\u2060b\u00ad", "ab"},
		{"from right to left", "עמר", isolate + "עמר" + end},
		{"nothing", "", "?"},
		{"nothing to see", " \u200b\u3164\u2800", "?"},
		{"marks alone", "\u0301\u0302", "?"},
		{"marks", "e\u0301\u0302\u0303\u0304!", "e\u0301\u0302!"},
		{"too long", strings.Repeat("x", 33), strings.Repeat("x", 32) + "…"},
		{"just fits", strings.Repeat("ä", 32), strings.Repeat("ä", 32)},
		{"not UTF-8", "a\xffb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := view.Escape(c.in); got != c.want {
				t.Errorf("%+q becomes %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

// FuzzEscape holds that nothing in an escaped text has a meaning in markdown,
// and that what it shows is the beginning of the text.
func FuzzEscape(f *testing.F) {
	for _, name := range nasty {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := view.Escape(text)
		if !utf8.ValidString(got) || strings.TrimSpace(got) == "" {
			t.Fatalf("%+q becomes %+q", text, got)
		}
		var shown strings.Builder
		escaped := false
		for i, r := range got {
			switch {
			case !escaped && r == '\\':
				escaped = true
				continue
			case escaped && !strings.ContainsRune("\\*_~`|>#[]()<:-+", r):
				t.Fatalf("a backslash before %q shows: %+q", r, got)
			case !escaped && strings.ContainsRune("*_~`|>#[]()<:-+", r):
				t.Fatalf("%q formats: %+q", r, got)
			case r == '@' && !strings.HasPrefix(got[i+1:], "\u200b"):
				t.Fatalf("a mention: %+q", got)
			case unicode.IsControl(r):
				t.Fatalf("%U is left: %+q", r, got)
			}
			escaped = false
			if r != '\u200b' && r != '\u2068' && r != '\u2069' {
				shown.WriteRune(r)
			}
		}
		if escaped {
			t.Fatalf("the last backslash escapes what follows: %+q", got)
		}
		if n := utf8.RuneCountInString(shown.String()); n > 33 {
			t.Fatalf("%d characters are shown: %+q", n, got)
		}
	})
}
