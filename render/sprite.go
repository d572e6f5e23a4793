package render

import (
	"image"
	"sync"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
)

// sprite is a part that has been drawn: opaque pixels as palette indices, the
// others (edges, shadows, tints) as premultiplied colours to lay over a picture.
type sprite struct {
	spans []span
	solid []uint8
	soft  []soft
}

// span is a run of pixels in a row. x and y are relative to the place of the part.
type span struct {
	x, y, n int16
	soft    bool
	at      int32 // index of its first pixel in solid or soft
}

// soft is a pixel that lets through some of what lies below it.
type soft struct{ r, g, b, through uint8 }

// atlas keeps the sprites of a theme at a width. It is safe for concurrent use.
type atlas struct {
	g   geometry
	t   *tokens
	pal *palette

	mu      sync.RWMutex
	sprites map[part]*sprite
	faces   map[face]font.Face // guarded by mu
}

func newAtlas(theme Theme, edge int) *atlas {
	return &atlas{
		g: newGeometry(edge), t: &themeTokens[theme], pal: palettes[theme](),
		sprites: map[part]*sprite{}, faces: map[face]font.Face{},
	}
}

// sprite returns the sprite of a part. It draws it the first time.
func (a *atlas) sprite(p part) *sprite {
	a.mu.RLock()
	s := a.sprites[p]
	a.mu.RUnlock()
	if s != nil {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if s = a.sprites[p]; s == nil {
		w := a.g.window(p)
		c := canvas{dc: gg.NewContext(w.Dx(), w.Dy()), g: &a.g, t: a.t, faces: a.faces}
		c.draw(p, -w.Min.X, -w.Min.Y)
		s = newSprite(c.dc.Image().(*image.RGBA), w.Min, a.pal)
		a.sprites[p] = s
	}
	return s
}

// window returns a rectangle that contains everything that a part draws, relative
// to the part's place.
func (g *geometry) window(p part) image.Rectangle {
	s := g.s
	r := image.Rect(-s/3, -s/3, s+s/3, s+s/3)
	n := int(p.n)
	switch p.kind {
	case kindBoard, kindLight:
		return image.Rect(0, 0, g.edge, g.height)
	case kindSeat:
		return image.Rect(0, -s/2, s, s/2)
	case kindLeg:
		dx, dy := p.dir.vector()
		r = r.Union(r.Add(image.Pt(2*dx*s, 2*dy*s))).Inset(-s / 3)
	case kindNumbers:
		r.Min.Y -= 2 * s
	case kindShadow:
		r = image.Rect(0, -s/2, 2*s, s)
	case kindHalo, kindOutline, kindBody:
		r = image.Rect(-s/8, -n-s/2, s+s/8, s/2)
	case kindFace:
		r = image.Rect(-s/8, -s/2, s+s/8, s/2)
	case kindCount:
		r = image.Rect(0, -s/8, s, s+n)
	}
	return r
}

// newSprite splits a drawing into runs. origin is where its upper left corner lies,
// relative to the part's place.
func newSprite(im *image.RGBA, origin image.Point, pal *palette) *sprite {
	s := &sprite{}
	memo := map[[3]uint8]uint8{}
	for y := range im.Rect.Dy() {
		row := im.Pix[y*im.Stride:]
		run := -1 // index of the span being grown
		for x := range im.Rect.Dx() {
			r, g, b, a := row[4*x], row[4*x+1], row[4*x+2], row[4*x+3]
			if a == 0 {
				run = -1
				continue
			}
			isSoft := a != 255
			if run < 0 || s.spans[run].soft != isSoft {
				at := len(s.solid)
				if isSoft {
					at = len(s.soft)
				}
				s.spans = append(s.spans, span{x: int16(x + origin.X), y: int16(y + origin.Y), soft: isSoft, at: int32(at)})
				run = len(s.spans) - 1
			}
			s.spans[run].n++
			if isSoft {
				s.soft = append(s.soft, soft{r, g, b, 255 - a})
				continue
			}
			i, ok := memo[[3]uint8{r, g, b}]
			if !ok {
				i = pal.exact(int(r), int(g), int(b))
				memo[[3]uint8{r, g, b}] = i
			}
			s.solid = append(s.solid, i)
		}
	}
	return s
}

// blit lays the sprite over a picture at a place, clipped to the picture.
func (s *sprite) blit(dst *image.Paletted, pal *palette, px, py int) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	for i := range s.spans {
		sp := &s.spans[i]
		x, y, n, at := px+int(sp.x), py+int(sp.y), int(sp.n), int(sp.at)
		if y < 0 || y >= h || x >= w || x+n <= 0 {
			continue
		}
		if x < 0 {
			n, at, x = n+x, at-x, 0
		}
		n = min(n, w-x)
		row := dst.Pix[y*dst.Stride+x:][:n]
		if !sp.soft {
			copy(row, s.solid[at:])
			continue
		}
		var (
			lastTop   soft
			lastBelow uint8
			last      uint8
			known     bool
		)
		for j, top := range s.soft[at:][:n] {
			below := row[j]
			if !known || top != lastTop || below != lastBelow {
				c, k := pal.rgb[below], uint32(top.through)
				last = pal.near(
					uint32(top.r)+div255(uint32(c>>16)*k),
					uint32(top.g)+div255(uint32(c>>8&0xff)*k),
					uint32(top.b)+div255(uint32(c&0xff)*k))
				lastTop, lastBelow, known = top, below, true
			}
			row[j] = last
		}
	}
}

// div255 returns x/255 rounded, for x up to 255².
func div255(x uint32) uint32 { return min(255, (x+128+(x+128)>>8)>>8) }

// compose draws a laid-out scene.
func (a *atlas) compose(l *layout, dst *image.Paletted) {
	for i := range l.list {
		p := &l.list[i]
		a.sprite(p.part).blit(dst, a.pal, p.x, p.y)
	}
}
