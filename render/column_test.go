package render

import (
	"image"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// columnOf returns a column of n pieces, alternating or in two blocks.
func columnOf(n int, alternating bool, top engine.Piece) engine.Stack {
	var pieces []engine.Piece
	for i := range n {
		p := top
		if alternating && i%2 == 1 || !alternating && i >= (n+1)/2 {
			p = engine.Soldier(top.Color().Other())
		}
		pieces = append(pieces, p)
	}
	return engine.StackOf(pieces...)
}

// TestNoColumnCoversAnotherSquare draws columns of every height on a square in the
// middle. Pixels may change only on that square and on squares that are not played
// on, so that a column never hides a neighbour's commander.
func TestNoColumnCoversAnotherSquare(t *testing.T) {
	skipSlow(t)
	r := New(Options{CacheBytes: -1})
	d4, _ := engine.ParseSquare("d4")
	for _, edge := range []int{360, 720} {
		empty, err := paint(r, Scene{Edge: edge})
		if err != nil {
			t.Fatal(err)
		}
		g := newGeometry(edge)
		for n := 1; n <= engine.MaxHeight; n++ {
			for _, top := range []engine.Piece{engine.WhiteSoldier, engine.BlackSoldier, engine.WhiteOfficer, engine.BlackOfficer} {
				for _, alternating := range []bool{false, true} {
					s := Scene{Edge: edge, Must: Squares(d4)}
					s.Board.Stacks[d4] = columnOf(n, alternating, top)
					im, err := paint(r, s)
					if err != nil {
						t.Fatal(err)
					}
					if sq, pt := firstCovered(&g, empty, im, d4); sq != d4 {
						t.Fatalf("%v of %d pieces at %d pixels covers %v at %v", s.Board.Stacks[d4], n, edge, sq, pt)
					}
				}
			}
		}
	}
}

// firstCovered returns a playing square other than own that has a changed pixel,
// and the pixel. If there is no such square, it returns own.
func firstCovered(g *geometry, before, after *image.Paletted, own engine.Square) (engine.Square, image.Point) {
	for sq := range engine.Square(engine.NumSquares) {
		if sq == own {
			continue
		}
		x0, y0 := g.corner(sq, engine.White)
		for y := y0; y < y0+g.s; y++ {
			for x := x0; x < x0+g.s; x++ {
				if i := y*before.Stride + x; before.Pix[i] != after.Pix[i] {
					return sq, image.Pt(x, y)
				}
			}
		}
	}
	return own, image.Point{}
}

// TestColumnsFitTheirRoom checks that up to 22 pieces of any kind stay within two
// squares, and so within the picture on the far rank.
func TestColumnsFitTheirRoom(t *testing.T) {
	for edge := MinEdge; edge <= MaxEdge; edge++ {
		g := newGeometry(edge)
		for n := 1; n <= engine.MaxHeight; n++ {
			for k := 0; k <= n; k++ {
				soldier, officer := g.thickness(n, k)
				if officer <= soldier || soldier < 2 {
					t.Fatalf("%d pixels, %d pieces, %d officers: %d and %d pixels thick", edge, n, k, soldier, officer)
				}
				// From the lower edge of the foot to the upper edge of the face. In
				// the smallest pictures, two pixels per piece may exceed that.
				if h := (n-k)*soldier + k*officer; g.f >= 47 && g.base-h-int(discA*squash*g.f) < -g.s {
					t.Fatalf("%d pixels, %d pieces, %d officers: %d pixels of rims leave two squares", edge, n, k, h)
				}
			}
		}
	}
}

// TestEveryPieceOfAColumnShows looks at the front of every piece in columns of
// alternating colours, where numbers do not cover the rims. It must find the
// colours of the pieces, in the order of the column.
func TestEveryPieceOfAColumnShows(t *testing.T) {
	r := New(Options{CacheBytes: -1})
	d4, _ := engine.ParseSquare("d4")
	pal := palettes[Wood]()
	empty, err := paint(r, Scene{Edge: 720})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= engine.MaxHeight; n++ {
		for _, top := range []engine.Piece{engine.WhiteSoldier, engine.BlackSoldier} {
			s := Scene{Edge: 720}
			s.Board.Stacks[d4] = columnOf(n, true, top)
			im, err := paint(r, s)
			if err != nil {
				t.Fatal(err)
			}
			g := newGeometry(720)
			x0, y0 := g.corner(d4, engine.White)
			soldier, _ := g.thickness(n, 0)
			// A quarter square left of the middle, away from the tag. There the
			// front of the ellipse lies at 0.757 of its depth.
			x := x0 + g.s/4
			front := y0 + g.base + int(discA*squash*g.f*0.757)
			// The column starts n rims and half a face above its foot.
			first, mid := 0, x0+g.s/2
			for empty.Pix[first*im.Stride+mid] == im.Pix[first*im.Stride+mid] {
				first++
			}
			if want := y0 + g.base - n*soldier - int((discA*squash+0.01)*g.f); first < want-2 || first > want+2 {
				t.Errorf("%v starts at row %d, want about %d", s.Board.Stacks[d4], first, want)
			}
			i := 0
			for p := range s.Board.Stacks[d4].All() {
				y := front - (n-1-i)*soldier - soldier/2
				i++
				c := pal.rgb[im.Pix[y*im.Stride+x]]
				if white := c>>8&0xff > 0x80; white != (p.Color() == engine.White) {
					t.Errorf("piece %d of %v is #%06x", i, s.Board.Stacks[d4], uint32(c))
				}
			}
		}
	}
}

// TestTextIsLegibleOnAPhone checks the size of all text in all samples, at the width
// at which a phone shows a picture.
func TestTextIsLegibleOnAPhone(t *testing.T) {
	skipSlow(t)
	for _, theme := range Themes() {
		r := New(Options{CacheBytes: -1})
		for _, s := range samples() {
			s.scene.Theme, s.scene.Edge = theme, 360
			if _, err := paint(r, s.scene); err != nil {
				t.Fatal(err)
			}
		}
		a := r.atlas(theme, 360)
		if len(a.faces) < 5 {
			t.Errorf("the samples use only %d sizes of text", len(a.faces))
		}
		for f := range a.faces {
			if least := 0.165 * a.g.f; f.size < least {
				t.Errorf("text of %.1f pixels, want at least %.1f", f.size, least)
			}
		}
	}
}
