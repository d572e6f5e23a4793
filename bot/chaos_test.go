package bot_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// setting reads a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestChaos kills the bot at random moments while people play in several channels
// and Discord has faults of every kind. Then it compares everything that people
// were shown with everything that was stored.
//
// LASCA_CHAOS_KILLS is the number of kills. LASCA_CHAOS_SEED chooses the schedule
// of kills, faults and presses. The same seed makes the same schedule, but the
// system decides how the processes interleave.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a dozen processes")
	}
	t.Parallel()
	kills := setting(t, "LASCA_CHAOS_KILLS", 10)
	c := newChaos(t, uint64(setting(t, "LASCA_CHAOS_SEED", 1)))
	rng := rand.New(rand.NewPCG(c.seed, 0))

	people, rest := context.WithCancel(c.ctx)
	var tables sync.WaitGroup
	for i, tb := range c.tables {
		tables.Go(func() { tb.play(people, rand.New(rand.NewPCG(c.seed, uint64(i)+1))) })
	}
	begun := time.Now()
	for n := range kills {
		c.live(rng, kills >= 100 && n%25 == 7)
	}
	rest()
	tables.Wait()
	c.calm.Store(true)
	t.Logf("%d kills in %v", kills, time.Since(begun).Round(time.Second))
	c.goOn()

	if left := c.sim.Violations(); len(left) > 0 {
		t.Errorf("%d violations, the first are %q", len(left), left[:min(len(left), 5)])
	}
	if t.Failed() {
		t.Logf("the bots printed at the end:\n%s", printed(c.dir))
	}
	t.Log(c.figures(kills))
}

// chaos is a loopback Discord with people at several tables, the bot's files, and
// all known versions of every game.
type chaos struct {
	t      *testing.T
	ctx    context.Context
	seed   uint64
	dir    string
	sim    *discordsim.Server
	api    string
	tables []*table
	people []string

	calm atomic.Bool // no more faults

	mu     sync.Mutex
	counts map[string]int
	seen   []sighting

	// history is every version of every game that was ever stored.
	history map[match.ID]map[uint64]match.Match
	places  map[match.ID]storage.Place
	read    int64 // how far the witness's file has been read
	shown   int
}

// sighting is a screen as it was shown to everybody.
type sighting struct {
	game      match.ID
	version   uint64
	path      []engine.Square
	text, alt string
}

func newChaos(t *testing.T, seed uint64) *chaos {
	ctx, cancel := context.WithCancel(t.Context())
	c := &chaos{
		t: t, ctx: ctx, seed: seed, dir: t.TempDir(), counts: map[string]int{},
		history: map[match.ID]map[uint64]match.Match{}, places: map[match.ID]storage.Place{},
	}
	c.sim, c.api = newSim(t, discordsim.Options{
		HeartbeatInterval: time.Second, MaxRequests: 100, MaxMessages: 60,
		AckWithin: 30 * time.Second, // the speed depends on the machine, and this test is not about it
	})
	t.Cleanup(cancel)
	c.sim.SetFault(c.fault)

	for g := range 2 {
		guild := c.sim.AddGuild(fmt.Sprintf("Club %d", g), "en-US")
		for range 5 {
			tb := &table{c: c, channel: c.sim.AddChannel(guild, "board-room")}
			for range 2 {
				name := fmt.Sprintf("p%d", len(c.people))
				id := c.sim.AddUser(discordsim.User{Name: name, DisplayName: strings.ToUpper(name), Locale: "en-US"})
				c.sim.Join(guild, id)
				c.people = append(c.people, id)
				tb.people = append(tb.people, c.sim.As(id))
			}
			c.tables = append(c.tables, tb)
		}
	}
	// One of them also plays in direct messages.
	alone := c.tables[0].people[:1]
	c.tables = append(c.tables, &table{c: c, channel: alone[0].OpenDM(), people: alone})

	events := c.sim.Subscribe(ctx)
	go func() {
		for e := range events {
			c.see(e)
		}
	}()
	return c
}

