package render

import (
	"context"
	"errors"
	"image"
	"sync"
)

// defaultCacheBytes is enough for about a thousand pictures.
const defaultCacheBytes = 32 << 20

// maxAtlases is how many pairs of theme and width keep their sprites. Once a pair
// has drawn everything, it takes 3 MiB at 480 pixels, 5 MiB at 720 and 17 MiB at
// 1440.
const maxAtlases = 8

var errAbandoned = errors.New("render: the drawing panicked")

// Options configures a [Renderer]. The zero value is a good choice.
type Options struct {
	// CacheBytes is how many bytes of finished pictures the cache keeps. 0
	// stands for 32 MiB, about a thousand pictures. If it is negative, the
	// cache keeps nothing.
	CacheBytes int64
}

// Renderer draws pictures. It is safe for concurrent use. Make one with [New] and
// share it, since it keeps what it has drawn.
type Renderer struct {
	cache *Cache[Scene]

	mu      sync.Mutex
	atlases []keyedAtlas // most recently used first

	frames sync.Pool // *frame
}

type keyedAtlas struct {
	theme Theme
	edge  int
	atlas *atlas
}

// frame is the memory for composing one picture.
type frame struct {
	layout layout
	scene  Scene
	image  image.Paletted
}

// New returns a Renderer. It draws nothing yet: the first picture of a theme and
// width takes some tens of milliseconds, later ones take a few.
func New(o Options) *Renderer {
	if o.CacheBytes == 0 {
		o.CacheBytes = defaultCacheBytes
	}
	return &Renderer{cache: NewCache[Scene](o.CacheBytes), frames: sync.Pool{New: func() any { return new(frame) }}}
}

// Size returns the size of a scene's picture in pixels, or 0, 0 if the scene's
// width is out of range.
func (r *Renderer) Size(s Scene) (width, height int) {
	if s.Edge == 0 {
		s.Edge = DefaultEdge
	}
	if s.Edge < MinEdge || s.Edge > MaxEdge {
		return 0, 0
	}
	g := newGeometry(s.Edge)
	return g.edge, g.height
}

// PNG returns a scene as a PNG file, typically 25 to 35 KiB at 720 pixels. Other
// callers share the bytes, so do not change them. If the scene cannot be drawn,
// the error wraps [ErrEdge], [ErrTheme] or [ErrScene]. It is ctx's error if ctx
// has ended, or ends while PNG waits for another caller to draw the same scene.
func (r *Renderer) PNG(ctx context.Context, s Scene) ([]byte, error) {
	key, err := s.normal()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.cache.Get(ctx, key, func() ([]byte, error) {
		f := r.frames.Get().(*frame)
		defer r.frames.Put(f)
		r.compose(f, key)
		return encodePNG(&f.image), nil
	})
}

// compose draws a normal scene into f.
func (r *Renderer) compose(f *frame, s Scene) {
	a := r.atlas(s.Theme, s.Edge)
	f.scene = s
	f.layout.g, f.layout.scene = &a.g, &f.scene
	f.layout.compose()
	f.image.Rect = image.Rect(0, 0, a.g.edge, a.g.height)
	f.image.Stride = a.g.edge
	f.image.Palette = a.pal.colors
	if n := a.g.edge * a.g.height; cap(f.image.Pix) < n {
		f.image.Pix = make([]uint8, n)
	} else {
		f.image.Pix = f.image.Pix[:n]
	}
	a.compose(&f.layout, &f.image)
}

// atlas returns the sprites of a theme and width.
func (r *Renderer) atlas(theme Theme, edge int) *atlas {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, k := range r.atlases {
		if k.theme == theme && k.edge == edge {
			copy(r.atlases[1:i+1], r.atlases[:i])
			r.atlases[0] = k
			return k.atlas
		}
	}
	k := keyedAtlas{theme, edge, newAtlas(theme, edge)}
	r.atlases = append([]keyedAtlas{k}, r.atlases...)
	if len(r.atlases) > maxAtlases {
		r.atlases = r.atlases[:maxAtlases:maxAtlases]
	}
	return k.atlas
}
