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

// picture is one entry of the gallery.
type picture struct {
	File, Name, About string
	Width, Bytes      int
	Shown             int // width on the page, in points
}

// Gallery writes every kind of picture in every theme, animations, graphs and a
// page index.html to look at them into a folder, which it makes when it does
// not exist: full size or at the width of a phone, and as seen with the common
// kinds of colour blindness. It takes a few seconds.
func Gallery(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	r := New(Options{CacheBytes: -1})
	ctx := context.Background()
	var page struct {
		Themes []struct {
			Name     string
			Pictures []picture
		}
	}
	for _, theme := range Themes() {
		var list []picture
		write := func(name, ext, about string, data []byte, width int) error {
			file := fmt.Sprintf("%v-%s.%s", theme, name, ext)
			list = append(list, picture{file, name, about, width, len(data), min(width, DefaultEdge)})
			return os.WriteFile(filepath.Join(dir, file), data, 0o666)
		}
		all := samples()
		double := all[2]
		double.name, double.about, double.scene.Edge = double.name+"-2x", double.about+" Twice the size.", 2*DefaultEdge
		for _, s := range append(all, double) {
			s.scene.Theme = theme
			data, err := r.PNG(ctx, s.scene)
			if err != nil {
				return fmt.Errorf("gallery: %s: %w", s.name, err)
			}
			width, _ := r.Size(s.scene)
			if err := write(s.name, "png", s.about, data, width); err != nil {
				return fmt.Errorf("gallery: %w", err)
			}
		}
		graph := sampleGraph()
		graph.Theme = theme
		var out bytes.Buffer
		if err := r.Graph(&out, graph); err != nil {
			return fmt.Errorf("gallery: %w", err)
		}
		if err := write("graph", "png", "How a game went, with its turning points.", out.Bytes(), DefaultEdge); err != nil {
			return fmt.Errorf("gallery: %w", err)
		}
		for _, a := range []struct {
			name, about string
			frames      func(Scene) ([]Frame, error)
		}{
			{"move", "One move, jump by jump.", func(look Scene) ([]Frame, error) {
				pos, m := sampleCapture()
				return MoveFrames(look, pos, m)
			}},
			{"game", "A whole game.", func(look Scene) ([]Frame, error) {
				start, moves, result := sampleGame(300)
				return GameFrames(look, start, moves, result)
			}},
		} {
			frames, err := a.frames(Scene{Theme: theme, Edge: 480})
			if err != nil {
				return fmt.Errorf("gallery: %s: %w", a.name, err)
			}
			out.Reset()
			if err := r.GIF(ctx, &out, frames, nil); err != nil {
				return fmt.Errorf("gallery: %s: %w", a.name, err)
			}
			if err := write(a.name, "gif", a.about, bytes.Clone(out.Bytes()), 480); err != nil {
				return fmt.Errorf("gallery: %w", err)
			}
		}
		page.Themes = append(page.Themes, struct {
			Name     string
			Pictures []picture
		}{theme.String(), list})
	}
	var html bytes.Buffer
	if err := galleryTemplate.Execute(&html, page); err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), html.Bytes(), 0o666); err != nil {
		return fmt.Errorf("gallery: %w", err)
	}
	return nil
}