func (c *chaos) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
}

// fault decides what goes wrong with a request. It depends only on the seed and the
// number of the request.
func (c *chaos) fault(r *discordsim.Request) *discordsim.Fault {
	if c.calm.Load() {
		return nil
	}
	rng := rand.New(rand.NewPCG(c.seed, 1<<32+uint64(r.N)))
	if strings.HasSuffix(r.Path, "/gateway") && rng.IntN(10) > 0 {
		return nil // each costs a second until the next attempt
	}
	callback := strings.HasSuffix(r.Path, "/callback")
	short := time.Duration(20+rng.IntN(200)) * time.Millisecond
	for _, f := range []struct {
		what   string
		chance int // in thousandths
		fault  discordsim.Fault
		only   bool
	}{
		{"500", 20, discordsim.Fault{Status: 500}, true},
		{"502 with a page", 20, discordsim.Fault{Status: 502, HTML: true}, true},
		{"503", 10, discordsim.Fault{Status: 503}, true},
		{"dropped before", 20, discordsim.Fault{DropBefore: true}, true},
		{"dropped after", 30, discordsim.Fault{DropAfter: true}, true},
		{"429", 15, discordsim.Fault{Status: 429, RetryAfter: short}, true},
		{"429 global", 5, discordsim.Fault{Status: 429, RetryAfter: short, Scope: "global"}, true},
		{"429 with a page", 2, discordsim.Fault{Status: 429, RetryAfter: time.Second, HTML: true}, true},
		{"late", 50, discordsim.Fault{Delay: short}, true},
		{"unknown interaction", 15, discordsim.Fault{Status: 404, Code: 10062}, callback},
	} {
		if f.only && rng.IntN(1000) < f.chance {
			c.count("fault: " + f.what)
			return &f.fault
		}
	}
	return nil
}

// see records what everybody was shown of a game.
func (c *chaos) see(e discordsim.Event) {
	switch {
	case e.Kind == discordsim.EventResync:
		c.t.Error("the test missed some of what was shown")
		return
	case e.Message == nil || e.UserID != "" || e.Message.Author.ID != c.sim.BotID():
		return
	}
	ref, ok := refOf(*e.Message)
	if !ok {
		return
	}
	s := sighting{game: ref.Game, version: ref.Version, path: chosen(*e.Message), text: e.Message.Content}
	if len(e.Message.Attachments) > 0 {
		s.alt = e.Message.Attachments[0].Description
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, s)
}

// refOf returns the game and version that a message's buttons are about.
func refOf(m discordsim.Message) (intent.Ref, bool) {
	for _, b := range buttons(m) {
		if in, err := intent.ParseCustomID(b.CustomID); err == nil {
			return in.About(), in.About().Game != ""
		}
	}
	return intent.Ref{}, false
}

// chosen returns the squares that are chosen on a board. Its buttons tell: one
// leads back to all but the last of them, the others lead further.
func chosen(m discordsim.Message) []engine.Square {
	var paths [][]engine.Square
	for _, b := range buttons(m) {
		if in, err := intent.ParseCustomID(b.CustomID); err == nil {
			if step, ok := in.(intent.Step); ok {
				paths = append(paths, step.Path)
			}
		}
	}
	for _, back := range paths {
		for _, on := range paths {
			if len(on) == len(back)+2 {
				return on[:len(back)+1]
			}
		}
	}
	return nil
}

