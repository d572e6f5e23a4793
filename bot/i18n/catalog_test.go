package i18n_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
)

// message is an entry of a catalog: its texts by plural form. An entry that does
// not depend on a number has only "other".
type message map[string]string

// catalogs reads the files of all languages.
func catalogs(t *testing.T) map[string]map[string]message {
	t.Helper()
	all := map[string]map[string]message{}
	for _, tag := range i18n.Locales() {
		data, err := os.ReadFile("locales/" + tag + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(data, &raw); err != nil {
			t.Fatal(err)
		}
		all[tag] = map[string]message{}
		for key, value := range raw {
			var m message
			var text string
			if json.Unmarshal(value, &text) == nil {
				m = message{"other": text}
			} else if err := json.Unmarshal(value, &m); err != nil {
				t.Fatalf("%s: %s: %v", tag, key, err)
			}
			all[tag][key] = m
		}
	}
	return all
}

// constants returns the keys in keys.go and errorkeys.go by the names of their constants.
func constants(t *testing.T) map[string]string {
	t.Helper()
	keys := map[string]string{}
	for _, name := range []string{"keys.go", "errorkeys.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, name := range spec.Names {
				key, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				keys[name.Name] = key
			}
			return false
		})
	}
	return keys
}

func TestEveryLanguageHasEveryKeyAndNoOther(t *testing.T) {
	want := map[string]bool{}
	for name, key := range constants(t) {
		if want[key] {
			t.Errorf("%s: the key %q has two constants", name, key)
		}
		want[key] = true
	}
	for _, key := range discord.CommandKeys() {
		want[key] = true
	}
	for tag, entries := range catalogs(t) {
		got := map[string]bool{}
		for key, m := range entries {
			got[key] = true
			for form, text := range m {
				if strings.TrimSpace(text) != text || text == "" || strings.Contains(text, "  ") {
					t.Errorf("%s: %s (%s) is empty or has spaces that nobody sees: %q", tag, key, form, text)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: missing (-) and left over (+):\n%s", tag, diff)
		}
	}
}

var placeholder = regexp.MustCompile(`\{\{[^}]*?\.(\w+)[^}]*\}\}`)

// placeholders returns the names of the data that a text shows, sorted.
func placeholders(text string) []string {
	names := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

func TestEveryLanguageHasTheSamePlaceholders(t *testing.T) {
	all := catalogs(t)
	for key, base := range all["en"] {
		want := placeholders(base["other"])
		for tag, entries := range all {
			if diff := cmp.Diff(want, placeholders(entries[key]["other"])); diff != "" {
				t.Errorf("%s: %s:\n%s", tag, key, diff)
			}
			for form, text := range entries[key] {
				for _, name := range placeholders(text) {
					if !slices.Contains(want, name) {
						t.Errorf("%s: %s (%s) has {{.%s}}, which nothing fills", tag, key, form, name)
					}
				}
			}
		}
	}
}

// formsOf returns the plural forms that a language has for whole numbers.
func formsOf(tag string) map[string]bool {
	names := map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
	}
	forms := map[string]bool{}
	for n := range 1000 {
		forms[names[plural.Cardinal.MatchPlural(language.MustParse(tag), n, 0, 0, 0, 0)]] = true
	}
	return forms
}

func TestPluralFormsAreComplete(t *testing.T) {
	all := catalogs(t)
	for tag, entries := range all {
		want := formsOf(tag)
		for key, m := range entries {
			got := map[string]bool{}
			for form := range m {
				got[form] = true
			}
			if counted := len(all["en"][key]) > 1; counted && !cmp.Equal(want, got) || !counted && len(m) > 1 {
				t.Errorf("%s: %s has the forms %v, the language has %v", tag, key, got, want)
			}
		}
	}
}

// TestEveryTextIsTranslated finds texts that were left in English.
func TestEveryTextIsTranslated(t *testing.T) {
	same := map[string][]string{
		"de": {"button.film", "film.title", "alt.side", "choice.boards.emoji"},
		"it": {"button.film", "film.title", "alt.side", "command.privacy.name", "choice.boards.emoji"},
		"fr": {"button.film", "film.title"},
		"es": {"button.film", "film.title", "rating.provisional"},
	}
	all := catalogs(t)
	for tag, entries := range all {
		if tag == "en" {
			continue
		}
		for key, m := range entries {
			if equal := cmp.Equal(m, all["en"][key]); equal != slices.Contains(same[tag], key) {
				t.Errorf("%s: %s: the same as in English: %t, expected %t", tag, key, equal, !equal)
			}
		}
	}
}

// TestPunctuationIsTheLanguagesOwn looks for the quotation marks of another language
// and, in French, for spaces where a line may not break.
func TestPunctuationIsTheLanguagesOwn(t *testing.T) {
	const nbsp, narrow = "\u00a0", "\u202f"
	foreign := map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`[«»„¿¡]|\s[:;!?%]`),
		"de": regexp.MustCompile(`[«»”¿¡]|\s[:;!?]`),
		"it": regexp.MustCompile(`["“”„'¿¡]|\s[:;!?%]`),
		"fr": regexp.MustCompile(`["“”„'¿¡]| [:;!?%»]|« |[^` + narrow + `][;!?]|[^` + nbsp + `]»|«[^` + nbsp + `]|[^` + nbsp + `]:(\s|$)`),
		"es": regexp.MustCompile(`["“”„']|\s[:;!?]| %`),
	}
	code := regexp.MustCompile("`[^`]*`|\\{\\{[^}]*\\}\\}")
	for tag, entries := range catalogs(t) {
		for key, m := range entries {
			for form, text := range m {
				if found := foreign[tag].FindString(code.ReplaceAllString(text, "x")); found != "" {
					t.Errorf("%s: %s (%s) has %q: %q", tag, key, form, found, text)
				}
			}
		}
	}
	if len(foreign) != len(i18n.Locales()) {
		t.Errorf("this test knows %d languages of %d", len(foreign), len(i18n.Locales()))
	}
}

