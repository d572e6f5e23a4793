package play

import (
	"context"
	"strings"
	"testing"
)

func TestAQuestionThatPanicsIsAnError(t *testing.T) {
	var all questions
	for range 2 { // it does not stay open
		_, err := share(t.Context(), &all, "why", func(context.Context) (int, error) { panic("oh") })
		if err == nil || !strings.Contains(err.Error(), "oh") {
			t.Errorf("error %v", err)
		}
	}
	if len(all.open) > 0 {
		t.Error("the question is still open")
	}
}
