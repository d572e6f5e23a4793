package render

import (
	"bufio"
	"compress/lzw"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
)

// ErrFrames says that frames do not make one animation: there are no frames, or
// their themes or widths differ.
var ErrFrames = errors.New("frames do not make an animation")

// GIF writes an animation that repeats forever. All frames must have the same theme
// and width. Each frame is stored as its difference from the one before, so 120
// plies at 480 pixels stay well under 4 MiB. Memory holds only two pictures. A
// frame at 480 pixels takes about 5 ms. progress, if not nil, is called after every
// frame.
//
// The error wraps [ErrFrames], [ErrEdge], [ErrTheme] or [ErrScene], or it is ctx's
// or w's. After an error, what has been written is not a complete picture.
func (r *Renderer) GIF(ctx context.Context, w io.Writer, frames []Frame, progress func(done, total int)) error {
	if len(frames) == 0 {
		return fmt.Errorf("%w: there are no frames", ErrFrames)
	}
	scenes := make([]Scene, len(frames))
	for i, f := range frames {
		s, err := f.Scene.normal()
		if err != nil {
			return fmt.Errorf("frame %d: %w", i+1, err)
		}
		if s.Theme != scenes[0].Theme && i > 0 || s.Edge != scenes[0].Edge && i > 0 {
			return fmt.Errorf("%w: the theme or width of frame %d is not that of the first", ErrFrames, i+1)
		}
		scenes[i] = s
	}
	out := gifWriter{w: bufio.NewWriter(w)}
	var now, before frame
	for i, s := range scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.compose(&now, s)
		if i == 0 {
			out.header(&now.image)
			out.frame(&now.image, now.image.Rect, int(frames[i].Delay.Milliseconds()/10))
		} else {
			out.difference(&now.image, &before.image, int(frames[i].Delay.Milliseconds()/10))
		}
		if out.err != nil {
			return out.err
		}
		now, before = before, now
		if progress != nil {
			progress(i+1, len(frames))
		}
	}
	out.write(0x3b) // the trailer
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// gifWriter writes a GIF frame by frame, which image/gif cannot do. It keeps the
// first error.
type gifWriter struct {
	w   *bufio.Writer
	err error
	buf []uint8
}

// Palettes have at most 127 colours. The 128th is transparent: it keeps the pixel
// of the frame before.
const (
	gifBits     = 7
	transparent = 1<<gifBits - 1
)

func (g *gifWriter) write(b ...byte) {
	if g.err == nil {
		_, g.err = g.w.Write(b)
	}
}

func (g *gifWriter) write16(values ...int) {
	for _, v := range values {
		g.write(byte(v), byte(v>>8))
	}
}

func (g *gifWriter) header(im *image.Paletted) {
	g.write([]byte("GIF89a")...)
	g.write16(im.Rect.Dx(), im.Rect.Dy())
	g.write(0x80|(gifBits-1)<<4|(gifBits-1), 0, 0) // global colours
	for i := range 1 << gifBits {
		var r, gr, b uint32
		if i < len(im.Palette) {
			r, gr, b, _ = im.Palette[i].RGBA()
		}
		g.write(byte(r>>8), byte(gr>>8), byte(b>>8))
	}
	g.write(0x21, 0xff, 11)
	g.write([]byte("NETSCAPE2.0")...)
	g.write(3, 1, 0, 0, 0) // repeat forever
}

// difference writes the rectangle in which two pictures differ. Equal pixels are
// transparent, which makes long runs.
func (g *gifWriter) difference(now, before *image.Paletted, delay int) {
	w, h := now.Rect.Dx(), now.Rect.Dy()
	var box image.Rectangle
	for y := range h {
		a, b := now.Pix[y*now.Stride:][:w], before.Pix[y*before.Stride:][:w]
		from := 0
		for from < w && a[from] == b[from] {
			from++
		}
		if from == w {
			continue
		}
		to := w
		for a[to-1] == b[to-1] {
			to--
		}
		box = box.Union(image.Rect(from, y, to, y+1))
	}
	if box.Empty() { // a frame must have at least one pixel
		box = image.Rect(0, 0, 1, 1)
	}
	g.buf = g.buf[:0]
	for y := box.Min.Y; y < box.Max.Y; y++ {
		b := before.Pix[y*before.Stride:][box.Min.X:box.Max.X]
		for x, c := range now.Pix[y*now.Stride:][box.Min.X:box.Max.X] {
			if c == b[x] {
				c = transparent
			}
			g.buf = append(g.buf, c)
		}
	}
	g.pixels(g.buf, box.Dx(), box, delay)
}

// frame writes a whole picture.
func (g *gifWriter) frame(im *image.Paletted, box image.Rectangle, delay int) {
	g.pixels(im.Pix, im.Stride, box, delay)
}

// pixels writes the pixels of a box as a frame that is shown for delay hundredths
// of a second.
func (g *gifWriter) pixels(pix []uint8, stride int, box image.Rectangle, delay int) {
	g.write(0x21, 0xf9, 4, 1<<2|1) // keep what is there; one colour is transparent
	g.write16(max(0, min(delay, 0xffff)))
	g.write(transparent, 0)
	g.write(0x2c)
	g.write16(box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	g.write(0, gifBits)
	blocks := &blockWriter{g: g}
	z := lzw.NewWriter(blocks, lzw.LSB, gifBits)
	for y := range box.Dy() {
		if _, err := z.Write(pix[y*stride:][:box.Dx()]); err != nil && g.err == nil {
			g.err = err
		}
	}
	if err := z.Close(); err != nil && g.err == nil {
		g.err = err
	}
	blocks.flush()
	g.write(0)
}

// blockWriter splits data into the blocks of a GIF, which have at most 255 bytes.
type blockWriter struct {
	g   *gifWriter
	n   int
	buf [256]byte
}

func (b *blockWriter) flush() {
	if b.n > 0 {
		b.buf[0] = byte(b.n)
		b.g.write(b.buf[:b.n+1]...)
		b.n = 0
	}
}

func (b *blockWriter) Write(p []byte) (int, error) {
	for i := range p {
		b.n++
		b.buf[b.n] = p[i]
		if b.n == 255 {
			b.flush()
		}
	}
	return len(p), b.g.err
}
