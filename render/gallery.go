package render

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
)

//go:embed gallery.html
var galleryPage string

var galleryTemplate = template.Must(template.New("gallery").Parse(galleryPage))

// picture is an entry of the gallery's page.
type picture struct {
	File, Name, About string
	Width, Bytes      int // in pixels; of the file
	Shown             int // width on the page, in points
}

// Gallery writes every kind of picture in every theme, animations and graphs, and
// a page index.html to look at them: at full size or at the width of a phone, and
// as seen with the common kinds of colour blindness. It makes the folder if it
// does not exist, and takes a few seconds. The error says which picture or file
// failed.
func Gallery(dir string) error {
	if err := writeGallery(dir); err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	return nil
}

func writeGallery(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var page struct{ Themes []*gallery }
	r := New(Options{CacheBytes: -1})
	for _, theme := range Themes() {
		g := &gallery{Theme: theme, dir: dir, r: r}
		for _, write := range []func() error{g.boards, g.tiles, g.graph, g.ratings, g.animations} {
			if err := write(); err != nil {
				return err
			}
		}
		page.Themes = append(page.Themes, g)
	}
	var html bytes.Buffer
	if err := galleryTemplate.Execute(&html, page); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), html.Bytes(), 0o666)
}

// gallery is the part of the gallery in one theme.
type gallery struct {
	Theme    Theme
	Pictures []picture

	dir string
	r   *Renderer
}

// write writes the file of a picture of a width in pixels and lists it.
func (g *gallery) write(name, ext, about string, data []byte, width int) error {
	file := fmt.Sprintf("%v-%s.%s", g.Theme, name, ext)
	g.Pictures = append(g.Pictures, picture{file, name, about, width, len(data), min(width, DefaultEdge)})
	return os.WriteFile(filepath.Join(g.dir, file), data, 0o666)
}

// boards writes every sample, and one of them at twice the size.
func (g *gallery) boards() error {
	all := samples()
	double := all[2]
	double.name, double.about, double.scene.Edge = double.name+"-2x", double.about+" Twice the size.", 2*DefaultEdge
	for _, s := range append(all, double) {
		s.scene.Theme = g.Theme
		data, err := g.r.PNG(context.Background(), s.scene)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		width, _ := g.r.Size(s.scene)
		if err := g.write(s.name, "png", s.about, data, width); err != nil {
			return err
		}
	}
	return nil
}

// tiles writes a sheet of tiles, which look the same in every theme.
func (g *gallery) tiles() error {
	if g.Theme != Wood {
		return nil
	}
	data, width := sampleTiles()
	return g.write("emoji", "png", "Tiles of boards in emoji, on Discord's dark and light ground.", data, width)
}

func (g *gallery) graph() error {
	spec := sampleGraph()
	spec.Theme = g.Theme
	var out bytes.Buffer
	if err := g.r.Graph(&out, spec); err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	return g.write("graph", "png", "How a game went, with its turning points.", out.Bytes(), DefaultEdge)
}

func (g *gallery) ratings() error {
	spec := sampleRatings()
	spec.Theme = g.Theme
	var out bytes.Buffer
	if err := g.r.Ratings(&out, spec); err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	return g.write("ratings", "png", "How a rating went over 34 games.", out.Bytes(), DefaultEdge)
}

func (g *gallery) animations() error {
	const edge = 480
	look := Scene{Theme: g.Theme, Edge: edge}
	write := func(name, about string, frames []Frame, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var out bytes.Buffer
		if err := g.r.GIF(context.Background(), &out, frames, nil); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return g.write(name, "gif", about, out.Bytes(), edge)
	}
	pos, m := sampleCapture()
	frames, err := MoveFrames(look, pos, m)
	if err := write("move", "One move, jump by jump.", frames, err); err != nil {
		return err
	}
	start, moves, result := sampleGame(300)
	frames, err = GameFrames(look, start, moves, result)
	return write("game", "A whole game.", frames, err)
}
