package render

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"sync"
)

// pngLevel is the level of compression. It was chosen with BenchmarkPNG, on
// middle-game positions at 720 pixels.
const pngLevel = 4

// encoder writes PNG files of pictures with a palette. image/png has only the
// fastest and the default level: the files of one are too large, and the other is
// too slow. It also allocates for every picture.
type encoder struct {
	out  bytes.Buffer
	zlib *zlib.Writer
	row  []byte
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.zlib, _ = zlib.NewWriterLevel(&e.out, pngLevel) // fails only for unknown levels
	return e
}}

// encodePNG returns the picture as a PNG file.
func encodePNG(im *image.Paletted) []byte {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.out.Reset()
	e.out.WriteString("\x89PNG\r\n\x1a\n")
	w, h := im.Rect.Dx(), im.Rect.Dy()
	chunk := e.begin("IHDR")
	var size [8]byte
	binary.BigEndian.PutUint32(size[:], uint32(w))
	binary.BigEndian.PutUint32(size[4:], uint32(h))
	e.out.Write(size[:])
	e.out.WriteString("\x08\x03\x00\x00\x00") // eight bits, palette, not interlaced
	e.end(chunk)

	chunk = e.begin("PLTE")
	for _, c := range im.Palette {
		r, g, b, _ := c.RGBA()
		e.out.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)})
	}
	e.end(chunk)

	chunk = e.begin("IDAT")
	e.zlib.Reset(&e.out)
	e.row = append(e.row[:0], make([]byte, w+1)...) // a row starts with its filter, 0 for none
	for y := range h {
		copy(e.row[1:], im.Pix[y*im.Stride:])
		e.zlib.Write(e.row) // a bytes.Buffer takes everything
	}
	e.zlib.Close()
	e.end(chunk)
	e.end(e.begin("IEND"))
	return bytes.Clone(e.out.Bytes())
}

// begin writes the head of a chunk and returns its offset for end.
func (e *encoder) begin(name string) int {
	at := e.out.Len()
	e.out.WriteString("\x00\x00\x00\x00")
	e.out.WriteString(name)
	return at
}

// end sets the length of the chunk and adds its checksum.
func (e *encoder) end(at int) {
	b := e.out.Bytes()[at:]
	binary.BigEndian.PutUint32(b, uint32(len(b)-8))
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.ChecksumIEEE(b[4:]))
	e.out.Write(sum[:])
}
