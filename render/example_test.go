package render_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// A board after three plies, with the last move and the columns that must
// capture marked.
func ExampleRenderer_PNG() {
	pos := engine.Start(engine.Kawu)
	var last engine.Move
	for _, text := range []string{"c3-d4", "e5xc3", "b2xd4"} {
		m, err := engine.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if pos, err = pos.Play(m); err != nil {
			fmt.Println(err)
			return
		}
		last = m
	}
	scene := render.Scene{Board: pos.Setup(), Last: last, Theme: render.Dark}
	for _, m := range pos.AppendMoves(nil) {
		if m.IsCapture() {
			scene.Must.Add(m.From())
		}
	}

	r := render.New(render.Options{})
	file, err := r.PNG(context.Background(), scene)
	if err != nil {
		fmt.Println(err)
		return
	}
	size, err := png.DecodeConfig(bytes.NewReader(file))
	fmt.Println(size.Width, size.Height, err)
	// Output: 720 775 <nil>
}
