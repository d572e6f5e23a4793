package view_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/storage"
)

func TestEscape(t *testing.T) {
	const zwsp, isolate, end = "\u200b", "\u2068", "\u2069"
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Ann Müller 7", "Ann Müller 7"},
		{"bold", "**Ann**", `\*\*Ann\*\*`},
		{"spoiler", "||x||", `\|\|x\|\|`},
		{"code", "`x`", "\\`x\\`"},
		{"link", "[a](http://b)", `\[a\]\(http\:` + zwsp + `//b\)`},
		{"bare link", "https://x.y", `https\:` + zwsp + `//x.` + zwsp + `y`},
		{"invite", "discord.gg/abc", `discord.` + zwsp + `gg/abc`},
		{"numbered list", "1. Ann", `1.` + zwsp + ` Ann`},
		{"initial", "Ann B.", `Ann B.` + zwsp},
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

// markdown are the forms that Discord's markdown turns into something else than
// text, and links are those that a client may turn into a link by itself, after
// the markdown is read.
var (
	markdown = regexp.MustCompile(strings.Join([]string{
		`(^|[^\\])<`,                           // mentions, timestamps, channels, emoji
		`@(everyone|here|[!&]?[0-9])`,          // mentions
		`\][(]`,                                // [a](b)
		`(?m)^ *([-*+>]|>>>|#{1,3}|-#|\d+\.) `, // lists, quotes, headings
	}, "|"))
	links = regexp.MustCompile(`(?i)[a-z]:[^\s\x{200b}]|[\pL\pN-][.．。｡][\pL\pN-]`)
)

// meansMore reports whether Discord shows a text as more than its characters.
func meansMore(text string) bool {
	return markdown.MatchString(text) || links.MatchString(text) || links.MatchString(strings.ReplaceAll(text, `\`, ""))
}

func TestNamesNeverBecomeLinksOrMarkdown(t *testing.T) {
	texts := []string{
		"https://x.y", "HTTP://x", "discord.gg/abc", "discord.com/invite/abc", "discord。gg/abc", "www.x.y", "mailto:a@b.c", "steam://run",
		"<https://x.y>", "<t:0>", "<t:0:R>", "<#6>", "<@1>", "<@!1>", "<@&1>", "<:a:1>", "<a:b:1>", "</lasca play:7>", "<id:guide>", "@here",
		"[a](b)", "[a](https://x.y)", "1. a", "23. a", "- a", "* a", "+ a", "# a", "## a", "### a", "-# a", "> a", ">>> a", "1.", "-", "#", "-#", ">",
		"h\u200bttps://x.y", "https:\u200b//x.y", "discord\u200d.\u200dgg/abc",
	}
	for _, text := range texts {
		// A name may stand at the beginning of a line, with words after it.
		if got := view.Escape(text) + " is to move"; meansMore(got) {
			t.Errorf("%+q is shown as %+q", text, got)
		}
	}
}

func TestJoinersOfScriptsAndEmojiSurvive(t *testing.T) {
	for language, name := range map[string]string{
		"Persian":                    "می\u200cخواهم",
		"Persian with a vowel":       "مِی\u200cخواهم",
		"Arabic":                     "ه\u200dه",
		"Hindi":                      "र्\u200dक",
		"Hindi kept apart":           "क्\u200cष",
		"Marathi":                    "दर्\u200dया",
		"Bengali":                    "র\u200d্যাব",
		"Kannada":                    "ರ\u200d್ಕ",
		"Sinhala":                    "ශ්\u200dරී",
		"Malayalam, end of word":     "അവന്\u200d",
		"Malayalam, before a blank":  "അവന്\u200d ബി",
		"Sinhala, end of word":       "ක්\u200d",
		"Khmer":                      "ប៊\u200cី",
		"Tibetan":                    "བསྒྲུབས",
		"Hebrew with points":         "שּׁ\u05b8לום",
		"family":                     "👨\u200d👩\u200d👧",
		"skin tone":                  "👩🏽\u200d🌾",
		"burning heart":              "❤\ufe0f\u200d🔥",
		"health worker":              "🧑\u200d⚕\ufe0f",
		"pirate flag":                "🏴\u200d☠\ufe0f",
		"flag of Wales":              "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
		"flag of Germany":            "🇩🇪",
		"head that shakes":           "🙂\u200d↔\ufe0f",
		"keycap":                     "1\ufe0f\u20e3",
		"emoji newer than the table": "\U0001fae9",
		"variant of a character":     "葛\U000e0100城",
	} {
		if got := view.CleanName(name); got != name {
			t.Errorf("%s: %+q becomes %+q", language, name, got)
		}
	}
}

func TestJoinersThatJoinNothingAreDropped(t *testing.T) {
	const end = "\U000e007f"
	for in, want := range map[string]string{
		"a\u200db\u200cc":       "abc",
		"\u200dم":               "م",
		"م\u200c":               "م",
		"م\u200c a":             "م a",
		"م \u200cم":             "م م",
		"م\u200c\u200c\u200dم":  "م\u200cم",
		"م\u200dA":              "مA",
		"ന് \u200dന":            "ന് ന",
		"ന്\u200d\u200cന":       "ന്\u200dന",
		"😀\u200c😀":              "😀😀",
		"😀\u200d":               "😀",
		"😀\u200da":              "😀a",
		"\u200d\u200c\ufe0f":    "",
		"a\U000e0067" + end:     "a",
		"🏴" + end:               "🏴",
		"🏴\U000e0067\U000e0062": "🏴",
		"🏴" + strings.Repeat("\U000e0067", 7) + end:   "🏴",
		strings.Repeat("x", 31) + "م\u200cم":          strings.Repeat("x", 31) + "م",
		strings.Repeat("x", 30) + "م\u200cم":          strings.Repeat("x", 30) + "م",
		strings.Repeat("x", 31) + "🏴\U000e0067" + end: strings.Repeat("x", 31),
	} {
		if got := view.CleanName(in); got != want {
			t.Errorf("%+q becomes %+q, want %+q", in, got, want)
		}
	}
}

func TestNamesOfEveryRightToLeftScriptAreIsolated(t *testing.T) {
	for _, name := range []string{"דוד", "عمر", "ܐܒܐ", "ߒߞߏ", "𞤀𞤣", "𐤀𐤁", "𐡀𐡁", "ﷲ"} {
		if got := view.Escape("a " + name); got != "\u2068a "+name+"\u2069" {
			t.Errorf("%+q is shown as %+q", name, got)
		}
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

// FuzzCleanName checks that a cleaned name is short, clean of what hides or turns
// text apart from joiners, stays as it is when it is cleaned again, and is shown as the name that
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
			tag := r > 0xe0020 && r <= 0xe007f && strings.ContainsRune(got, '🏴')
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && r != '\u200c' && r != '\u200d' && !tag {
				t.Errorf("%q keeps %U", name, r)
			}
		}
		if got != "" && !strings.ContainsFunc(got, seen) {
			t.Errorf("%q becomes %+q, which shows nothing", name, got)
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

// seen reports whether a character shows something by itself.
func seen(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point) || r >= 0x1f000 && r <= 0x1faff
}

// FuzzEscape checks that nothing in an escaped text has a meaning in markdown,
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
		if meansMore(got + " is to move") {
			t.Fatalf("%+q becomes %+q, which formats, mentions or links", text, got)
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

// TestACutLabelLeavesNoIsolateOpen: what follows a name from right to left is not turned,
// wherever the label is cut.
func TestACutLabelLeavesNoIsolateOpen(t *testing.T) {
	other := strings.Repeat("🙂", 32)
	for n := range 33 {
		name := strings.Repeat("ע", n) + strings.Repeat("a", 32-n)
		for _, names := range [][2]string{{name, other}, {other, name}, {name, name}} {
			m := matchOf(true, engine.White, engine.Kawu, names)
			for _, c := range view.Watching(i18n.For("en-US"), "stranger", []storage.Record{{Match: m}}, 0).Rows {
				for _, b := range c {
					readable(t, "label", b.Label, view.MaxLabel)
				}
			}
		}
	}
}
