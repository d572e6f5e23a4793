package render

import (
	"context"
	"errors"
	"image"
	"sync"
	"sync/atomic"
)

// DefaultCacheBytes is the size of the cache when Options name none: about a
// thousand pictures.
const DefaultCacheBytes = 32 << 20

// maxAtlases is how many pairs of theme and width keep their sprites. A pair
// takes 3 MiB at 480 pixels, 5 at 720 and 17 at 1440 once it has drawn everything.
const maxAtlases = 8

var errAbandoned = errors.New("render: drawing was abandoned")

// Options are what a Renderer can be told. The zero value is good.
type Options struct {
	// CacheBytes is how many bytes of finished pictures are kept; 0 stands for
	// DefaultCacheBytes, a negative number for none.
	CacheBytes int64
}

// Renderer draws pictures. It is safe for concurrent use; make one with [New]
// and share it, for it remembers what it has drawn.
type Renderer struct {
	cache *cache
	drawn atomic.Int64 // pictures composed

	mu      sync.Mutex
	atlases []keyedAtlas // most recently used first

	frames sync.Pool // *frame
}

type keyedAtlas struct {
	theme Theme
	edge  int
	atlas *atlas
}

// frame is memory for one picture.
type frame struct {
	layout layout
	scene  Scene
	image  image.Paletted
}

// New returns a Renderer. It draws nothing yet: the first picture of a theme
// and width takes some tens of milliseconds, later ones a few.
func New(o Options) *Renderer {
	if o.CacheBytes == 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	return &Renderer{cache: newCache(o.CacheBytes), frames: sync.Pool{New: func() any { return new(frame) }}}
}

// Size returns the size in pixels of the picture of a scene, or 0, 0 when its
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

// PNG returns a scene as a PNG file of typically 25 to 35 KiB at 720 pixels.
// The bytes are shared with other callers: do not change them. It returns an
// error that wraps [ErrEdge], [ErrTheme] or [ErrScene] for a scene that cannot
// be drawn, and ctx's error when ctx ends while it waits for another caller's
// drawing of the same scene.
func (r *Renderer) PNG(ctx context.Context, s Scene) ([]byte, error) {
	key, err := s.normal()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.cache.get(ctx, key, func() ([]byte, error) {
		f := r.frames.Get().(*frame)
		defer r.frames.Put(f)
		r.compose(f, key)
		return encodePNG(&f.image), nil
	})
}

// Image returns a scene as a new picture. It does not use the cache. Errors are
// those of [Renderer.PNG].
func (r *Renderer) Image(s Scene) (*image.Paletted, error) {
	key, err := s.normal()
	if err != nil {
		return nil, err
	}
	f := new(frame)
	r.compose(f, key)
	return &f.image, nil
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
	r.drawn.Add(1)
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