var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// maxCommand is the most characters that Discord takes in the name of a command or
// an option.
const maxCommand = 32

func TestTextsKeepDiscordsLimits(t *testing.T) {
	for tag, entries := range catalogs(t) {
		for key, m := range entries {
			for form, text := range m {
				path := strings.TrimSuffix(strings.Repeat("c3x", engine.MaxPath), "x")
				text = strings.ReplaceAll(text, "{{.Move}}", path)
				n, most := utf8.RuneCountInString(text), view.MaxText
				part, _, _ := strings.Cut(key, ".")
				switch {
				case part == "button":
					most = view.MaxLabel
				case part == "choice", strings.HasSuffix(key, ".description"):
					most = view.MaxChoice // Discord has the same limit for descriptions
				case key == "command.challenge_user.name":
					most = maxCommand
				case strings.HasSuffix(key, ".name"):
					most = maxCommand
					if !commandName.MatchString(text) || text != strings.ToLower(text) {
						t.Errorf("%s: %s: %q is not a valid name for a command or an option", tag, key, text)
					}
				case part == "help", part == "rules":
					most = view.MaxText - 500 // leaves room for a board in letters
				}
				if n > most {
					t.Errorf("%s: %s (%s) has %d characters; Discord takes %d", tag, key, form, n, most)
				}
			}
		}
	}
}

// texts looks up a text of a command as the bot does.
func texts(locale, key string) string { return i18n.For(locale).T(i18n.Key(key)) }

func TestCommandsAreUnambiguousInEveryLanguage(t *testing.T) {
	for _, tag := range i18n.Locales() {
		for _, command := range discord.Commands(texts, []string{tag}) {
			name := func(base string, local map[string]string) string {
				if local[tag] != "" {
					return local[tag]
				}
				return base
			}
			if tag == "en" && command.NameLocalizations["en"] != "" && command.NameLocalizations["en"] != command.Name {
				t.Errorf("the command %q is called %q in English", command.Name, command.NameLocalizations["en"])
			}
			var walk func(where string, options []discord.OptionSpec) int
			walk = func(where string, options []discord.OptionSpec) (size int) {
				seen := map[string]bool{}
				for _, o := range options {
					n := name(o.Name, o.NameLocalizations)
					if seen[n] {
						t.Errorf("%s: %s has two options called %q", tag, where, n)
					}
					if tag == "en" && n != o.Name {
						t.Errorf("%s: the option %q is called %q in English", where, o.Name, n)
					}
					seen[n] = true
					size += len(n) + len(name(o.Description, o.DescriptionLocalizations)) + walk(where+" "+n, o.Options)
					choices := map[string]bool{}
					for _, c := range o.Choices {
						cn := name(c.Name, c.NameLocalizations)
						if choices[cn] {
							t.Errorf("%s: %s %s has two choices called %q", tag, where, n, cn)
						}
						choices[cn] = true
						size += len(cn) + 8
					}
				}
				return size
			}
			if size := walk(command.Name, command.Options); size > 8000 {
				t.Errorf("%s: the texts of /%s have %d bytes, Discord takes 8000", tag, command.Name, size)
			}
		}
	}
}