// live runs the bot for a random time with a disturbed gateway, then kills it and
// compares.
func (c *chaos) live(rng *rand.Rand, long bool) {
	c.t.Helper()
	bot := startBot(c.t, c.api, c.dir, botWitness+"="+c.witness())
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	switch {
	case rng.IntN(10) == 0:
		c.count("killed while starting")
		pause(ctx, time.Duration(rng.IntN(150))*time.Millisecond)
	case c.sim.WaitFor(ctx, (*discordsim.Server).BotOnline) != nil:
		c.count("killed before it was online")
	default:
		end := time.Duration(50+rng.IntN(600)) * time.Millisecond
		if long {
			end = 8 * time.Second // enough to come back after a lost connection
		}
		until := time.Now().Add(end)
		for time.Now().Before(until) {
			pause(ctx, min(time.Until(until), time.Duration(20+rng.IntN(150))*time.Millisecond))
			c.disturb(rng, long)
		}
	}
	bot.kill()
	c.sim.Gateway().Release(false)
	c.sim.Gateway().Delay(0)
	c.sim.Gateway().IgnoreHeartbeats(false)
	if err := c.sim.WaitFor(c.ctx, func(s *discordsim.Server) bool { return s.Gateway().Connections() == 0 }); err != nil {
		c.t.Fatal(err)
	}
	c.compare()
}

// disturb does something to the gateway. Unless there is time, it rarely breaks the
// connection, because the bot must then wait five seconds.
func (c *chaos) disturb(rng *rand.Rand, long bool) {
	g := c.sim.Gateway()
	n := rng.IntN(40)
	if long {
		n = rng.IntN(20)
	}
	switch n {
	case 0:
		c.count("gateway: op 7")
		g.Reconnect()
	case 1:
		c.count("gateway: op 9")
		g.InvalidateSession(rng.IntN(2) == 0)
	case 2:
		c.count("gateway: reset")
		g.Reset()
	case 3:
		c.count("gateway: closed")
		g.Close(4000+9*rng.IntN(2), "chaos")
	case 4, 5, 6, 7:
		c.count("gateway: delayed")
		g.Delay(time.Duration(rng.IntN(60)) * time.Millisecond)
	case 8, 9:
		c.count("gateway: deaf")
		g.IgnoreHeartbeats(rng.IntN(2) == 0)
	case 10, 11, 12:
		c.count("gateway: held back")
		g.Hold()
	case 13, 14, 15:
		c.count("gateway: released in reverse")
		g.Release(true)
	default:
		c.count("gateway: repeated")
		g.Release(false)
		g.ReplayLast()
	}
}

// pause lets a random time pass before the next kill or disturbance. It does not
// wait for anything to happen.
func pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}

func (c *chaos) witness() string { return filepath.Join(c.dir, "witness") }

// compare reads the store while no bot runs and compares everything that was shown
// with it.
func (c *chaos) compare() {
	c.t.Helper()
	c.readWitness()
	store, err := boltstore.Open(filepath.Join(c.dir, "games.db"), boltstore.Options{})
	if err != nil {
		c.t.Fatalf("the file is damaged after a kill: %v", err)
	}
	defer store.Close()
	if err := store.Check(c.ctx); err != nil {
		c.t.Fatalf("the file is damaged after a kill: %v", err)
	}
	// The witness may have missed the last version before a kill.
	for _, u := range c.people {
		list, err := store.ListByUser(c.ctx, match.UserID(u), 1000)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, r := range list {
			c.learn(r.Match)
		}
	}
	for id := range c.history {
		newest := c.newest(id)
		if newest.Phase == match.Finished && c.places[id] != (storage.Place{}) {
			continue // it cannot change any more and has been compared
		}
		r, err := store.Load(c.ctx, id)
		if err != nil {
			c.t.Errorf("game %s was stored and cannot be loaded: %v", id, err)
			continue
		}
		c.places[id] = r.Place
		c.learn(r.Match)
		if r.Match.Version < newest.Version {
			c.t.Errorf("game %s was saved as version %d, but version %d is stored", id, newest.Version, r.Match.Version)
		}
	}

	c.mu.Lock()
	seen := c.seen
	c.seen = nil
	c.mu.Unlock()
	for _, s := range seen {
		m, ok := c.history[s.game][s.version]
		if !ok {
			c.t.Errorf("game %s: version %d was shown but never stored:\n%s", s.game, s.version, s.text)
			continue
		}
		var look view.Look
		if s.alt == "" && m.Phase != match.Proposed { // somebody's choice
			look.Boards = view.InLetters
		}
		l := i18n.For(c.places[s.game].Locale)
		want := view.Game(l, look, &m, s.path)
		if told := view.News(l, &storage.Record{Match: m}, want); told.Text == withoutTime(s.text) { // for whoever was not there
			want = told
		}
		if d := cmp.Diff([]string{want.Text, altOf(want)}, []string{withoutTime(s.text), s.alt}); d != "" {
			c.t.Errorf("game %s, version %d was not shown as it was stored (-stored +shown):\n%s", s.game, s.version, d)
		}
		c.shown++
	}
}

