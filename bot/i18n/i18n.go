// Package i18n holds every sentence that people read, in each language, and
// picks the language.
//
// # Design
//
// The catalogs are locales/<tag>.json, embedded and read with go-i18n, which
// brings the plural rules. The Spanish one is for es-ES and es-419. Their keys are
// the constants in keys.go and the names of commands and options that package
// discord lists. Tests check that every language has every key, with the same
// placeholders, and that no key is left over. English is the base and the fallback.
//
// Sentences that one person sees are in that person's language; those in a
// channel are in the server's. That choice is the caller's.
package i18n

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed locales/*.json
var files embed.FS

// Key names a sentence.
type Key string

// Lang is one language. The zero value is not usable; call [For].
type Lang struct {
	tag string
	loc *i18n.Localizer
}

// catalog is what the embedded files hold, read once.
var catalog = load()

type languages struct {
	tags    []language.Tag // English first, as the matcher's fallback
	langs   []Lang
	matcher language.Matcher
}

// load reads the catalogs. They are part of the program, so a fault in one stops
// it at once.
func load() languages {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	names, err := fs.Glob(files, "locales/*.json")
	if err != nil {
		panic(err)
	}
	c := languages{tags: []language.Tag{language.English}}
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
			panic(fmt.Sprintf("i18n: %s: %v", name, err))
		}
		tag := language.MustParse(strings.TrimSuffix(path.Base(name), ".json"))
		if tag != language.English {
			c.tags = append(c.tags, tag)
		}
	}
	for _, tag := range c.tags {
		c.langs = append(c.langs, Lang{tag.String(), i18n.NewLocalizer(bundle, tag.String())})
	}
	c.matcher = language.NewMatcher(c.tags)
	return c
}

// Locales returns the tags of the languages there are, English first.
func Locales() []string {
	list := make([]string, len(catalog.langs))
	for i, l := range catalog.langs {
		list[i] = l.tag
	}
	return list
}

// For returns the language that suits a locale as Discord writes it, such as
// "de" or "en-GB": English when it is empty, malformed or not supported.
func For(locale string) Lang {
	if tag, err := language.Parse(locale); err == nil {
		if _, i, c := catalog.matcher.Match(tag); c != language.No {
			return catalog.langs[i]
		}
	}
	return catalog.langs[0]
}

// Tag returns the language's tag, such as "de".
func (l Lang) Tag() string { return l.tag }

// T returns a sentence. The data are its placeholders' names and values in turn:
// name, value, name, value. For a key without a sentence, which tests rule out
// for the keys of this program, it returns the key.
func (l Lang) T(key Key, data ...any) string {
	return l.localize(&i18n.LocalizeConfig{MessageID: string(key), TemplateData: fields(data)})
}

// N returns a sentence that depends on a number, which it may write as
// {{.PluralCount}}. The form "other" stands in for one that the catalog lacks, such as
// that for a million in Italian.
func (l Lang) N(key Key, n int, data ...any) string {
	f := fields(data)
	f["PluralCount"] = n
	return l.localize(&i18n.LocalizeConfig{MessageID: string(key), PluralCount: n, TemplateData: f})
}

func (l Lang) localize(c *i18n.LocalizeConfig) string {
	text, err := l.loc.Localize(c)
	if err != nil && text == "" {
		return c.MessageID
	}
	return text
}

func fields(data []any) map[string]any {
	m := make(map[string]any, len(data)/2+1)
	for i := 0; i+1 < len(data); i += 2 {
		if name, ok := data[i].(string); ok {
			m[name] = data[i+1]
		}
	}
	return m
}
