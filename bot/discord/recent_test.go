package discord

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestRecent(t *testing.T) {
	t.Run("an ID is known for as long as its token lives, then forgotten", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var r recent
			if !r.first("1") || r.first("1") {
				t.Error("the first time is not told from the second")
			}
			time.Sleep(15 * time.Minute) // of the made-up time
			r.first("2")
			if r.first("1") {
				t.Error("forgotten after 15 minutes")
			}
			time.Sleep(recentTime)
			r.first("3")
			if len(r.when) != 2 || len(r.order) != 2 {
				t.Errorf("%d and %d are kept, want the last two", len(r.when), len(r.order))
			}
		})
	})
	t.Run("no more than the limit are kept, the newest", func(t *testing.T) {
		var r recent
		for i := range recentMost + 10 {
			r.first(fmt.Sprint(i))
		}
		if len(r.when) != recentMost || len(r.order) != recentMost || r.first(fmt.Sprint(recentMost)) {
			t.Errorf("%d and %d are kept", len(r.when), len(r.order))
		}
	})
}
