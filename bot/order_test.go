package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Half of the calls take up to two seconds there and up to two seconds back; some are
// lost on the way, some on the way back, and some of those come into effect after the
// bot has tried again or done something else. People press without waiting.
// Whatever the order, a screen shows the newest version soon after the last change,
// and what is recorded as shown is what is shown.
//
// LASCA_ORDER_GAMES (200) and LASCA_ORDER_SEED change what it plays. The seed chooses
// what people do and what happens to calls, but not how goroutines interleave.
func TestWhatWasSentLastIsWhatIsRecordedAsShown(t *testing.T) {
	games := setting(t, "LASCA_ORDER_GAMES", 200)
	if testing.Short() {
		games = 20
	}
	t.Parallel()
	seed := uint64(setting(t, "LASCA_ORDER_SEED", 1))
	inBubble(t, func(b *bubble) {
		o := &order{bubble: b, seed: seed, counts: map[string]int{}}
		b.sim.SetFault(o.fault)
		playing, rest := context.WithTimeout(b.t.Context(), 90*time.Second)
		defer rest()
		var tables sync.WaitGroup
		for n := range games {
			white, black := b.person(fmt.Sprintf("w%d", n)), b.person(fmt.Sprintf("b%d", n))
			tb := &orderTable{o, b.sim.AddChannel(b.guild, fmt.Sprintf("board-%d", n)), []*discordsim.Actor{white, black}}
			tables.Go(func() { tb.play(playing, rand.New(rand.NewPCG(seed, uint64(n))), n%2 == 0) })
		}
		watched := make(chan struct{})
		watch, unwatch := context.WithCancel(b.t.Context())
		go func() {
			defer close(watched)
			o.watch(watch)
		}()
		tables.Wait()
		time.Sleep(screenTime)
		for range 3 { // it stays so, although calls go on being lost
			for _, r := range o.records() {
				if why := o.wrong(&r); why != "" {
					b.t.Errorf("game %s is stored as version %d and recorded as shown: %+v\n%s", r.Match.ID, r.Match.Version, r.Screen, why)
				}
			}
			time.Sleep(5 * time.Minute)
		}
		unwatch()
		<-watched
		for _, v := range b.sim.Violations() {
			b.t.Errorf("violation: %s", v)
		}
		b.t.Logf("%d games, the longest time until a screen showed the last change: %v; %v", len(o.records()), o.longest, o.counts)
	})
}

// screenTime is how long after the last change a screen shows it at the latest.
const screenTime = 30 * time.Second

// order is what that test knows.
type order struct {
	*bubble
	seed uint64

	mu      sync.Mutex
	counts  map[string]int
	longest time.Duration
}