// TestTextsNameCommandsThatExist checks that a text names a command as the menu
// shows it in the same language.
func TestTextsNameCommandsThatExist(t *testing.T) {
	mentioned := regexp.MustCompile("/lasca ([^` ]+)")
	for tag, entries := range catalogs(t) {
		names := map[string]bool{}
		for key, m := range entries {
			if strings.HasPrefix(key, "command.") && strings.HasSuffix(key, ".name") {
				names[m["other"]] = true
			}
		}
		found := 0
		for key, m := range entries {
			for _, text := range m {
				for _, match := range mentioned.FindAllStringSubmatch(text, -1) {
					found++
					if !names[match[1]] {
						t.Errorf("%s: %s names /lasca %s, which does not exist", tag, key, match[1])
					}
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no text names a command", tag)
		}
	}
}

// call is a call of T or N, or of view.Said, which hands its key and data to T.
type call struct {
	at    string
	key   string // the constant's name
	count bool   // it is N
	data  []string
	whole bool // data is complete: nothing is passed on with ...
}

// lookUps are the functions that look up a text, with the index of their key among
// the arguments.
var lookUps = map[string]int{"T": 0, "N": 0, "Said": 1}

// calls finds where the program looks up texts by a constant key, and every use
// of a constant.
func calls(t *testing.T) (list []call, used map[string]bool) {
	t.Helper()
	used = map[string]bool{}
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		constant := func(e ast.Expr) string {
			if s, ok := e.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "i18n" {
					return s.Sel.Name
				}
			}
			return ""
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if name := constant(e); name != "" {
					used[name] = true
				}
			}
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun := ""
			switch f := c.Fun.(type) {
			case *ast.SelectorExpr:
				fun = f.Sel.Name
			case *ast.Ident:
				fun = f.Name
			}
			at, ok := lookUps[fun]
			if !ok || len(c.Args) <= at {
				return true
			}
			name := constant(c.Args[at])
			if name == "" {
				return true
			}
			found := call{at: files.Position(c.Pos()).String(), key: name, count: fun == "N", whole: !c.Ellipsis.IsValid()}
			args := c.Args[at+1:]
			if found.count {
				args = args[1:]
			}
			for i := 0; i < len(args); i += 2 {
				if lit, ok := args[i].(*ast.BasicLit); ok {
					s, _ := strconv.Unquote(lit.Value)
					found.data = append(found.data, s)
				}
			}
			list = append(list, found)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, used
}

func TestEveryLookUpFillsItsPlaceholders(t *testing.T) {
	list, _ := calls(t)
	names, entries := constants(t), catalogs(t)["en"]
	for _, c := range list {
		m := entries[names[c.key]]
		if c.count != (len(m) > 1) {
			t.Errorf("%s: %s depends on a number: %t, is looked up with one: %t", c.at, c.key, len(m) > 1, c.count)
		}
		want := placeholders(m["other"])
		want = slices.DeleteFunc(want, func(s string) bool { return c.count && s == "PluralCount" })
		for _, name := range want {
			if c.whole && !slices.Contains(c.data, name) {
				t.Errorf("%s: %s shows {{.%s}}, which the call does not give", c.at, c.key, name)
			}
		}
		for _, name := range c.data {
			if !slices.Contains(want, name) {
				t.Errorf("%s: %s does not show %q, which the call gives", c.at, c.key, name)
			}
		}
	}
	if len(list) < 50 {
		t.Errorf("only %d look-ups found", len(list))
	}
}

func TestEveryKeyIsUsed(t *testing.T) {
	_, used := calls(t)
	for name, key := range constants(t) {
		if !used[name] {
			t.Errorf("nothing uses %s (%s)", name, key)
		}
	}
}
