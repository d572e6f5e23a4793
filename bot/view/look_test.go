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
		picture, letters := view.Game(l, view.Look{}, &m, nil), view.Game(l, view.Look{Boards: view.InLetters}, &m, nil)
		if picture.Picture == nil || letters.Picture != nil {
			t.Fatal("picture and letters are mixed up")
		}
		scene := picture.Picture.Scene
		if scene.Partial != 0 { // the picture is drawn with the jumps made
			scene.Board.Jump(scene.Partial)
		}
		if want := picture.Text + "\n" + view.Letters(l, scene.Board, scene.Bottom); letters.Text != want {
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
		{storage.Settings{Theme: "contrast", Text: true}, view.Look{Theme: render.Contrast, Boards: view.InLetters}},
		{storage.Settings{Emoji: true}, view.Look{Boards: view.InEmoji}},
		{storage.Settings{Theme: "a theme of the future"}, view.Look{Theme: render.Wood}},
		{storage.Settings{Buttons: "moves"}, view.Look{Moves: true}},
		{storage.Settings{Theme: "dark", Buttons: "columns"}, view.Look{Theme: render.Dark}},
	} {
		if got := view.LookFrom(tt.set, nil); got != tt.want {
			t.Errorf("%+v becomes %+v, want %+v", tt.set, got, tt.want)
		}
	}
}

func TestMenuOffersEveryOtherLook(t *testing.T) {
	m := running(t)
	for _, l := range languages() {
		for _, theme := range render.Themes() {
			for boards, moves := range map[view.Boards]bool{view.InPictures: false, view.InEmoji: true, view.InLetters: true} {
				got := map[intent.Look]bool{}
				for _, b := range buttons(view.More(l, view.Look{Theme: theme, Boards: boards, Moves: moves}, &m, engine.White, m.Moved, start)) {
					if in, ok := b.Intent.(intent.Look); ok && !b.Disabled {
						got[in] = true
					}
				}
				want := map[intent.Look]bool{}
				for other, name := range map[view.Boards]string{view.InEmoji: intent.InEmoji, view.InLetters: intent.Letters, view.InPictures: intent.Pictures} {
					if other != boards {
						want[intent.Look{Boards: name}] = true
					}
				}
				want[intent.Look{Buttons: map[bool]string{false: "moves", true: "columns"}[moves]}] = true
				for _, other := range render.Themes() {
					if other != theme && boards == view.InPictures {
						want[intent.Look{Theme: other.String()}] = true
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v, boards %d:\n%s", theme, boards, diff)
				}
			}
		}
	}
}
