package discord

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

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
