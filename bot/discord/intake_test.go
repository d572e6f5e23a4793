package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
)

func testIntake() (*intake, *lines) {
	log := newLines()
	return newIntake(slog.New(slog.NewTextHandler(log, nil))), log
}

func interaction(id string) *discordgo.InteractionCreate {
	return &discordgo.InteractionCreate{Interaction: &discordgo.Interaction{ID: id}}
}

func TestIntakeHandlesEachInteractionOnce(t *testing.T) {
	in, log := testIntake()
	var got []string
	for _, i := range []*discordgo.InteractionCreate{interaction("1"), interaction("2"), interaction("1"), nil, {}, interaction("")} {
		in.take(t.Context(), nil, func(_ context.Context, req Request, _ error) { got = append(got, req.ID) }, i)
	}
	if !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("handled %v", got)
	}
	if n := strings.Count(log.String(), "without an ID"); n != 3 || !strings.Contains(log.String(), "came twice") {
		t.Errorf("%d without an ID in\n%s", n, log)
	}
}

func TestIntakeSurvivesAPanic(t *testing.T) {
	in, log := testIntake()
	in.slots.all = make(chan struct{}, 1) // a slot that a panic keeps is missed at once
	handled := false
	in.take(t.Context(), nil, func(context.Context, Request, error) { panic("oh") }, interaction("1"))
	in.take(t.Context(), nil, func(context.Context, Request, error) { handled = true }, interaction("2"))
	if !handled || !strings.Contains(log.String(), "handler panicked") || !strings.Contains(log.String(), "intake_test.go") {
		t.Errorf("handled %t; log:\n%s", handled, log)
	}
	if !in.running.wait(time.Minute) {
		t.Error("a handler that panicked still counts as running")
	}
}

func TestIntakeKeepsNobodyWaitingForOnePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := testIntake()
		hang := make(chan struct{})
		var handled atomic.Int32
		for n := range 200 {
			go in.take(t.Context(), nil, func(_ context.Context, _ Request, err error) {
				if !errors.Is(err, ErrCrowded) {
					handled.Add(1)
					<-hang
				}
			}, pressBy(fmt.Sprint("a", n), "ann"))
		}
		synctest.Wait()
		if n := handled.Load(); n != maxPerPerson {
			t.Errorf("%d of one person's at once", n)
		}
		begun, answered := time.Now(), false
		in.take(t.Context(), nil, func(context.Context, Request, error) { answered = true }, pressBy("b", "ben"))
		if took := time.Since(begun); !answered || took > 0 {
			t.Errorf("another person's: answered %t after %v", answered, took)
		}
		close(hang)
		synctest.Wait()
		if n := len(in.slots.people); n > 0 {
			t.Errorf("%d people are remembered", n)
		}
	})
}

func TestIntakeBoundsHowManyRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, log := testIntake()
		in.slots.all = make(chan struct{}, 2)
		in.crowded.all = make(chan struct{}, 1)
		var running, handled, told atomic.Int32
		begun := time.Now()
		handle := func(_ context.Context, _ Request, err error) {
			if errors.Is(err, ErrCrowded) {
				if took := time.Since(begun); took > slotWait {
					t.Errorf("told after %v", took)
				}
				told.Add(1)
				time.Sleep(2 * time.Second)
				return
			}
			handled.Add(1)
			if n := running.Add(1); n > 2 {
				t.Errorf("%d at once", n)
			}
			time.Sleep(900 * time.Millisecond) // of the made-up time
			running.Add(-1)
		}
		// Two run, two wait for them, and two would have to wait for too long: one of
		// them is told so, for the other there is no room.
		for n := range 6 {
			go in.take(t.Context(), nil, handle, pressBy(fmt.Sprint(n), fmt.Sprint("person", n)))
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		if dropped := strings.Count(log.String(), "dropped"); handled.Load() != 4 || told.Load() != 1 || dropped != 1 {
			t.Errorf("%d handled, %d told, %d dropped", handled.Load(), told.Load(), dropped)
		}
	})
}

