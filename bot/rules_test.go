package bot_test

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
)

func TestRules(t *testing.T) {
	w := newWorld(t)
	w.says(w.typed(w.ann, "/lasca play level:1 colour:white rules:lasker"), "Classic 1911 rules")
	if r := w.only(w.ann).Match.Rules; r != engine.Lasker {
		t.Errorf("stored rules %v", r)
	}
}

func TestRulesPages(t *testing.T) {
	t.Parallel()
	t.Run("Next turns the page", func(t *testing.T) {
		w := newWorld(t)
		page := w.typed(w.ann, "/lasca rules")
		for range 4 {
			w.picture(page)
			next := w.click(w.ann, page, "Next →")
			if next.ID != page.ID {
				t.Fatal("the page is a new message")
			}
			page = next
		}
		w.says(page, "5")
	})
}
