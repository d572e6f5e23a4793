package render

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

func TestRatingsThatCannotBeDrawnAreRefused(t *testing.T) {
	r := New(Options{})
	two := []float64{1500, 1520}
	for name, c := range map[string]struct {
		spec RatingsSpec
		want error
	}{
		"no game":      {RatingsSpec{Values: two[:1]}, ErrGraph},
		"too long":     {RatingsSpec{Values: make([]float64, maxGraphValues+1)}, ErrGraph},
		"not a number": {RatingsSpec{Values: []float64{1500, math.NaN()}}, ErrGraph},
		"below zero":   {RatingsSpec{Values: []float64{1500, -1}}, ErrGraph},
		"five digits":  {RatingsSpec{Values: []float64{1500, 10000}}, ErrGraph},
		"first":        {RatingsSpec{Values: two, First: -3}, ErrGraph},
		"width":        {RatingsSpec{Values: two, Edge: 10}, ErrEdge},
		"theme":        {RatingsSpec{Values: two, Theme: 7}, ErrTheme},
	} {
		if err := r.Ratings(new(bytes.Buffer), c.spec); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if err := r.Ratings(&failingWriter{}, RatingsSpec{Values: two}); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: error %v", err)
	}
}

func TestRatingsOfAnyLengthAndSize(t *testing.T) {
	r := New(Options{})
	for _, n := range []int{2, 3, 12, 300, maxGraphValues} {
		for _, far := range []float64{0, 3, 80, 900, 4999} {
			spec := RatingsSpec{Values: make([]float64, n), Edge: MinEdge, First: 7}
			for i := range spec.Values {
				spec.Values[i] = 5000 + far*math.Sin(float64(i))
			}
			var out bytes.Buffer
			if err := r.Ratings(&out, spec); err != nil {
				t.Errorf("%d ratings, %v apart: %v", n, far, err)
			}
			decodePNG(t, out.Bytes())
		}
	}
}

func TestScaleOfRatings(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   ratingScale
	}{
		{[]float64{1500, 1500}, ratingScale{1475, 1525, 25}},
		{[]float64{1500, 1612, 1480}, ratingScale{1450, 1650, 50}},
		{[]float64{1500, 2611}, ratingScale{1000, 3000, 500}},
		{[]float64{0, 9999}, ratingScale{-2000, 12000, 4000}},
	} {
		got := scaleOf(c.values)
		if got != c.want {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
}

func TestStepsOfGames(t *testing.T) {
	for games, want := range map[int]int{1: 1, 9: 1, 10: 2, 34: 5, 50: 10, 120: 20, 1999: 200} {
		if got := gameStep(games); got != want {
			t.Errorf("%d games: a number every %d, want %d", games, got, want)
		}
	}
}
