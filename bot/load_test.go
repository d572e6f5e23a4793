package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
)

// loadLevel is the machine's level in the load test.
const loadLevel = 5

// TestLoad plays many games at once. The bot is a process of its own, and people
// click as fast as its answers arrive. The test prints how fast that was. It fails
// on no time limit, since that would test the machine.
//
//	LASCA_LOAD=90s go test -run 'TestLoad$' -timeout 1h -v ./bot
//
// LASCA_LOAD_GAMES (1,000, each in a channel of its own) and LASCA_LOAD_HANDS
// (32, the number of people who click at the same time) change what it plays.
// LASCA_TEST_BOT_PROFILE writes a CPU profile of the bot.
func TestLoad(t *testing.T) {
	if os.Getenv("LASCA_LOAD") == "" {
		t.Skip("set LASCA_LOAD to how long it should run, such as 90s")
	}
	length, err := time.ParseDuration(os.Getenv("LASCA_LOAD"))
	if err != nil {
		t.Fatal(err)
	}
	games, hands := setting(t, "LASCA_LOAD_GAMES", 1000), setting(t, "LASCA_LOAD_HANDS", 32)

	l := &load{t: t, level: loadLevel, calls: map[string]int{}, asked: map[string]time.Time{}}
	sim, api := newSim(t, discordsim.Options{GlobalLimit: 50, MaxRequests: 1, MaxMessages: 20})
	l.sim = sim
	l.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault { l.called(r); return nil })
	dir := t.TempDir()
	metrics := filepath.Join(dir, "metrics")
	bot := startBot(t, api, dir, botMetrics+"="+metrics)
	l.pid = bot.cmd.Process.Pid
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := l.sim.WaitFor(ctx, ready); err != nil {
		t.Fatal(err)
	}
	seats := l.furnish(games)
	events := l.sim.Subscribe(ctx)
	go func() {
		for e := range events {
			l.see(e)
		}
	}()

	rng := rand.New(rand.NewPCG(1, 1))
	share := make([][]*seatedGame, hands)
	for i, g := range seats {
		share[i%hands] = append(share[i%hands], g)
	}
	each := func(ctx context.Context, do func(ctx context.Context, rng *rand.Rand, list []*seatedGame)) {
		var wg sync.WaitGroup
		for _, list := range share {
			own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
			wg.Go(func() { do(ctx, own, list) })
		}
		wg.Wait()
	}
	begun := time.Now()
	each(ctx, l.begin)
	t.Logf("%d games begun in %v", games, time.Since(begun).Round(time.Second))
	l.mu.Lock()
	l.first, l.machine, l.calls = nil, nil, map[string]int{}
	l.mu.Unlock()

	measured, over := context.WithTimeout(ctx, length)
	defer over()
	before := cpuOf(l.pid)
	begun = time.Now()
	done := make(chan []string)
	go func() { done <- l.watch(measured, begun) }()
	each(measured, l.clicks)
	table := <-done
	took := time.Since(begun)
	used := cpuOf(l.pid) - before

	l.mu.Lock()
	t.Logf("%d games, %d hands, %d cores (the simulator and the people use them too), %v\n%s\n"+
		"interactions: %d, %.0f a second, %d failed\n"+
		"first answers: p50 %v, p90 %v, p99 %v, longest %v\n"+
		"machine's moves at level %d: %d, p50 %v, p90 %v, p99 %v, longest %v\n"+
		"the bot's CPU time: %v, %.2f cores, %.2f ms an interaction\nrequests: %v",
		games, hands, runtime.NumCPU(), took.Round(time.Second), strings.Join(table, "\n"),
		len(l.first), float64(len(l.first))/took.Seconds(), l.failed,
		quantile(l.first, 50), quantile(l.first, 90), quantile(l.first, 99), quantile(l.first, 100),
		l.level, len(l.machine), quantile(l.machine, 50), quantile(l.machine, 90), quantile(l.machine, 99), quantile(l.machine, 100),
		used, used.Seconds()/took.Seconds(), used.Seconds()*1000/float64(max(1, len(l.first))), l.calls)
	l.mu.Unlock()
	if v := l.sim.Violations(); len(v) > 0 {
		t.Errorf("%d violations, the first: %q", len(v), v[:min(len(v), 5)])
	}
	if err := bot.stop(); err != nil {
		t.Errorf("the bot did not stop cleanly: %v", err)
	}
	inside, err := os.ReadFile(metrics)
	if err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(string(inside)) {
		if strings.HasPrefix(line, "lascabot_") && !strings.Contains(line, "_bucket{") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if text := printed(dir); text != "" {
		t.Logf("the bot printed at the end:\n%s", text)
	}
}

// load is what a load test measures.
type load struct {
	t     *testing.T
	sim   *discordsim.Server
	pid   int
	level int

	shown bell // rings when a message was posted or edited

	mu      sync.Mutex
	first   []time.Duration // of the first answers
	machine []time.Duration // from a person's move on the screen to the machine's
	failed  int
	calls   map[string]int       // requests by route
	asked   map[string]time.Time // by message: when the machine's turn began
}

// seatedGame is a game with the people who click in it.
type seatedGame struct {
	channel string
	white   *discordsim.Actor
	black   *discordsim.Actor // nil for the machine
	message string
}

// furnish makes a channel for each game. Every second game is against the machine.
func (l *load) furnish(games int) []*seatedGame {
	var list []*seatedGame
	guild := ""
	person := func(name string) *discordsim.Actor {
		id := l.sim.AddUser(discordsim.User{Name: name, DisplayName: name})
		l.sim.Join(guild, id)
		return l.sim.As(id)
	}
	for i := range games {
		if i%50 == 0 {
			guild = l.sim.AddGuild(fmt.Sprintf("Club %d", i/50), "en-US")
		}
		g := &seatedGame{channel: l.sim.AddChannel(guild, fmt.Sprintf("board-%d", i)), white: person(fmt.Sprintf("w%d", i))}
		if i%2 == 1 {
			g.black = person(fmt.Sprintf("b%d", i))
		}
		list = append(list, g)
	}
	return list
}

