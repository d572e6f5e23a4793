package render

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"strconv"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
)

// TileEdge is the width and the height of a tile in pixels.
const TileEdge = 128

// MaxTileCount is the highest count that a tile shows as a number. A higher one is
// MaxTileCount+1, drawn as a plus sign.
const MaxTileCount = 8

// TileKind says what a [Tile] shows.
type TileKind uint8

// The kinds of tiles.
const (
	TileColumn TileKind = iota // a column
	TileEmpty                  // an empty playing square
	TileLeft                   // an empty playing square that the last move left
	TileTarget                 // an empty playing square to go to
	TileMoved                  // beside a column: it has just moved
	TilePicked                 // beside a column: it is chosen
	TileFile                   // the letter of a file
	TileRank                   // the number of a rank
)

// Tile is a small square picture of one square of a board, for boards that are put
// together from emoji. Its zero value shows nothing that exists.
type Tile struct {
	Kind TileKind
	// Top, Own and Prisoners describe the column of a TileColumn: its commander, how
	// many pieces of the commander's colour are on top (the commander is one), and how
	// many pieces are below those. Counts are at most MaxTileCount+1.
	Top            engine.Piece
	Own, Prisoners uint8
	Index          uint8 // the file or rank of a TileFile or TileRank, from 0
}

// TileOf returns the tile of a column, or of an empty square. It does not tell which
// of the pieces below the commander are officers, nor the order of more than two
// runs; whole reports whether the column has nothing of that and no count above
// MaxTileCount.
func TileOf(st engine.Stack) (t Tile, whole bool) {
	top, ok := st.Top()
	if !ok {
		return Tile{Kind: TileEmpty}, true
	}
	own := st.Lives()
	below := st.Height() - own
	whole = own <= MaxTileCount && below <= MaxTileCount
	i := 0
	for p := range st.All() {
		whole = whole && (i == 0 || !p.IsOfficer()) && (i < own) == (p.Color() == top.Color())
		i++
	}
	const most = MaxTileCount + 1
	return Tile{Kind: TileColumn, Top: top, Own: uint8(min(own, most)), Prisoners: uint8(min(below, most))}, whole
}

// Tiles returns all tiles, those that boards need most often first.
func Tiles() []Tile {
	list := []Tile{{Kind: TileEmpty}, {Kind: TileLeft}, {Kind: TileTarget}, {Kind: TileMoved}, {Kind: TilePicked}}
	for i := range uint8(7) {
		list = append(list, Tile{Kind: TileFile, Index: i}, Tile{Kind: TileRank, Index: i})
	}
	const most = MaxTileCount + 1
	for height := 1; height <= 2*most; height++ {
		for own := max(1, height-most); own <= min(height, most); own++ {
			for _, top := range []engine.Piece{engine.WhiteSoldier, engine.BlackSoldier, engine.WhiteOfficer, engine.BlackOfficer} {
				list = append(list, Tile{Kind: TileColumn, Top: top, Own: uint8(own), Prisoners: uint8(height - own)})
			}
		}
	}
	return list
}

// PNG draws a tile. The file has at most 16 KiB.
func (t Tile) PNG() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, t.draw()); err != nil { // a buffer takes everything
		panic("render: " + err.Error())
	}
	return b.Bytes()
}

// draw draws a tile on a transparent ground.
func (t Tile) draw() image.Image {
	c := tileCanvas{canvas{dc: gg.NewContext(TileEdge, TileEdge), t: &themeTokens[Wood], faces: map[face]font.Face{}}}
	switch t.Kind {
	case TileColumn:
		c.ground()
		c.column(t)
	case TileEmpty:
		c.ground()
		c.disc(64, 64, 7, c.t.joint, c.t.joint, 1)
	case TileLeft:
		c.ground()
		c.dashedEllipse(64, 64, 34, 34, 8, 0.6, c.t.last, 9)
	case TileTarget:
		c.ground()
		c.ellipse(64, 64, 34, 34)
		c.stroke(c.t.casing, 22)
		c.ellipse(64, 64, 34, 34)
		c.stroke(c.t.sel, 13)
		c.disc(64, 64, 10, c.t.sel, c.t.casing, 4)
	case TileMoved:
		c.pointer(c.t.last, false)
	case TilePicked:
		c.pointer(c.t.sel, true)
	case TileFile:
		c.label(string(rune('a' + t.Index)))
	case TileRank:
		c.label(strconv.Itoa(int(t.Index) + 1))
	}
	return c.dc.Image()
}

type tileCanvas struct{ canvas }

// ground fills the square, so that pieces look the same in every theme of Discord's.
func (c *tileCanvas) ground() { c.plate(64, 64, 128, 128, 12, c.t.play, c.t.play, 0) }

