package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
)

// club is people at many tables of several servers, who play by clicks until they are
// told to rest. They do what people do while a bot is in trouble: they press again.
type club struct {
	sim    *discordsim.Server
	tables []*seat

	mu     sync.Mutex
	took   []time.Duration // until the first answer
	failed int             // presses without an answer
	shown  []sighting
}

// seat is a game in a channel of its own.
type seat struct {
	channel      string
	white, black *discordsim.Actor // black is nil where the machine plays
	message      string            // the newest board

	mu       sync.Mutex
	progress []time.Time // when the people saw a version for the first time
	version  uint64
	game     match.ID
}

// sighting is a version of a game that everybody was shown.
type sighting struct {
	game    match.ID
	version uint64
	at      int64
}

// newClub makes servers with tables. At every second one the machine plays.
func newClub(ctx context.Context, t *testing.T, sim *discordsim.Server, guilds, tables int) *club {
	t.Helper()
	c := &club{sim: sim}
	for g := range guilds {
		guild := sim.AddGuild(fmt.Sprintf("Club %d", g), "en-US")
		for range tables {
			n := len(c.tables)
			person := func(name string) *discordsim.Actor {
				id := sim.AddUser(discordsim.User{Name: name, DisplayName: strings.ToUpper(name), Locale: "en-US"})
				sim.Join(guild, id)
				return sim.As(id)
			}
			tb := &seat{channel: sim.AddChannel(guild, fmt.Sprintf("board-%d", n)), white: person(fmt.Sprintf("w%d", n))}
			if n%2 == 1 {
				tb.black = person(fmt.Sprintf("b%d", n))
			}
			c.tables = append(c.tables, tb)
		}
	}
	events := sim.Subscribe(ctx)
	go func() {
		for e := range events {
			if e.Kind == discordsim.EventResync {
				t.Error("the test missed some of what was shown")
			}
			if e.Message != nil && e.UserID == "" {
				c.see(e.ChannelID, *e.Message)
			}
		}
	}()
	return c
}

// see notes a version that a board shows.
func (c *club) see(channel string, m discordsim.Message) {
	ref := shows(m)
	if ref.Game == "" {
		return
	}
	now := time.Now()
	c.mu.Lock()
	c.shown = append(c.shown, sighting{ref.Game, ref.Version, now.UnixNano()})
	c.mu.Unlock()
	i := slices.IndexFunc(c.tables, func(tb *seat) bool { return tb.channel == channel })
	if i < 0 {
		return
	}
	tb := c.tables[i]
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if tb.game != ref.Game || tb.version < ref.Version {
		tb.game, tb.version = ref.Game, ref.Version
		tb.progress = append(tb.progress, now)
	}
}

// shows returns the game and the version that a message's buttons are about.
func shows(m discordsim.Message) intent.Ref {
	for _, b := range pressable(m) {
		if ref := b.intent.About(); ref.Game != "" {
			return ref
		}
	}
	return intent.Ref{}
}

// button is a button that can be pressed.
type button struct {
	label  string
	intent intent.Intent
	id     string
}

// pressable returns a message's buttons that can be pressed.
func pressable(m discordsim.Message) (list []button) {
	for _, row := range m.Components {
		for _, c := range row.Components {
			if in, err := intent.ParseCustomID(c.CustomID); err == nil && !c.Disabled {
				list = append(list, button{c.Label, in, c.CustomID})
			}
		}
	}
	return list
}

// play lets hands click at the tables, each at its own share of them in turn, until ctx
// ends.
func (c *club) play(ctx context.Context, hands int, seed uint64) {
	var wg sync.WaitGroup
	for h := range hands {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(h)))
			for ctx.Err() == nil {
				pressed := false
				for i := h; i < len(c.tables); i += hands {
					pressed = c.tables[i].turn(ctx, c, rng) || pressed
				}
				if !pressed { // the machine thinks at all of them, or nobody answers
					pause(ctx, 20*time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
}

// pause lets somebody hesitate. It does not wait for anything to happen.
func pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}

// turn does one thing at a table. It reports whether anything could be done.
func (tb *seat) turn(ctx context.Context, c *club, rng *rand.Rand) bool {
	if ctx.Err() != nil {
		return false
	}
	tb.newest(c)
	if tb.message == "" {
		line := "/lasca play level:1 colour:white"
		if tb.black != nil {
			line = "/lasca challenge colour:white user:<@" + tb.black.ID() + ">"
		}
		r, err := tb.white.Type(ctx, tb.channel, line)
		if c.answered(ctx, r, err) {
			tb.message = r.MessageID
		}
		return err == nil
	}
	m, ok := c.sim.Message("", tb.channel, tb.message)
	if !ok {
		tb.message = ""
		return true
	}
	who, id := tb.next(rng, m)
	if id == "" {
		return false
	}
	r, err := who.Click(ctx, tb.channel, tb.message, id)
	if errors.Is(err, discordsim.ErrNoComponent) {
		return true // the board has changed in between
	}
	c.answered(ctx, r, err)
	return err == nil
}

// newest looks for the newest board in the channel.
func (tb *seat) newest(c *club) {
	for _, m := range slices.Backward(c.sim.Messages("", tb.channel)) {
		if m.Author.ID == c.sim.BotID() && m.EphemeralFor == "" && shows(m).Game != "" {
			tb.message = m.ID
			return
		}
	}
}

// next chooses a button of a board that leads to a move or, after the end, to another
// game, and who presses it.
func (tb *seat) next(rng *rand.Rand, m discordsim.Message) (who *discordsim.Actor, id string) {
	who = tb.white
	if tb.black != nil && strings.Contains(m.Content, "<@"+tb.black.ID()+">") {
		who = tb.black
	}
	var steps []string
	for _, b := range pressable(m) {
		switch b.intent.(type) {
		case intent.Step:
			if b.label != "← Back" {
				steps = append(steps, b.id)
			}
		case intent.Rematch, intent.Accept:
			return who, b.id
		}
	}
	if len(steps) == 0 {
		return nil, ""
	}
	return who, steps[rng.IntN(len(steps))]
}

// answered counts an answer, and reports whether there was one.
func (c *club) answered(ctx context.Context, r *discordsim.Reply, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.took = append(c.took, r.Took)
	case ctx.Err() == nil:
		c.failed++
	}
	return err == nil
}

// counts are how many presses were answered, and how many not.
type counts struct{ answered, failed int }

func (c *club) counts() counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return counts{len(c.took), c.failed}
}

// begun returns at how many tables a game has begun.
func (c *club) begun() (n int) {
	for _, tb := range c.tables {
		tb.mu.Lock()
		if tb.version > 1 || tb.black == nil && tb.version > 0 {
			n++
		}
		tb.mu.Unlock()
	}
	return n
}

// longestGap returns the longest time between two versions at a table, begun in a span
// of time, and where that was.
func (c *club) longestGap(from, to time.Time) (gap time.Duration, at *seat) {
	for _, tb := range c.tables {
		tb.mu.Lock()
		list := slices.Concat(tb.progress, []time.Time{time.Now()})
		tb.mu.Unlock()
		for i := 1; i < len(list); i++ {
			if list[i].Before(from) || list[i-1].After(to) {
				continue
			}
			if d := list[i].Sub(list[i-1]); d > gap {
				gap, at = d, tb
			}
		}
	}
	return gap, at
}

// quantile returns the n-th percentile, rounded.
func quantile(list []time.Duration, n int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[min(len(list)-1, len(list)*n/100)].Round(100 * time.Microsecond)
}
