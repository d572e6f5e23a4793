package render

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
)

// fonts parses the fonts once. Both are compiled in, so nothing outside the program
// can make that fail.
var fonts = sync.OnceValue(func() (f struct{ medium, bold *opentype.Font }) {
	parse := func(name string, ttf []byte) *opentype.Font {
		font, err := opentype.Parse(ttf)
		if err != nil {
			panic(fmt.Sprintf("render: cannot parse the built-in font %s: %v", name, err))
		}
		return font
	}
	f.medium, f.bold = parse("Go Medium", gomedium.TTF), parse("Go Bold", gobold.TTF)
	return f
})

// face is a font and its size in pixels.
type face struct {
	bold bool
	size float64
}

// faceOf returns a font face. A canvas has its own faces, because they are not safe
// for concurrent use.
func (c *canvas) faceOf(k face) font.Face {
	if f, ok := c.faces[k]; ok {
		return f
	}
	from := fonts().medium
	if k.bold {
		from = fonts().bold
	}
	f, err := opentype.NewFace(from, &opentype.FaceOptions{Size: k.size, DPI: 72, Hinting: font.HintingNone})
	if err != nil { // NewFace cannot fail for a parsed font
		panic(fmt.Sprintf("render: font face of %v pixels: %v", k.size, err))
	}
	c.faces[k] = f
	return f
}

// text writes a word centred on a point, by the height of digits and capitals.
func (c *canvas) text(word string, x, y, size float64, bold bool, col rgb) {
	f := c.faceOf(face{bold, size})
	c.dc.SetFontFace(f)
	c.dc.SetColor(col)
	width := float64(font.MeasureString(f, word)) / 64
	c.dc.DrawString(word, x-width/2, y+0.36*size)
}