func altOf(m view.Message) string {
	if m.Picture == nil {
		return ""
	}
	return m.Picture.Alt
}

// newest returns the newest known version of a game.
func (c *chaos) newest(id match.ID) match.Match {
	return c.history[id][slices.Max(slices.Collect(maps.Keys(c.history[id])))]
}

// readWitness reads what the bots have saved since the last time, and cuts off a
// line that a kill left unfinished.
func (c *chaos) readWitness() {
	c.t.Helper()
	f, err := os.OpenFile(c.witness(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(c.read, io.SeekStart); err != nil {
		c.t.Fatal(err)
	}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			if err := f.Truncate(c.read); err != nil {
				c.t.Fatal(err)
			}
			return
		}
		if err != nil {
			c.t.Fatal(err)
		}
		c.read += int64(len(line))
		var m match.Match
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Fatalf("%v: %s", err, line)
		}
		c.learn(m)
	}
}

// learn adds a stored version and checks that it follows from the one before.
func (c *chaos) learn(m match.Match) {
	c.t.Helper()
	versions := c.history[m.ID]
	if versions == nil {
		versions = map[uint64]match.Match{}
		c.history[m.ID] = versions
	}
	if old, ok := versions[m.Version]; ok {
		a, _ := json.Marshal(old)
		b, _ := json.Marshal(m)
		if !bytes.Equal(a, b) {
			c.t.Errorf("game %s has two versions %d:\n%s\n%s", m.ID, m.Version, a, b)
		}
		return
	}
	versions[m.Version] = m
	if err := m.Check(); err != nil {
		c.t.Errorf("a stored game is not legal: %v", err)
	}
	before, ok := versions[m.Version-1]
	if !ok {
		return
	}
	n := len(before.Moves)
	switch {
	case len(m.Moves) <= n && slices.Equal(m.Moves, before.Moves[:len(m.Moves)]): // no new move, or some taken back
	case len(m.Moves) == n+1 && slices.Equal(m.Moves[:n], before.Moves):
		c.count("moves")
	default:
		c.t.Errorf("game %s, version %d: the moves %v do not follow from %v", m.ID, m.Version, m.Moves, before.Moves)
	}
}

// goOn starts the bot for the last time and checks that every unfinished game
// answers.
func (c *chaos) goOn() {
	c.t.Helper()
	bot := startBot(c.t, c.api, c.dir, botWitness+"="+c.witness())
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	if err := c.sim.WaitFor(ctx, (*discordsim.Server).BotOnline); err != nil {
		c.t.Fatalf("the bot did not start for the last time: %v\n%s", err, printed(c.dir))
	}
	for id := range c.history {
		if m := c.newest(id); m.Phase != match.Finished {
			if err := c.answers(ctx, m); err != nil {
				c.t.Errorf("game %s (%s) does not go on: %v", id, m.Phase, err)
			}
			c.count("unfinished games that went on")
		}
	}
	if err := bot.stop(); err != nil {
		c.t.Errorf("the bot did not stop cleanly: %v", err)
	}
	// What a stop has no time for, since Discord takes few edits of a channel's messages
	// at a time, the next start shows.
	for n := 0; n < 10 && len(c.behind()) > 0; n++ {
		again := startBot(c.t, c.api, c.dir, botWitness+"="+c.witness())
		if err := c.sim.WaitFor(c.ctx, (*discordsim.Server).BotOnline); err != nil {
			c.t.Fatalf("the bot did not start to show what is left: %v\n%s", err, printed(c.dir))
		}
		if err := again.stop(); err != nil {
			c.t.Errorf("the bot did not stop cleanly: %v", err)
		}
	}
	c.compare()
	for _, r := range c.behind() {
		c.t.Errorf("game %s is stored as version %d, its screen shows version %d", r.Match.ID, r.Match.Version, r.Screen.Version)
	}
}

