package discord

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

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
		"\u3164\u2800\u115f":               "", // looks like nothing
		"\u0301\u0301abc":                  "abc",
		"e\u0301\u0301\u0301\u0301\u0301x": "e\u0301\u0301\u0301x",
		strings.Repeat("x", 40):            strings.Repeat("x", 32),
		strings.Repeat("x", 31) + " y":     strings.Repeat("x", 31),
		strings.Repeat("😀", 33):            strings.Repeat("😀", 32),
		"bad\xffbyte":                      "badbyte",
		"":                                 "",
	} {
		if got := CleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// FuzzCleanName holds that a cleaned name is short, clean of what hides or
// turns text, and stays as it is when it is cleaned again.
func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"Ann", "a\u202eb", " \u3164x ", "e\u0301\u0301\u0301\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := CleanName(name)
		if utf8.RuneCountInString(got) > MaxName || !utf8.ValidString(got) || got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Errorf("%q becomes %q", name, got)
		}
		for _, r := range got {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) {
				t.Errorf("%q keeps %U", name, r)
			}
		}
		if again := CleanName(got); again != got {
			t.Errorf("%q becomes %q, then %q", name, got, again)
		}
	})
}