// label writes a coordinate so that it reads on light and on dark.
func (c *tileCanvas) label(word string) {
	c.plate(64, 64, 92, 92, 20, c.t.rail, c.t.rail, 0)
	c.text(word, 64, 64, 84, true, c.t.label)
}

// pointer draws an arrow head to the left, where the column is.
func (c *tileCanvas) pointer(col rgb, double bool) {
	head := func(x float64) {
		c.dc.MoveTo(x, 64)
		c.dc.LineTo(x+52, 24)
		c.dc.LineTo(x+52, 104)
		c.dc.ClosePath()
		c.strokeKeep(c.t.casing, 14)
		c.fill(col)
	}
	if double {
		head(58)
	}
	head(12)
}

// column draws a column: the commander with the number of its own pieces above, and
// a bar with the number of prisoners below.
func (c *tileCanvas) column(t Tile) {
	side := t.Top.Color()
	own := count(t.Own)
	if t.Prisoners == 0 {
		c.piece(64, 64, 112, 112, t)
		switch {
		case t.Own > 1 && t.Top.IsOfficer():
			c.star(64, 32, 22, side)
			c.text(own, 64, 80, 76, true, c.t.piece[side].ink)
		case t.Own > 1:
			c.text(own, 64, 64, 100, true, c.t.piece[side].ink)
		}
		return
	}
	prisoner := c.t.piece[side.Other()]
	c.plate(64, 96, 108, 52, 16, prisoner.face, c.rimOf(side.Other()), 6)
	c.text(count(t.Prisoners), 64, 97, 60, true, prisoner.ink)
	c.piece(64, 38, 118, 66, t)
	switch {
	case t.Own > 1 && t.Top.IsOfficer():
		c.star(36, 39, 24, side)
		c.text(own, 88, 38, 64, true, c.t.piece[side].ink)
	case t.Own > 1:
		c.text(own, 64, 38, 70, true, c.t.piece[side].ink)
	}
}

// rimOf returns the colour of a side's outline, which stands out from the ground and
// from the other side's pieces.
func (c *tileCanvas) rimOf(side engine.Color) rgb {
	if side == engine.White {
		return c.t.piece[side].outline
	}
	return c.t.piece[side].edge
}

// piece draws the face of a commander, with its mark if it stands for one piece.
func (c *tileCanvas) piece(x, y, w, h float64, t Tile) {
	side := t.Top.Color()
	p := &c.t.piece[side]
	c.plate(x, y, w, h, 60, p.face, c.rimOf(side), 6)
	if t.Top.IsOfficer() {
		c.plate(x, y, w-14, h-14, 60, p.face, p.band, 12)
	}
	if t.Own > 1 {
		return
	}
	if t.Top.IsOfficer() {
		c.star(x, y+2, math.Min(h/2-14, 40), side)
		return
	}
	c.plate(x, y, w*0.62, h*0.62, 60, p.face, p.inlay, 7)
	if side == engine.Black {
		c.plate(x, y, w*0.24, h*0.24, 60, p.inlay, p.inlay, 0)
	}
}

// star draws an officer's star.
func (c *tileCanvas) star(x, y, r float64, side engine.Color) {
	for i := range 10 {
		at := r
		if i%2 == 1 {
			at *= 0.44
		}
		sin, cos := math.Sincos(math.Pi * (float64(i)/5 - 0.5))
		c.dc.LineTo(x+at*cos, y+at*sin)
	}
	c.dc.ClosePath()
	c.fill(c.t.piece[side].star)
}

// count writes a count as a tile shows it.
func count(n uint8) string {
	if n > MaxTileCount {
		return "+"
	}
	return strconv.Itoa(int(n))
}

// TilesVersion changes whenever a tile looks different. It is the beginning of a
// hash of all tiles, which a test keeps up to date: a constant, so that processes on
// machines that round differently agree about it, and none has to draw to know it.
const TilesVersion = "d188"

// sampleTiles draws the tiles that boards need most often, first on Discord's dark
// ground and then on its light one, and returns the sheet's width in pixels.
func sampleTiles() (sheet []byte, width int) {
	const across, edge = 16, 48
	list := Tiles()[:8*across]
	half := len(list) / across * edge
	width = across * edge
	dc := gg.NewContext(width, 2*half)
	for i, ground := range []string{"#313338", "#ffffff"} {
		dc.SetHexColor(ground)
		dc.DrawRectangle(0, float64(i*half), float64(width), float64(half))
		dc.Fill()
		for n, t := range list {
			at := image.Rect(0, 0, edge, edge).Add(image.Pt(n%across*edge, i*half+n/across*edge))
			draw.CatmullRom.Scale(dc.Image().(draw.Image), at, t.draw(), image.Rect(0, 0, TileEdge, TileEdge), draw.Over, nil)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, dc.Image()); err != nil { // a buffer takes everything
		panic("render: " + err.Error())
	}
	return b.Bytes(), width
}