// answers asks for a game's board and presses a button on it.
func (c *chaos) answers(ctx context.Context, m match.Match) error {
	var who *discordsim.Actor // who is to move, or else the machine's opponent
	for _, s := range m.Seats {
		if s.User != "" && (who == nil || m.Seats[m.Turn()].User == s.User) {
			who = c.sim.As(string(s.User))
		}
	}
	channel := c.places[m.ID].Channel
	reply, err := who.Slash(ctx, channel, "lasca board", map[string]any{"game": string(m.ID)})
	if err != nil {
		return err
	}
	before, ok := c.sim.Message(who.ID(), channel, reply.MessageID)
	if !ok || before.EphemeralFor != "" {
		return fmt.Errorf("the answer is not a board:\n%s", describe(before))
	}
	if m.Phase == match.Proposed {
		_, err = c.sim.As(string(m.Seats[m.By].User)).ClickLabel(ctx, channel, before.ID, "Withdraw")
		return err
	}
	// The machine may have to move first.
	var board discordsim.Message
	var button string
	err = c.sim.WaitFor(ctx, func(s *discordsim.Server) bool {
		board, _ = s.Message("", channel, before.ID)
		button = firstStep(board)
		return button != "" || over(board)
	})
	if err != nil || button == "" {
		return err
	}
	reply, err = who.Click(ctx, channel, board.ID, button)
	if err != nil {
		return err
	}
	after, _ := c.sim.Message(who.ID(), channel, reply.MessageID)
	if after.EphemeralFor != "" {
		return fmt.Errorf("the press was refused:\n%s", describe(after))
	}
	return nil
}

// firstStep returns the custom ID of the first button that leads to a move.
func firstStep(m discordsim.Message) string {
	for _, b := range buttons(m) {
		if in, err := intent.ParseCustomID(b.CustomID); err == nil && !b.Disabled {
			if _, ok := in.(intent.Step); ok {
				return b.CustomID
			}
		}
	}
	return ""
}

