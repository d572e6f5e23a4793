package render

import (
	"image/color"
	"sync"
	"sync/atomic"
)

//go:generate go test -run TestPalettesAreUpToDate -update

// maxColors is the largest number of colours in a palette. Together with the
// transparent colour of animations they fit in seven bits. Fewer colours make
// smaller files.
const maxColors = 127

// palette is the fixed set of colours of a theme, with a fast way to find the
// nearest one.
type palette struct {
	colors color.Palette
	rgb    []rgb
	// nearest has a byte for each cell of a cube of 64×64×64 colours, four bytes
	// in a word: 1 plus the index of the colour nearest to the middle of the
	// cell, or 0 if not known yet. The index depends only on the cell, so it does
	// not matter which goroutine stores it.
	nearest [1 << 16]atomic.Uint32
}

// palettes makes a palette on first use. A process that shows one theme pays for
// one.
var palettes = func() (p [numThemes]func() *palette) {
	for i := range p {
		p[i] = sync.OnceValue(func() *palette { return newPalette(paletteColors[i]) })
	}
	return p
}()

func newPalette(colors []rgb) *palette {
	p := &palette{rgb: colors}
	for _, c := range colors {
		p.colors = append(p.colors, color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255})
	}
	return p
}

// exact returns the index of the colour nearest to r, g, b.
func (p *palette) exact(r, g, b int) uint8 {
	best, found := 1<<30, 0
	for i, c := range p.rgb {
		dr, dg, db := r-int(c>>16), g-int(c>>8&0xff), b-int(c&0xff)
		if d := dr*dr + dg*dg + db*db; d < best {
			best, found = d, i
		}
	}
	return uint8(found)
}

// near returns the index of a colour near r, g, b. It may miss the nearest one,
// since it rounds to six bits per channel.
func (p *palette) near(r, g, b uint32) uint8 {
	cell := r>>2<<12 | g>>2<<6 | b>>2
	word, shift := &p.nearest[cell>>2], cell&3*8
	if i := word.Load() >> shift & 0xff; i != 0 {
		return uint8(i - 1)
	}
	i := p.exact(int(r&^3|2), int(g&^3|2), int(b&^3|2))
	word.Or(uint32(i+1) << shift)
	return i
}
