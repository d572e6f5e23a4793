package render

import (
	"image/color"
	"sync"
	"sync/atomic"
)

//go:generate go test -run TestPalettesAreUpToDate -update

// maxColors is the most colours of a palette: with a transparent one for the
// differences of an animation they fit seven bits, and fewer colours make
// smaller pictures.
const maxColors = 127

// palette is a theme's fixed set of colours with a fast way to the nearest.
type palette struct {
	colors color.Palette
	rgb    []rgb
	// nearest holds the index of the colour nearest to the middle of each cell
	// of a cube of 64×64×64 plus one, four cells a word, 0 while not yet known.
	// Every answer depends on the cell alone, so it does not matter who fills it.
	nearest [1 << 16]atomic.Uint32
}

// palettes are made on first use: a process that shows one theme pays for one.
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

// exact returns the index of the nearest colour.
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

// near returns the index of a colour that is nearest or next to it: it differs
// from the best by the rounding to six bits a channel.
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