// see records how long the machine took.
func (l *load) see(e discordsim.Event) {
	if e.Message == nil || e.UserID != "" {
		return
	}
	defer l.shown.ring()
	thinking := strings.Contains(e.Message.Content, "is thinking")
	l.mu.Lock()
	defer l.mu.Unlock()
	since, waits := l.asked[e.MessageID]
	switch {
	case thinking && !waits:
		l.asked[e.MessageID] = time.Now()
	case !thinking && waits:
		delete(l.asked, e.MessageID)
		l.machine = append(l.machine, time.Since(since))
	}
}

// called counts a request.
func (l *load) called(r *discordsim.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[r.Route]++
}

// answered records a first answer and reports whether there was one.
func (l *load) answered(ctx context.Context, r *discordsim.Reply, err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			l.failed++
		}
		return false
	}
	l.first = append(l.first, r.Took)
	return true
}

// begin starts the games of one hand.
func (l *load) begin(ctx context.Context, _ *rand.Rand, list []*seatedGame) {
	for _, g := range list {
		for g.message == "" && ctx.Err() == nil {
			if g.black == nil {
				r, err := g.white.Type(ctx, g.channel, fmt.Sprintf("/lasca play level:%d colour:white", l.level))
				if l.answered(ctx, r, err) {
					g.message = r.MessageID
				}
				continue
			}
			r, err := g.white.Type(ctx, g.channel, "/lasca challenge colour:white user:<@"+g.black.ID()+">")
			if !l.answered(ctx, r, err) {
				continue
			}
			a, err := g.black.ClickLabel(ctx, g.channel, r.MessageID, "Accept")
			if l.answered(ctx, a, err) {
				g.message = r.MessageID
			}
		}
	}
}

// clicks presses buttons in the games of one hand, game by game.
func (l *load) clicks(ctx context.Context, rng *rand.Rand, list []*seatedGame) {
	for ctx.Err() == nil {
		shown, pressed := l.shown.next(), false
		for _, g := range list {
			if ctx.Err() != nil {
				return
			}
			m, ok := l.sim.Message("", g.channel, g.message)
			if !ok {
				l.t.Errorf("the board in %s is gone", g.channel)
				return
			}
			who, id := g.next(rng, m)
			if id == "" {
				continue // the machine is thinking
			}
			pressed = true
			r, err := who.Click(ctx, g.channel, g.message, id)
			if errors.Is(err, discordsim.ErrNoComponent) {
				continue // the machine's move came in between
			}
			if l.answered(ctx, r, err) {
				if m, ok := l.sim.Message(who.ID(), g.channel, r.MessageID); ok && m.EphemeralFor == "" {
					g.message = r.MessageID
				}
			}
		}
		if !pressed { // the machine is thinking in all of them
			select {
			case <-shown:
			case <-ctx.Done():
			}
		}
	}
}

// next chooses a button of a board: one that leads to a move or, after the end, to
// another game.
func (g *seatedGame) next(rng *rand.Rand, m discordsim.Message) (who *discordsim.Actor, id string) {
	who = g.white
	if g.black != nil && strings.Contains(m.Content, "<@"+g.black.ID()+">") {
		who = g.black
	}
	var steps []string
	for _, b := range buttons(m) {
		in, err := intent.ParseCustomID(b.CustomID)
		if err != nil || b.Disabled {
			continue
		}
		switch in.(type) {
		case intent.Step:
			if b.Label != "← Back" {
				steps = append(steps, b.CustomID)
			}
		case intent.Rematch, intent.Accept:
			return who, b.CustomID
		}
	}
	if len(steps) == 0 {
		return nil, ""
	}
	return who, steps[rng.IntN(len(steps))]
}

// watch samples the bot's memory and pace every ten seconds until ctx ends, and
// returns a table.
func (l *load) watch(ctx context.Context, begun time.Time) []string {
	rows := []string{"   time   resident  its own   interactions/s   p99 of them"}
	every := time.NewTicker(10 * time.Second)
	defer every.Stop()
	from := 0
	last := begun
	for {
		select {
		case <-ctx.Done():
			return rows
		case now := <-every.C:
			l.mu.Lock()
			part := slices.Clone(l.first[from:])
			from = len(l.first)
			l.mu.Unlock()
			all, own := residentOf(l.pid)
			rows = append(rows, fmt.Sprintf("%7v %6d MiB %4d MiB %16.0f %13v", now.Sub(begun).Round(time.Second), all>>20, own>>20,
				float64(len(part))/now.Sub(last).Seconds(), quantile(part, 99)))
			last = now
		}
	}
}

// quantile returns the n-th percentile, rounded.
func quantile(list []time.Duration, n int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return list[min(len(list)-1, len(list)*n/100)].Round(100 * time.Microsecond)
}

// residentOf returns the memory of a process in bytes, and the part that is its
// own. The rest are pages of files, such as the store's, which the system takes
// back when it needs them. Both are 0 where they cannot be read.
func residentOf(pid int) (all, own int) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if f := strings.Fields(string(data)); len(f) > 2 {
		resident, _ := strconv.Atoi(f[1])
		shared, _ := strconv.Atoi(f[2])
		return resident * os.Getpagesize(), (resident - shared) * os.Getpagesize()
	}
	return 0, 0
}

// cpuOf returns the processor time of a process, 0 where it cannot be read.
func cpuOf(pid int) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(after)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * time.Second / 100 // Linux counts in hundredths
}