// fault decides what happens to a call, by its number.
func (o *order) fault(r *discordsim.Request) *discordsim.Fault {
	if !strings.Contains(r.Route, "/channels/") && !strings.Contains(r.Route, "_token}") {
		return nil
	}
	rng := rand.New(rand.NewPCG(o.seed, 1<<32+uint64(r.N)))
	f := &discordsim.Fault{Delay: within(rng, 2*time.Second), Hold: within(rng, 2*time.Second)}
	what := "slow"
	if rng.IntN(2) == 0 {
		what, f.Delay, f.Hold = "quick", within(rng, 50*time.Millisecond), within(rng, 50*time.Millisecond)
	}
	switch n := rng.IntN(100); {
	case n < 5:
		what, f.DropFirst, f.Delay = "lost on the way back, done later", true, within(rng, 2*time.Second)
	case n < 8:
		what, f.DropAfter = "done, and the answer lost", true
	case n < 11:
		what, f.DropBefore = "lost", true
	case n < 14:
		what, f.Status = "502", 502
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.counts[what]++
	return f
}

// records returns all games.
func (o *order) records() []storage.Record {
	list, err := o.store.ListOf(o.t.Context(), storage.Of{Guild: o.guild}, "", 1<<20)
	if err != nil {
		o.t.Error(err)
	}
	return list
}

// wrong says what is wrong with a game's screen, "" if nothing is.
func (o *order) wrong(r *storage.Record) string {
	m, ok := o.sim.Message("", r.Screen.Channel, r.Screen.Message)
	switch {
	case !ok:
		return "there is no such message"
	case m.Loading || m.Failed:
		return "the message is thinking"
	}
	l := i18n.For(r.Place.Locale)
	want := view.Game(l, view.Look{Boards: view.InLetters}, &r.Match, chosen(m))
	told := view.News(l, &storage.Record{Match: r.Match}, want) // for whoever was not there
	if want.Text != m.Content && told.Text != m.Content {
		return "it shows\n" + m.Content + "\ninstead of\n" + want.Text
	}
	if r.Screen.Version != r.Match.Version {
		return "it is not recorded as shown"
	}
	return ""
}

// watch measures how long changes take to be shown.
func (o *order) watch(ctx context.Context) {
	wrong := map[match.ID]bool{}
	for ctx.Err() == nil {
		pause(ctx, time.Second)
		for _, r := range o.records() {
			why := o.wrong(&r)
			if why == "" || time.Since(r.Match.Changed) < time.Second {
				delete(wrong, r.Match.ID)
				continue
			}
			o.longest = max(o.longest, time.Since(r.Match.Changed))
			if time.Since(r.Match.Changed) > screenTime && !wrong[r.Match.ID] {
				wrong[r.Match.ID] = true
				o.t.Errorf("game %s does not show version %d after %v: recorded %+v\n%s",
					r.Match.ID, r.Match.Version, time.Since(r.Match.Changed), r.Screen, why)
			}
		}
	}
}

// orderTable is a game in a channel of its own.
type orderTable struct {
	*order
	channel string
	people  []*discordsim.Actor
}

// play presses and types until ctx ends, without waiting for answers.
func (tb *orderTable) play(ctx context.Context, rng *rand.Rand, machine bool) {
	pause(ctx, within(rng, 20*time.Second)) // not all at once
	var presses sync.WaitGroup
	defer presses.Wait()
	do := func(f func(ctx context.Context) error) {
		presses.Go(func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			_ = f(ctx)
		})
	}
	kind := func(who, other *discordsim.Actor) string {
		if machine {
			return "/lasca play level:1 colour:white"
		}
		return "/lasca challenge colour:white user:<@" + other.ID() + ">"
	}
	for ctx.Err() == nil {
		who, other := tb.people[0], tb.people[1]
		if rng.IntN(2) == 0 && !machine {
			who, other = other, who
		}
		message, id := tb.button(rng)
		switch n := rng.IntN(100); {
		case id == "" || n < 2:
			if list, _ := tb.store.ListByChannel(ctx, tb.channel, 3); len(list) < 3 {
				do(func(ctx context.Context) error { _, err := who.Type(ctx, tb.channel, kind(who, other)); return err })
			}
			pause(ctx, 3*time.Second)
		case n < 8:
			line := []string{"/lasca board", "/lasca undo", "/lasca draw", "/lasca board"}[rng.IntN(4)]
			do(func(ctx context.Context) error { _, err := who.Type(ctx, tb.channel, line); return err })
		default:
			for range 1 + rng.IntN(2) {
				do(func(ctx context.Context) error {
					_, err := who.ClickStale(ctx, tb.channel, message, id)
					return err
				})
				if n < 50 {
					pause(ctx, within(rng, 1500*time.Millisecond))
				}
			}
		}
		pause(ctx, within(rng, 3*time.Second))
	}
}

// button returns a button on one of the newest boards.
func (tb *orderTable) button(rng *rand.Rand) (message, id string) {
	list := tb.sim.Messages("", tb.channel)
	for n := len(list) - 1; n >= max(0, len(list)-4); n-- {
		var ids []string
		for _, b := range buttons(list[n]) {
			if in, err := intent.ParseCustomID(b.CustomID); err == nil && !b.Disabled && list[n].EphemeralFor == "" {
				switch in.(type) {
				case intent.Step, intent.Accept, intent.AcceptDraw, intent.AllowUndo, intent.Undo:
					ids = append(ids, b.CustomID)
				}
			}
		}
		if len(ids) > 0 && rng.IntN(4) > 0 {
			return list[n].ID, ids[rng.IntN(len(ids))]
		}
	}
	return "", ""
}

// within returns a random time below a limit.
func within(rng *rand.Rand, limit time.Duration) time.Duration {
	return time.Duration(rng.Int64N(int64(limit)))
}

// A press that comes while the one before is not confirmed must not bring back what
// the screen showed before the machine's move.
func TestASecondPressDoesNotOverwriteTheMachinesMove(t *testing.T) {
	t.Parallel()
	inBubble(t, func(b *bubble) {
		o := &order{bubble: b}
		ann, channel := b.person("ann"), b.sim.AddChannel(b.guild, "board")
		r, err := ann.Type(b.t.Context(), channel, "/lasca play level:1 colour:white")
		if err != nil {
			b.t.Fatal(err)
		}
		press := func() {
			m, _ := b.sim.Message("", channel, r.MessageID)
			id := firstStep(m)
			for _, button := range buttons(m) {
				if button.Label == "c3" { // the first press is to choose, not to play
					id = button.CustomID
				}
			}
			if _, err := ann.Click(b.t.Context(), channel, r.MessageID, id); err != nil {
				b.t.Error(err)
			}
		}
		// The choice of a square comes into effect at once and is confirmed late. The
		// move is answered late. What the bot does then is quick.
		n := 0
		b.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			switch n++; n {
			case 1:
				return &discordsim.Fault{Hold: 2 * time.Second}
			case 2:
				return &discordsim.Fault{Delay: 1500 * time.Millisecond}
			}
			return nil
		})
		press()
		press()
		time.Sleep(10 * time.Second)
		for _, r := range o.records() {
			if why := o.wrong(&r); why != "" || len(r.Match.Moves) < 2 {
				b.t.Errorf("version %d, recorded %+v\n%s", r.Match.Version, r.Screen, why)
			}
		}
	})
}