// behind returns the games whose messages do not show the newest version.
func (c *chaos) behind() (list []storage.Record) {
	c.t.Helper()
	store, err := boltstore.Open(filepath.Join(c.dir, "games.db"), boltstore.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer store.Close()
	due, err := store.ListDue(c.ctx, storage.DueScreen, time.Time{}, 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, id := range due {
		r, err := store.Load(c.ctx, id)
		if err != nil {
			c.t.Fatal(err)
		}
		if r.Behind() { // else it is written once more after a call with an unknown outcome
			list = append(list, r)
		}
	}
	return list
}

func (c *chaos) figures(kills int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	finished := 0
	for id := range c.history {
		if c.newest(id).Phase == match.Finished {
			finished++
		}
	}
	fmt.Fprintf(&b, "seed %d: %d kills, %d games (%d finished), %d screens shown and compared\n",
		c.seed, kills, len(c.history), finished, c.shown)
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Fprintf(&b, "%7d %s\n", c.counts[what], what)
	}
	return b.String()
}

// table is one or two people in a channel who press whatever buttons there are.
type table struct {
	c       *chaos
	channel string
	people  []*discordsim.Actor
	old     []string // custom IDs that were on some message
	on      string   // the message that had the newest of them
}

// patience is how long a person waits for an answer.
const patience = 700 * time.Millisecond

func (tb *table) play(ctx context.Context, rng *rand.Rand) {
	for ctx.Err() == nil {
		if !tb.c.sim.BotOnline() && rng.IntN(10) > 0 {
			if tb.c.sim.WaitFor(ctx, ready) != nil {
				return
			}
		}
		turn, cancel := context.WithTimeout(ctx, patience)
		reply, err := tb.act(turn, rng)
		cancel()
		switch {
		case err == nil && reply != nil:
			tb.c.count("people: answered")
		case errors.Is(err, discordsim.ErrNoAnswer), errors.Is(err, context.DeadlineExceeded):
			tb.c.count("people: not answered (killed or a fault)")
		case errors.Is(err, discordsim.ErrNoComponent), errors.Is(err, discordsim.ErrDisabled), errors.Is(err, discordsim.ErrUnknownMessage),
			errors.Is(err, context.Canceled):
			// Somebody else was faster.
		case errors.Is(err, discordsim.ErrUnknownCommand) && len(tb.c.sim.Commands("")) == 0:
		case err != nil:
			tb.c.t.Errorf("%s: %v", tb.channel, err)
		}
	}
}

// act does one thing that Discord's client would let a person do.
func (tb *table) act(ctx context.Context, rng *rand.Rand) (*discordsim.Reply, error) {
	who := tb.people[rng.IntN(len(tb.people))]
	list := tb.c.sim.Messages(who.ID(), tb.channel)
	list = list[max(0, len(list)-8):]
	type button struct {
		message string
		id      string
	}
	var steps, others []button
	var board discordsim.Message
	for _, m := range list {
		if m.Author.ID != tb.c.sim.BotID() {
			continue
		}
		for _, b := range buttons(m) {
			in, err := intent.ParseCustomID(b.CustomID)
			if err != nil || b.Disabled {
				continue
			}
			if _, ok := in.(intent.Step); ok {
				steps, board = append(steps, button{m.ID, b.CustomID}), m
			} else {
				others = append(others, button{m.ID, b.CustomID})
			}
		}
	}
	n := rng.IntN(100)
	switch {
	case n < 3 && len(tb.old) > 0:
		return who.ClickStale(ctx, tb.channel, tb.on, tb.old[rng.IntN(len(tb.old))])
	case n < 12 || len(steps)+len(others) == 0:
		return tb.command(ctx, who, rng)
	case n < 25 && len(others) > 0:
		b := others[rng.IntN(len(others))]
		return who.Click(ctx, tb.channel, b.message, b.id)
	case len(steps) > 0:
		if n < 95 {
			for _, p := range tb.people {
				if strings.Contains(board.Content, "<@"+p.ID()+">") {
					who = p
				}
			}
		}
		// Most of the time this is the newest board.
		b := steps[len(steps)-1-rng.IntN(min(len(steps), 4))]
		tb.on = b.message
		tb.old = append(tb.old[max(0, len(tb.old)-20):], b.id)
		return who.Click(ctx, tb.channel, b.message, b.id)
	}
	b := others[rng.IntN(len(others))]
	return who.Click(ctx, tb.channel, b.message, b.id)
}

func (tb *table) command(ctx context.Context, who *discordsim.Actor, rng *rand.Rand) (*discordsim.Reply, error) {
	lines := []string{
		"/lasca play level:1", "/lasca play level:2 colour:white", "/lasca play level:3 colour:black",
		"/lasca board", "/lasca board", "/lasca undo", "/lasca draw", "/lasca resign", "/lasca games", "/lasca move path:c3-d4",
	}
	if len(tb.people) > 1 {
		other := tb.people[0]
		if other == who {
			other = tb.people[1]
		}
		lines = append(lines, "/lasca challenge user:<@"+other.ID()+">", "/lasca challenge user:<@"+other.ID()+">")
	}
	if rng.IntN(10) == 0 {
		_, err := who.Autocomplete(ctx, tb.channel, "/lasca move path:c")
		return nil, err
	}
	return who.Type(ctx, tb.channel, lines[rng.IntN(len(lines))])
}
