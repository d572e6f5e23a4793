package view_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

func TestEmojiNamesAreDiscords(t *testing.T) {
	form := regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)
	seen := map[string]bool{}
	for _, tile := range render.Tiles() {
		name := view.EmojiName(tile)
		if !form.MatchString(name) || seen[name] || !strings.HasSuffix(name, "_"+render.TilesVersion) {
			t.Errorf("%+v is called %q", tile, name)
		}
		seen[name] = true
	}
	if len(seen) > 2000 {
		t.Errorf("%d emoji are more than an application may have", len(seen))
	}
	for tile, want := range map[render.Tile]string{
		{Top: engine.WhiteOfficer, Own: 2, Prisoners: 3}: "w_officer_2_over_3_",
		{Top: engine.BlackSoldier, Own: 1}:               "b_soldier_",
		{Top: engine.BlackSoldier, Own: 9, Prisoners: 9}: "b_soldier_many_over_many_",
	} {
		if got := view.EmojiName(tile); got != want+render.TilesVersion {
			t.Errorf("%+v is called %q", tile, got)
		}
	}
}

// fullest are the boards with the longest text: as many columns as possible whose
// emoji have long names and which are written in full below besides.
func fullest() []engine.Setup {
	var list []engine.Setup
	for height := 1; height <= 8; height++ {
		s := engine.Setup{Number: 1}
		left := [2]int{engine.MaxHeight / 2, engine.MaxHeight / 2}
		for sq := range s.Stacks {
			var pieces []engine.Piece
			for i := range height {
				c := engine.Color((i + sq) % 2)
				if left[c] == 0 {
					break
				}
				left[c]--
				pieces = append(pieces, engine.Officer(c))
			}
			if len(pieces) > 0 {
				s.Stacks[sq] = engine.StackOf(pieces...)
			}
		}
		list = append(list, s)
	}
	return list
}

// The board leaves a message 300 characters, even with IDs of twenty digits. More is
// rare; then the board is in letters.
func TestEmojiBoardsLeaveRoomForTheText(t *testing.T) {
	most := 0
	check := func(t tb, s engine.Setup) {
		for _, l := range languages() {
			scene := render.Scene{Board: s, Last: move("c3-d4"), Picked: render.Squares(engine.Square(24)), Targets: render.Squares(0, 1, 2, 3)}
			text, ok := wholeSet().Emoji(l, scene)
			if !ok {
				t.Fatalf("an emoji is missing:\n%s", text)
			}
			fits(t, "board in emoji", text, view.MaxText-300)
			most = max(most, units(text))
		}
	}
	for _, s := range fullest() {
		check(t, s)
	}
	for h := 1; h <= engine.MaxHeight; h++ {
		check(t, tower(h))
	}
	rapid.Check(t, func(t *rapid.T) { check(t, boards().Draw(t, "board")) })
	t.Logf("at most %d characters", most)
}

func TestEmojiBoardsOfEveryMatchFitOrAreInLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		for _, l := range languages() {
			msg := view.Game(l, view.Look{Boards: view.InEmoji, Emoji: wholeSet()}, &m, nil)
			keeps(t, msg)
			if msg.Picture != nil {
				t.Error("a picture")
			}
		}
	})
}

func TestABoardWithoutAllItsEmojiIsInLetters(t *testing.T) {
	m := moves(t, running(t), "c3-d4")
	l := i18n.For("en")
	letters := view.Game(l, view.Look{Boards: view.InLetters}, &m, nil)
	for _, tile := range []render.Tile{{Kind: render.TileLeft}, {Top: engine.BlackSoldier, Own: 1}, {Kind: render.TileFile, Index: 6}} {
		ids := map[string]string{}
		for _, other := range render.Tiles() {
			if other != tile {
				ids[view.EmojiName(other)] = "1234567890123456789"
			}
		}
		if got := view.Game(l, view.Look{Boards: view.InEmoji, Emoji: view.NewEmojiSet(ids)}, &m, nil); got.Text != letters.Text {
			t.Errorf("without %+v:\n%s", tile, got.Text)
		}
	}
	text := view.Game(l, view.Look{Boards: view.InEmoji, Emoji: wholeSet()}, &m, nil).Text
	for _, want := range []string{"<:left_", "<:moved_"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if slices.Contains(strings.Split(text, "\n"), "") {
		t.Errorf("an empty line in\n%s", text)
	}
}

func TestAnEmojiBoardThatDoesNotFitIsInLetters(t *testing.T) {
	for n, want := range map[int]bool{300: false, 700: true} {
		msg := view.Message{Text: strings.Repeat("x", n)}
		view.Show(&msg, i18n.For("en"), view.Look{Boards: view.InEmoji, Emoji: wholeSet()}, render.Scene{Board: fullest()[0]})
		if strings.Contains(msg.Text, "```") != want {
			t.Errorf("behind %d characters:\n%s", n, msg.Text)
		}
		fits(t, "message", msg.Text, view.MaxText)
	}
}
