package bot

import "testing"

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
