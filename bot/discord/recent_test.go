package discord

import (
	"fmt"
	"slices"
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

func TestIdentifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []time.Time
		c := identifies{pace: identifyPace, limit: 3, save: func(times []time.Time) { saved = times }}
		want := func(d time.Duration, exhausted bool) {
			t.Helper()
			if wait, none := c.wait(); wait != d || none != exhausted {
				t.Errorf("wait %v, exhausted %t; want %v, %t", wait, none, d, exhausted)
			}
		}
		want(0, false)
		c.add()
		want(5*time.Second, false)
		time.Sleep(time.Hour) // of the made-up time
		want(0, false)
		c.add()
		time.Sleep(time.Hour)
		c.add()
		want(22*time.Hour, true) // until the first is a day old
		if len(saved) != 3 {
			t.Errorf("saved %v", saved)
		}
		time.Sleep(22 * time.Hour)
		want(0, false)
		// A clock that was set back must not lock us out.
		c.times = slices.Repeat([]time.Time{time.Now().Add(48 * time.Hour)}, 5)
		want(0, false)
	})
}
