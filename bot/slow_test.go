package bot

import (
	"context"
	"sync"
	"testing"

	"github.com/lascabot/lascabot/render"
)

func TestOnePersonWaitsForFewSlowAnswersAtOnce(t *testing.T) {
	var s slowAnswers
	var done []func()
	for range 200 {
		if d, ok := s.enter("ann"); ok {
			done = append(done, d)
		}
	}
	if len(done) != maxSlow {
		t.Errorf("%d of 200 at once", len(done))
	}
	if _, ok := s.enter("ben"); !ok {
		t.Error("another person may not have one")
	}
	for _, d := range done {
		d()
	}
	if _, ok := s.enter("ann"); !ok || len(s.by) != 2 {
		t.Errorf("afterwards: %t, %v", ok, s.by)
	}
}

func TestTheSameFilmIsDrawnOnceForAll(t *testing.T) {
	drawing, goOn := make(chan struct{}), make(chan struct{})
	drawn := 0
	b := &Bot{films: make(chan struct{}, maxFilms), drawn: render.NewCache[string](1 << 20)}
	a := answer{fileKey: "a game", file: func(context.Context) ([]byte, error) {
		drawn++ // one at a time, or the race detector speaks
		close(drawing)
		<-goOn
		return []byte("film"), nil
	}}
	var all sync.WaitGroup
	ask := func() {
		if film, err := b.drawFile(t.Context(), a); string(film) != "film" || err != nil {
			t.Errorf("%q, %v", film, err)
		}
	}
	all.Go(ask)
	<-drawing
	for range 200 {
		all.Go(ask)
	}
	other := answer{file: func(context.Context) ([]byte, error) { return []byte("graph"), nil }}
	if graph, err := b.drawFile(t.Context(), other); string(graph) != "graph" || err != nil {
		t.Errorf("while one film is drawn for 201 presses, another file: %q, %v", graph, err)
	}
	close(goOn)
	all.Wait()
	if drawn != 1 {
		t.Errorf("drawn %d times", drawn)
	}
}
