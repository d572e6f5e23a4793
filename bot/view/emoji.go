package view

import (
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// offBoard fills the squares that are not played on. It is an emoji of Unicode's,
// which takes a fiftieth of the characters that one of the application's own does.
const offBoard = "⬛"

// EmojiName names the emoji that shows a tile, as in "w_officer_2_over_3_d188". A
// screen reader reads it out, so it says what is on the square: the commander, how
// many pieces it has on top if they are several, and how many prisoners are below;
// "many" is more than render.MaxTileCount. The end tells the pictures of one version
// of the program from those of another. It has 2 to 32 letters, digits and lines.
func EmojiName(t render.Tile) string {
	name := ""
	switch t.Kind {
	case render.TileColumn:
		name = map[engine.Color]string{engine.White: "w", engine.Black: "b"}[t.Top.Color()]
		if t.Top.IsOfficer() {
			name += "_officer"
		} else {
			name += "_soldier"
		}
		if t.Own > 1 || t.Prisoners > 0 {
			name += "_" + tileCount(t.Own)
		}
		if t.Prisoners > 0 {
			name += "_over_" + tileCount(t.Prisoners)
		}
	case render.TileEmpty:
		name = "empty"
	case render.TileLeft:
		name = "left"
	case render.TileTarget:
		name = "target"
	case render.TileMoved:
		name = "moved"
	case render.TilePicked:
		name = "chosen"
	case render.TileFile:
		name = string(rune('a' + t.Index))
	case render.TileRank:
		name = string(rune('1' + t.Index))
	}
	return name + "_" + render.TilesVersion
}

func tileCount(n uint8) string {
	if n > render.MaxTileCount {
		return "many"
	}
	return fmt.Sprint(n)
}

// EmojiSet is what the application has of its own emoji, ready to be put into text.
// It does not change.
type EmojiSet struct{ by map[render.Tile]string }

// NewEmojiSet makes a set of the application's emoji, given their IDs by name. It
// leaves out those that are not named by [EmojiName].
func NewEmojiSet(ids map[string]string) *EmojiSet {
	set := &EmojiSet{by: map[render.Tile]string{}}
	for _, t := range render.Tiles() {
		if id := ids[EmojiName(t)]; id != "" {
			set.by[t] = "<:" + EmojiName(t) + ":" + id + ">"
		}
	}
	return set
}

// Emoji draws a scene's board in the application's emoji, and below it the columns
// that these do not tell in full, from the commander down. It reports false if the
// set lacks one that it needs.
func (set *EmojiSet) Emoji(l i18n.Lang, s render.Scene) (text string, ok bool) {
	if set == nil {
		return "", false
	}
	s = drawn(s)
	ok = true
	var b strings.Builder
	put := func(t render.Tile) {
		b.WriteString(set.by[t])
		ok = ok && set.by[t] != ""
	}
	// tile is what shows a square, and beside what stands to the right of it.
	tile := func(sq engine.Square) (at render.Tile, whole bool) {
		at, whole = render.TileOf(s.Board.Stacks[sq])
		switch {
		case at.Kind != render.TileEmpty:
		case s.Targets.Has(sq):
			at.Kind = render.TileTarget
		case s.Last != 0 && s.Last.From() == sq:
			at.Kind = render.TileLeft
		}
		return at, whole
	}
	beside := func(sq engine.Square) render.TileKind {
		switch {
		case s.Picked.Has(sq):
			return render.TilePicked
		case s.Last != 0 && s.Last.To() == sq:
			return render.TileMoved
		}
		return render.TileEmpty
	}
	at := func(row, col int) (sq engine.Square, rank int, playing bool) {
		rank = 6 - row
		if s.Bottom == engine.Black {
			rank, col = row, 6-col
		}
		sq, playing = engine.SquareAt(col, rank)
		return sq, rank, playing
	}
	var more []string
	for row := range 7 {
		_, rank, _ := at(row, 0)
		put(render.Tile{Kind: render.TileRank, Index: uint8(rank)})
		mark := render.TileEmpty
		for col := range 7 {
			sq, _, playing := at(row, col)
			switch {
			case playing:
				t, whole := tile(sq)
				put(t)
				mark = beside(sq)
				if !whole {
					more = append(more, fmt.Sprintf("`%v %v`", sq, s.Board.Stacks[sq]))
				}
				continue
			case mark != render.TileEmpty:
				put(render.Tile{Kind: mark})
			default:
				b.WriteString(offBoard)
			}
			mark = render.TileEmpty
		}
		if mark != render.TileEmpty {
			put(render.Tile{Kind: mark})
		}
		b.WriteByte('\n')
	}
	b.WriteString(offBoard)
	for col := range 7 {
		file := col
		if s.Bottom == engine.Black {
			file = 6 - col
		}
		put(render.Tile{Kind: render.TileFile, Index: uint8(file)})
	}
	if len(more) > 0 {
		b.WriteString("\n-# " + l.T(i18n.EmojiMore, "Columns", strings.Join(more, " ")))
	}
	return b.String(), ok
}

// OldEmoji reports whether a name is that of an emoji which another version of the
// program has uploaded for a tile.
func OldEmoji(name string) bool {
	i := strings.LastIndexByte(name, '_')
	if i < 0 || len(name[i+1:]) != len(render.TilesVersion) || name[i+1:] == render.TilesVersion {
		return false
	}
	for _, t := range render.Tiles() {
		if EmojiName(t) == name[:i+1]+render.TilesVersion {
			return true
		}
	}
	return false
}
