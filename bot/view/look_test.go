package view_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

func TestLettersTakeThePlaceOfThePicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		l := i18n.For("en")
		picture, letters := view.Game(l, view.Look{}, &m, nil), view.Game(l, view.Look{Letters: true}, &m, nil)
		if picture.Picture == nil || letters.Picture != nil {
			t.Fatal("picture and letters are mixed up")
		}
		if want := picture.Text + "\n" + view.Letters(l, picture.Picture.Scene.Board, picture.Picture.Scene.Bottom); letters.Text != want {
			t.Errorf("%s", letters.Text)
		}
		if !slices.EqualFunc(buttons(picture), buttons(letters), func(a, b view.Button) bool { return a.Label == b.Label }) {
			t.Error("other buttons")
		}
	})
}

func TestLookFromSettings(t *testing.T) {
	for _, tt := range []struct {
		set  storage.Settings
		want view.Look
	}{
		{storage.Settings{}, view.Look{Theme: render.Wood}},
		{storage.Settings{Theme: "dark"}, view.Look{Theme: render.Dark}},
		{storage.Settings{Theme: "contrast", Text: true}, view.Look{Theme: render.Contrast, Letters: true}},
		{storage.Settings{Theme: "a theme of the future"}, view.Look{Theme: render.Wood}},
		{storage.Settings{Buttons: "moves"}, view.Look{Moves: true}},
		{storage.Settings{Theme: "dark", Buttons: "columns"}, view.Look{Theme: render.Dark}},
	} {
		if got := view.LookFrom(tt.set); got != tt.want {
			t.Errorf("%+v becomes %+v, want %+v", tt.set, got, tt.want)
		}
	}
}

func TestMenuOffersEveryOtherLook(t *testing.T) {
	m := running(t)
	for _, l := range languages() {
		for _, theme := range render.Themes() {
			for _, letters := range []bool{false, true} {
				moves := letters // either once
				got := map[intent.Look]bool{}
				for _, b := range buttons(view.More(l, view.Look{Theme: theme, Letters: letters, Moves: moves}, &storage.Record{Match: m}, engine.White, start)) {
					if in, ok := b.Intent.(intent.Look); ok && !b.Disabled {
						got[in] = true
					}
				}
				want := map[intent.Look]bool{{Text: map[bool]string{false: "on", true: "off"}[letters]}: true}
				want[intent.Look{Buttons: map[bool]string{false: "moves", true: "columns"}[moves]}] = true
				for _, other := range render.Themes() {
					if other != theme || letters {
						want[intent.Look{Theme: other.String()}] = true
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v, in letters: %t:\n%s", theme, letters, diff)
				}
			}
		}
	}
}
