package view_test

import (
	"slices"
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

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"Ann":                              "Ann",
		"  Ann \t\n of  Cleves ":           "Ann of Cleves",
		"Zoë":                              "Zoë",
		"李小龙":                              "李小龙",
		"@everyone":                        "@everyone", // who is reached is not decided by the text
		"```x*":                            "```x*",
		"a\u202eb\u202dc\u2066d\u2069":     "abcd", // turns the text around
		"a\u200bb\u200dc\ufeff":            "abc",  // hidden
		"a\x00\x1b[31mb":                   "a[31mb",
		"a\u3164\u00a0b":                   "a b",
		"\u3164\u2800\u115f":               "", // looks like nothing
		"\u0301\u0301abc":                  "abc",
		"e\u0301\u0301\u0301\u0301\u0301x": "e\u0301\u0301x",
		strings.Repeat("x", 40):            strings.Repeat("x", 32),
		strings.Repeat("x", 31) + " y":     strings.Repeat("x", 31),
		strings.Repeat("😀", 33):            strings.Repeat("😀", 32),
		"bad\xffbyte":                      "bad\ufffdbyte",
		"":                                 "",
	} {
		if got := view.CleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// FuzzCleanName holds that a cleaned name is short, clean of what hides or turns
// text, stays as it is when it is cleaned again, and is shown as the name that
// was never cleaned is.
func FuzzCleanName(f *testing.F) {
	for _, name := range slices.Concat(nasty, []string{"Ann", "a\u202eb", " \u3164x ", "e\u0301\u0301\u0301\u0301", "a \u0301\u0301b"}) {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := view.CleanName(name)
		if utf8.RuneCountInString(got) > 32 || !utf8.ValidString(got) || got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Errorf("%q becomes %q", name, got)
		}
		for _, r := range got {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) {
				t.Errorf("%q keeps %U", name, r)
			}
		}
		if again := view.CleanName(got); again != got {
			t.Errorf("%q becomes %q, then %q", name, got, again)
		}
		// All that cleaning may cost is the mark of a cut.
		shown := func(name string) string {
			return strings.TrimSuffix(strings.TrimSuffix(view.Escape(name), "\u2069"), "…")
		}
		if old, now := shown(name), shown(got); now != old {
			t.Errorf("%q is shown as %q, and as %q when it is cleaned before", name, old, now)
		}
	})
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
