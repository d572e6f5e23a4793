package i18n_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/i18n"
)

func TestFor(t *testing.T) {
	for locale, want := range map[string]string{
		"de": "de", "de-DE": "de", "de-AT": "de", "DE": "de",
		"en": "en", "en-US": "en", "en-GB": "en",
		"it": "it", "fr": "fr", "fr-CA": "fr",
		"es-ES": "es", "es-419": "es", "es": "es", "es-MX": "es",
		"nl": "en", "ro": "en", "ja": "en", "zh-TW": "en", "pt-BR": "en",
		"": "en", "-": "en", "no such thing": "en", "de\x00": "en", "x-private": "en", "🙂": "en",
	} {
		if got := i18n.For(locale).Tag(); got != want {
			t.Errorf("For(%q) is %q, want %q", locale, got, want)
		}
	}
}

func TestLocales(t *testing.T) {
	list := i18n.Locales()
	if len(list) < 2 || list[0] != "en" {
		t.Fatalf("%q: English comes first, and there is another", list)
	}
	for _, tag := range list {
		if got := i18n.For(tag).Tag(); got != tag {
			t.Errorf("For(%q) is %q", tag, got)
		}
	}
}

func TestT(t *testing.T) {
	t.Run("fills placeholders", func(t *testing.T) {
		if got, want := i18n.For("de").T(i18n.MachineAt, "Level", 4), "Lasca (Stufe 4)"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("leaves what is filled in alone", func(t *testing.T) {
		const name = `{{.Level}} <b> "a" & 'b' %d`
		if got, want := i18n.For("en").T(i18n.ChallengeWhite, "Name", name), name+" plays White."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("returns an unknown key", func(t *testing.T) {
		if got := i18n.For("de").T("no.such.key", "Name", "x"); got != "no.such.key" {
			t.Errorf("%q", got)
		}
	})
	t.Run("leaves out an optional part without its data", func(t *testing.T) {
		if got, want := i18n.For("en").T(i18n.ErrNotTurn), "It is not your turn."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("takes malformed data", func(t *testing.T) {
		if got, want := i18n.For("en").T(i18n.ErrNotTurn, "Who", "Ann", 7, "x", "left over"), "It is not your turn: Ann is to move."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestN(t *testing.T) {
	for n, want := range map[int]string{
		1: "macht einen Gefangenen", 0: "macht 0 Gefangene", 2: "macht 2 Gefangene", 11: "macht 11 Gefangene",
	} {
		if got := i18n.For("de").N(i18n.HintTakes, n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got, want := i18n.For("en").N(i18n.EvalForced, 3, "Side", "White"), "White wins by force in 3 moves."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNHasWordsForEveryNumber looks at numbers with a form of their own in some
// language: 0 is like 1 in French, and a million is unlike a thousand in three.
func TestNHasWordsForEveryNumber(t *testing.T) {
	for _, tag := range i18n.Locales() {
		l := i18n.For(tag)
		for _, n := range []int{3, 999_999, 1_000_000, 2_000_000, 1_000_001} {
			want := strings.Replace(l.N(i18n.DataBlocked, 2), "2", strconv.Itoa(n), 1)
			if got := l.N(i18n.DataBlocked, n); got != want {
				t.Errorf("%s: %q, want %q", tag, got, want)
			}
		}
	}
	if got, want := i18n.For("fr").N(i18n.DataBlocked, 0), "• Tu bloques 0 personne."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func ExampleLang_T() {
	fmt.Println(i18n.For("en-GB").T(i18n.NoteTakenBack, "Name", "Ann"))
	fmt.Println(i18n.For("de").T(i18n.NoteTakenBack, "Name", "Ann"))
	// Output:
	// Ann took a move back.
	// Ann hat einen Zug zurückgenommen.
}
