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
)

// hangs is a fault in which Discord never answers.
func hangs() *discordsim.Fault { return &discordsim.Fault{Delay: 1000 * time.Hour} }

// Every route that the bot uses hangs for a minute: for the games of half of the
// channels, or altogether if a route is not about a channel. The people in the other
// channels are answered as ever, and nothing is stuck afterwards. The test logs how
// long the others waited; the time is that of a bubble, so it is what they waited for
// Discord and for each other, not for this machine.
func TestARouteOfDiscordsThatHangsHoldsUpNobodyElse(t *testing.T) {
	tables := 40
	if testing.Short() {
		tables = 8
	}
	for _, route := range []string{
		"POST /interactions/{interaction_id}/{interaction_token}/callback",
		"PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original",
		"GET /webhooks/{webhook_id}/{webhook_token}/messages/@original",
		"POST /webhooks/{webhook_id}/{webhook_token}",
		"POST /channels/{channel_id}/messages",
		"PATCH /channels/{channel_id}/messages/{message_id}",
		"GET /guilds/{guild_id}",
		"GET /gateway",
		"GET /gateway/bot",
		"GET /applications/@me",
		"GET /applications/{application_id}/commands",
		"POST /applications/{application_id}/commands",
		"no route",
		"every route of a channel",
	} {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(b *bubble) {
				o := &order{bubble: b, counts: map[string]int{}}
				stuck := map[string]bool{}
				var halves [2][]*orderTable
				for n := range tables {
					tb := &orderTable{o, b.sim.AddChannel(b.guild, fmt.Sprintf("board-%d", n)),
						[]*discordsim.Actor{b.person(fmt.Sprintf("w%d", n)), b.person(fmt.Sprintf("b%d", n))}}
					stuck[tb.channel] = n%2 == 1
					halves[n%2] = append(halves[n%2], tb)
				}
				fault := func(hanging bool) func(r *discordsim.Request) *discordsim.Fault {
					return func(r *discordsim.Request) *discordsim.Fault {
						here := r.ChannelID == "" || stuck[r.ChannelID]
						if hanging && here && (r.Route == route || route == "every route of a channel" && r.ChannelID != "") {
							return hangs()
						}
						return &discordsim.Fault{Delay: 50 * time.Millisecond, Hold: 50 * time.Millisecond}
					}
				}
				b.sim.SetFault(fault(false))
				ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
				defer cancel()
				var playing sync.WaitGroup
				var others waits
				for i, half := range halves {
					for n, tb := range half {
						rng := rand.New(rand.NewPCG(uint64(i), uint64(n)))
						if i == 0 {
							playing.Go(func() { tb.timed(ctx, rng, &others) })
						} else {
							playing.Go(func() { tb.play(ctx, rng, n%2 == 0) })
						}
					}
				}
				time.Sleep(20 * time.Second)
				b.sim.SetFault(fault(true))
				others.restart()
				time.Sleep(time.Minute)
				first, machine := others.restart()
				b.sim.SetFault(fault(false))
				playing.Wait()
				time.Sleep(screenTime)
				for _, r := range o.records() {
					if why := o.wrong(&r); why != "" {
						b.t.Errorf("game %s is stuck at version %d: recorded %+v\n%s", r.Match.ID, r.Match.Version, r.Screen, why)
					}
				}
				if n := len(first); n < 15*tables || len(machine) < 10*tables {
					b.t.Errorf("%d answers and %d moves of the machine are too few", n, len(machine))
				}
				if worst := quantile(first, 100); worst > time.Second {
					b.t.Errorf("the others waited up to %v for an answer", worst)
				}
				if worst := quantile(machine, 100); worst > time.Second {
					b.t.Errorf("the others waited up to %v for the machine's move", worst)
				}
				b.t.Logf("%d answers to others: p50 %v, p99 %v, longest %v; %d moves of the machine: p50 %v, p99 %v, longest %v", len(first),
					quantile(first, 50), quantile(first, 99), quantile(first, 100),
					len(machine), quantile(machine, 50), quantile(machine, 99), quantile(machine, 100))
			})
		})
	}
}

// While the routes of the start hang, the bot comes as far as it can, and goes on
// when they answer again.
func TestARouteOfDiscordsThatHangsAtTheStartIsWaitedFor(t *testing.T) {
	for _, route := range []string{
		"GET /gateway", "GET /applications/@me", "GET /applications/{application_id}/commands", "POST /applications/{application_id}/commands",
	} {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			online := make(chan time.Duration, 1)
			inBubble(t, func(b *bubble) {
				b.t.Logf("ready %v after the start", time.Since(bubbleStart))
				if after := <-online; after > 3*time.Minute {
					b.t.Errorf("online only %v after the start", after)
				}
				who := b.person("w")
				if r, err := who.Type(b.t.Context(), b.sim.AddChannel(b.guild, "board"), "/lasca play level:1"); err != nil || r.Took > time.Second {
					b.t.Errorf("%+v, %v", r, err)
				}
			}, func(b *bubble) {
				b.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
					if r.Route == route {
						return hangs()
					}
					return nil
				})
				time.AfterFunc(2*time.Minute, func() { b.sim.SetFault(nil) })
				go func() {
					if b.sim.WaitFor(b.t.Context(), (*discordsim.Server).BotOnline) == nil {
						online <- time.Since(bubbleStart)
					}
				}()
			})
		})
	}
}

// bubbleStart is the time at which every bubble begins.
var bubbleStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// waits are how long people waited.
type waits struct {
	mu             sync.Mutex
	first, machine []time.Duration
}

func (w *waits) add(list *[]time.Duration, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, d)
}

// restart returns the waits so far and begins anew.
func (w *waits) restart() (first, machine []time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first, machine = w.first, w.machine
	w.first, w.machine = nil, nil
	return first, machine
}

// timed plays a game against the machine and notes the waits until ctx ends. Now and
// then there is a private question too.
func (tb *orderTable) timed(ctx context.Context, rng *rand.Rand, w *waits) {
	who := tb.people[0]
	note := func(r *discordsim.Reply, err error) {
		if err != nil {
			tb.t.Errorf("not answered: %v", err)
			return
		}
		w.add(&w.first, r.Took)
	}
	for ctx.Err() == nil {
		r, err := who.Type(tb.t.Context(), tb.channel, "/lasca play level:1 colour:white")
		note(r, err)
		if err != nil {
			return
		}
		message := r.MessageID
		for ctx.Err() == nil {
			pause(ctx, within(rng, 3*time.Second))
			m, _ := tb.sim.Message("", tb.channel, message)
			id := firstStep(m)
			if id == "" {
				if !over(m) {
					tb.t.Errorf("nothing to press:\n%s", describe(m))
				}
				break
			}
			if rng.IntN(10) == 0 {
				note(who.Type(tb.t.Context(), tb.channel, "/lasca games"))
			}
			begun := time.Now()
			r, err := who.Click(tb.t.Context(), tb.channel, message, id)
			note(r, err)
			if err != nil {
				return
			}
			message = r.MessageID
			wait, cancel := context.WithTimeout(tb.t.Context(), time.Minute)
			err = tb.sim.WaitFor(wait, func(s *discordsim.Server) bool {
				m, _ = s.Message("", tb.channel, message)
				return !strings.Contains(m.Content, "is thinking") && !m.Loading
			})
			cancel()
			if err != nil {
				tb.t.Errorf("the machine's move is not shown:\n%s", describe(m))
				return
			}
			if ctx.Err() == nil {
				w.add(&w.machine, time.Since(begun))
			}
		}
	}
}
