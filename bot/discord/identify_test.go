package discord

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestIdentifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []time.Time
		c := newIdentifies(nil, func(times []time.Time) { saved = times })
		c.limit = 3
		want := func(d time.Duration, exhausted bool) {
			t.Helper()
			if wait, none := c.wait(0, 1); wait != d || none != exhausted {
				t.Errorf("wait %v, exhausted %t; want %v, %t", wait, none, d, exhausted)
			}
		}
		want(0, false)
		c.add(0)
		want(identifyPace, false)
		time.Sleep(time.Hour) // of the made-up time
		want(0, false)
		c.add(0)
		time.Sleep(time.Hour)
		c.add(0)
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

func TestSessionsOfABucketStartOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newIdentifies(nil, nil)
		var started []string
		var running sync.WaitGroup
		for shard := range 6 { // of which three share a bucket
			running.Go(func() {
				done, err := c.enter(t.Context(), shard%2)
				if err != nil {
					return
				}
				wait, _ := c.wait(shard%2, 6)
				time.Sleep(wait + 3*time.Second) // until it is connected
				c.add(shard % 2)
				done()
				c.mu.Lock()
				defer c.mu.Unlock()
				started = append(started, time.Now().Format("05"))
			})
		}
		running.Wait()
		slices.Sort(started)
		// 5.5 s from the one to the beginning of the next one's connecting.
		if want := []string{"03", "03", "11", "11", "20", "20"}; !slices.Equal(started, want) {
			t.Errorf("sessions start at %q, want %q", started, want)
		}
	})
}

func TestARestartWaitsForTheSessionsBeforeItWhereThereAreSeveralShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := []time.Time{time.Now()}
		time.Sleep(time.Second)
		c := newIdentifies(before, nil)
		if wait, _ := c.wait(1, 2); wait != identifyPace-time.Second {
			t.Errorf("of two: %v", wait)
		}
		if wait, _ := c.wait(0, 1); wait != 0 {
			t.Errorf("the only one: %v", wait)
		}
	})
}

func TestTheLastFifthOfTheSessionsIsSpreadOverTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newIdentifies(nil, nil)
		left := func(n int) time.Duration {
			return c.spare(GatewayInfo{SessionsTotal: 1000, SessionsLeft: n, SessionsReset: 10 * time.Hour})
		}
		if d := left(10); d != 0 {
			t.Errorf("the first of this program waits %v", d)
		}
		c.add(0)
		for n, want := range map[int]time.Duration{1000: 0, 201: 0, 200: 3 * time.Minute, 10: time.Hour, 0: 10 * time.Hour} {
			if d := left(n); d != want {
				t.Errorf("with %d left: %v, want %v", n, d, want)
			}
		}
		time.Sleep(3 * time.Minute)
		if d := left(200); d > 0 {
			t.Errorf("after the wait: %v", d)
		}
	})
}