// Somebody whose share is used up is told so, and cannot keep others from being told.
func TestIntakeTellsWhoeverGetsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := testIntake()
		hang := make(chan struct{})
		told := map[string]int{}
		var mu sync.Mutex
		handle := func(_ context.Context, req Request, err error) {
			if errors.Is(err, ErrCrowded) {
				mu.Lock()
				told[string(req.User.ID)]++
				mu.Unlock()
			}
			<-hang
		}
		for n := range 200 {
			go in.take(t.Context(), nil, handle, pressBy(fmt.Sprint("a", n), "ann"))
		}
		for n := range maxHandlers {
			go in.take(t.Context(), nil, handle, pressBy(fmt.Sprint("x", n), fmt.Sprint("other", n)))
		}
		synctest.Wait()
		go in.take(t.Context(), nil, handle, pressBy("b", "ben"))
		time.Sleep(slotWait)
		synctest.Wait()
		if told["ann"] != turnedAwayEach || told["ben"] != 1 {
			t.Errorf("%v were told", told)
		}
		close(hang)
	})
}

// pressBy is a press on a button by a person.
func pressBy(id, person string) *discordgo.InteractionCreate {
	i := interaction(id)
	i.Member = &discordgo.Member{User: &discordgo.User{ID: person}}
	return i
}

func TestIntakeDrains(t *testing.T) {
	// drained returns how long the drain took and whether the handler was cut.
	drained := func(t *testing.T, handle Handler) (took time.Duration, cut bool) {
		synctest.Test(t, func(t *testing.T) {
			in, _ := testIntake()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			go in.take(ctx, nil, handle, interaction("1"))
			synctest.Wait()
			begun := time.Now()
			in.drain(10*time.Second, func() { cut = true; stop() })
			took = time.Since(begun)
			in.take(ctx, nil, func(context.Context, Request, error) { t.Error("handled after the drain") }, interaction("2"))
			time.Sleep(time.Hour) // lets the slow handler end
		})
		return took, cut
	}
	t.Run("handlers end in their own time", func(t *testing.T) {
		if took, cut := drained(t, func(context.Context, Request, error) { time.Sleep(3 * time.Second) }); took != 3*time.Second || cut {
			t.Errorf("took %v, cut short %t", took, cut)
		}
	})
	t.Run("those that take too long are cut short", func(t *testing.T) {
		if took, cut := drained(t, func(ctx context.Context, _ Request, _ error) { <-ctx.Done() }); took != 10*time.Second || !cut {
			t.Errorf("took %v, cut short %t", took, cut)
		}
	})
	t.Run("those that do not care are left behind", func(t *testing.T) {
		if took, cut := drained(t, func(context.Context, Request, error) { time.Sleep(time.Minute) }); took != 20*time.Second || !cut {
			t.Errorf("took %v, cut short %t", took, cut)
		}
	})
}

func TestOnlyWhoClaimsAnInteractionHandlesIt(t *testing.T) {
	broken := errors.New("the store does not answer")
	for name, c := range map[string]struct {
		mine    bool
		err     error
		handled bool
	}{
		"it is this process's":                 {true, nil, true},
		"it is another's":                      {false, nil, false},
		"nobody knows, and this one may speak": {true, broken, true},
		"nobody knows":                         {false, broken, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := newIntake(slog.New(slog.DiscardHandler))
			handled := false
			claim := func(ctx context.Context, id string) (bool, error) {
				if at, ok := ctx.Deadline(); !ok || time.Until(at) > 2*time.Second || id != "1" {
					t.Errorf("claims %q until %v", id, at)
				}
				return c.mine, c.err
			}
			in.take(t.Context(), claim, func(_ context.Context, _ Request, err error) {
				handled = true
				if errors.Is(err, ErrUnclaimed) != (c.err != nil) || c.err != nil && !errors.Is(err, broken) {
					t.Errorf("handled with %v", err)
				}
			}, interaction("1"))
			if handled != c.handled {
				t.Errorf("handled: %t", handled)
			}
		})
	}
}
