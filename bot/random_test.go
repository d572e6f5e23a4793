package bot_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// TestWhateverPeopleDoEveryPromiseHolds has four people do at random whatever Discord's
// clients let them do: every command that is registered, with sensible options and
// senseless ones, every button, menu and form that they see, new and old. They are in
// three channels and a thread of two servers and in their direct messages, while time
// passes, people close their direct messages, moderators delete messages and change
// what the bot may do, Discord fails, and the bot is stopped or killed and comes back.
//
// It holds all the time what the ledger says and
//
//   - whatever shows a game shows a version that was stored, as it was;
//   - nobody is notified of a game but its players;
//   - each interaction is answered, unless Discord failed or the bot was down;
//   - a game that was claimed had been announced to the loser, in its place, for the
//     time for a move;
//   - nothing that is stored names somebody whose data has just been deleted;
//   - the bot reports no error without a cause;
//
// and now and then, when Discord is well and everything has settled, that each game is
// shown in its place as it is, that whoever is to act can press something, that every
// rated result was counted, and that the ratings are those of the ledger.
//
// LASCA_STEPS is the number of steps, LASCA_SEED chooses them. The same seed makes the
// same choices, but the system decides how the bot's goroutines interleave.
func TestWhateverPeopleDoEveryPromiseHolds(t *testing.T) {
	steps, seeds := 500, []int{1, 2}
	if testing.Short() {
		steps, seeds = 120, seeds[:1]
	}
	steps = setting(t, "LASCA_STEPS", steps)
	if seed := setting(t, "LASCA_SEED", 0); seed != 0 {
		seeds = []int{seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := newRandom(t, uint64(seed))
			begun := time.Now()
			for r.n = 1; r.n <= steps && !t.Failed(); r.n++ {
				r.step()
				if r.n%1000 == 0 {
					t.Logf("%d steps in %v", r.n, time.Since(begun).Round(time.Second))
				}
			}
			if !t.Failed() {
				r.settle()
			}
			r.measure()
			took := time.Since(begun)
			if t.Failed() {
				t.Fatalf("LASCA_SEED=%d, step %d of %d; the last were\n%s\nthe bot reported\n%s", seed, r.n, steps, r.last(30), strings.Join(r.heard, "\n"))
			}
			t.Logf("%d steps in %v, %.0f a second\n%s", steps, took.Round(time.Second), float64(steps)/took.Seconds(), r.figures())
			for _, name := range bot.Intents() {
				if steps >= 20_000 && r.intents[name] == 0 {
					t.Errorf("nobody has ever asked for %s", name)
				}
			}
		})
	}
}

// random is a world in which people act at random.
type random struct {
	*world
	*ledger
	rng    *rand.Rand
	n      int // the step
	people []*discordsim.Actor
	places []string // channels that all can see
	thread string
	langs  map[string]i18n.Lang // of people

	life *life

	// What Discord does wrong.
	storm   atomic.Bool // requests fail
	faults  atomic.Int64
	spoilt  atomic.Bool // an answer to an interaction failed
	checked int64       // faults until everything had settled

	done    []string
	gone    map[string]bool // messages that a moderator has deleted
	stale   []press
	intents map[string]int // by name
	shown   map[match.ID]announced
	ended   map[match.ID]bool

	pinged map[string]int      // how many people each message has notified
	boards map[string]match.ID // the game that a message shows, or has shown
	rarely map[string]int      // how often each kind of button was pressed for being rare

	seen     sync.Mutex
	problems []string // found by those who only watch
	heard    []string // the newest reports of the bot
}

// announced is since when a game's place has shown a turn.
type announced struct {
	moved time.Time
	since time.Time
}

// life is one run of the bot.
type life struct {
	dead atomic.Bool
	r    *random
	next http.RoundTripper
}

// RoundTrip ends what a bot can do with its life.
func (l *life) RoundTrip(q *http.Request) (*http.Response, error) {
	if l.dead.Load() {
		return nil, errDead
	}
	return l.next.RoundTrip(q)
}

// Write takes the log of the bot.
func (l *life) Write(p []byte) (int, error) {
	line := strings.TrimSpace(string(p))
	if !l.dead.Load() {
		l.r.hear(line)
	}
	switch {
	case strings.Contains(line, "panic"):
		l.r.fail("the bot reports: %s", line)
	case l.dead.Load() || !strings.Contains(line, "level=ERROR"):
	case l.r.faults.Load() == l.r.checked:
		l.r.fail("the bot reports an error, and Discord was well: %s", line)
	}
	return len(p), nil
}

func newRandom(t *testing.T, seed uint64) *random {
	r := &random{
		rng: rand.New(rand.NewPCG(seed, 13)), gone: map[string]bool{}, langs: map[string]i18n.Lang{}, intents: map[string]int{}, pinged: map[string]int{}, boards: map[string]match.ID{}, rarely: map[string]int{},
		shown: map[match.ID]announced{}, ended: map[match.ID]bool{},
	}
	r.ledger = newLedger(r.fail)
	pool := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(pool.CloseIdleConnections)
	worldOn(t, memstore.New(), 30*time.Second, func(w *world) {
		r.world = w
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
		t.Cleanup(cancel)
		w.ctx, w.messages, w.uploads = ctx, 300, true
		w.pardoned = pardoned
		w.options = func(o *bot.Options) {
			r.life = &life{r: r, next: pool}
			o.Transport = r.life
			o.Store = signalling{enteredStore{w.store, r.ledger, &r.life.dead}, &w.writes}
			o.Log = slog.New(slog.NewTextHandler(r.life, &slog.HandlerOptions{Level: slog.LevelWarn}))
		}
	})
	r.populate()
	r.sim.SetFault(r.fault)
	events := r.sim.Subscribe(r.ctx)
	go func() {
		for e := range events {
			r.see(e)
		}
	}()
	return r
}

// pardoned reports whether a violation comes from time that leaps while messages are
// edited or taken away by tokens, or while the bot tries again what Discord has failed
// to do. An answer that is late or missing without that is noticed by who waits for it.
func pardoned(violation string) bool {
	return slices.ContainsFunc([]string{
		"@original: 40", ": 404 Unknown Webhook", ": 401 Invalid Webhook Token",
		"/callback: 404 Unknown interaction", "was never completed", "no first answer within",
	}, func(part string) bool { return strings.Contains(violation, part) })
}

func (r *random) populate() {
	r.people = []*discordsim.Actor{
		r.ann, r.ben,
		r.join(discordsim.User{Name: "cleo", DisplayName: "Cléo *la* grande", Locale: "fr"}),
		r.join(discordsim.User{Name: "dora", DisplayName: "Dora", Locale: "it"}),
	}
	for _, u := range r.sim.Users() {
		r.langs[u.ID] = i18n.For(u.Locale)
	}
	other := r.sim.AddGuild("Elsewhere", "de")
	for _, who := range r.people {
		r.sim.Join(other, who.ID())
	}
	second := r.sim.AddChannel(r.guild, "second")
	r.thread = r.sim.AddThread(second, "a thread")
	r.places = []string{r.channel, second, r.sim.AddChannel(other, "elsewhere"), r.thread}
	all := discordsim.DefaultMemberPermissions
	r.sim.SetMemberPermissions(r.guild, r.ann.ID(), all|discordsim.ManageChannels|discordsim.ManageGuild)
	r.sim.SetMemberPermissions(other, r.people[2].ID(), all|discordsim.ManageChannels)
	r.people[3].CloseDMs(true)
}

// fail notes something that is wrong. It may be called from any goroutine.
func (r *random) fail(format string, args ...any) {
	r.seen.Lock()
	defer r.seen.Unlock()
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// hear notes what the bot reports.
func (r *random) hear(line string) {
	r.seen.Lock()
	defer r.seen.Unlock()
	r.heard = append(r.heard[max(0, len(r.heard)-20):], fmt.Sprintf("%5d %s", r.n, line))
}

// report makes the test fail for what was found wrong.
func (r *random) report() {
	r.t.Helper()
	r.seen.Lock()
	defer r.seen.Unlock()
	for _, p := range r.problems {
		r.t.Error(p)
	}
	r.problems = nil
	for _, v := range r.sim.Violations() {
		if !r.pardoned(v) {
			r.t.Errorf("violation: %s", v)
		}
	}
}

func (r *random) did(format string, args ...any) {
	r.done = append(r.done, fmt.Sprintf("%5d %s ", r.n, r.clock.Now().Format("01-02 15:04:05"))+fmt.Sprintf(format, args...))
}

// last returns the newest actions.
func (r *random) last(n int) string {
	return strings.Join(r.done[max(0, len(r.done)-n):], "\n")
}

func (r *random) figures() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&b, "%7d %s\n", r.counts[what], what)
	}
	fmt.Fprintf(&b, "asked for:")
	for _, name := range slices.SortedFunc(maps.Keys(r.intents), func(a, b string) int { return cmp.Compare(r.intents[b], r.intents[a]) }) {
		fmt.Fprintf(&b, " %s %d,", name, r.intents[name])
	}
	return b.String()
}

// chance reports true once in n times.
func (r *random) chance(n int) bool { return r.rng.IntN(n) == 0 }

// step lets one thing happen.
func (r *random) step() {
	r.t.Helper()
	r.look()
	r.world.clock.Advance(time.Duration(r.rng.IntN(4)) * time.Second)
	switch {
	case r.chance(12):
		r.leap()
	case r.chance(60):
		r.moderate()
	case r.chance(600):
		r.restart(false)
	case r.chance(500):
		r.restart(true)
	case r.chance(120):
		r.settle()
	case r.chance(80):
		r.storm.Store(true)
		r.did("Discord begins to fail")
	case r.storm.Load() && r.chance(8):
		r.storm.Store(false)
		r.did("Discord is well again")
	default:
		if a, ok := r.choose(); ok {
			r.perform(a)
		}
	}
	r.judge()
	r.report()
}

// leap lets time pass: seconds or minutes, rarely days.
func (r *random) leap() {
	d := time.Duration(r.rng.IntN(90)) * time.Second
	switch r.rng.IntN(30) {
	case 0, 1, 2:
		d = time.Duration(r.rng.IntN(90)) * time.Minute
	case 3:
		d = time.Duration(r.rng.IntN(96)) * time.Hour
	case 4:
		d = match.MoveTime + time.Hour
	}
	r.did("%v pass", d)
	if d > time.Minute && !r.storm.Load() {
		r.quiet()
		r.look()
	}
	r.world.clock.Advance(d)
	r.bot.Sweep(r.ctx)
	if d > 20*time.Hour {
		r.claim()
	}
}

// moderate has somebody change what is possible in a place.
func (r *random) moderate() {
	place := pick(r.rng, r.places)
	switch r.rng.IntN(4) {
	case 0:
		less := pick(r.rng, []discordsim.Permissions{
			discordsim.AttachFiles, discordsim.SendMessages, discordsim.ViewChannel, discordsim.SendMessagesInThreads,
			discordsim.ReadMessageHistory, discordsim.AttachFiles | discordsim.SendMessages,
		})
		r.did("the bot may no longer %b in %s", less, place)
		r.sim.SetChannelPermissions(place, r.sim.BotID(), discordsim.DefaultBotPermissions&^less)
	case 1:
		archived, locked := r.chance(2), r.chance(3)
		r.did("the thread is archived: %v, locked: %v", archived, locked)
		r.sim.SetThread(r.thread, archived, locked)
	case 2:
		who := pick(r.rng, r.people)
		closed := r.chance(2)
		r.did("%s closes direct messages: %v", who.ID(), closed)
		who.CloseDMs(closed)
	case 3:
		if m, ok := r.someMessage("", place); ok && m.EphemeralFor == "" {
			r.did("a moderator deletes %s in %s", m.ID, place)
			r.gone[m.ID] = true
			r.sim.DeleteMessage(place, m.ID)
		}
	}
}

// allow gives everything back that somebody has taken.
func (r *random) allow() {
	r.storm.Store(false)
	for _, place := range r.places {
		r.sim.SetChannelPermissions(place, r.sim.BotID(), discordsim.DefaultBotPermissions)
	}
	r.sim.SetThread(r.thread, false, false)
	for _, who := range r.people {
		who.CloseDMs(false)
	}
}

// fault decides what goes wrong with a request of the bot.
func (r *random) fault(q *discordsim.Request) *discordsim.Fault {
	if !r.storm.Load() || strings.HasSuffix(q.Path, "/gateway") || strings.HasSuffix(q.Path, "/gateway/bot") {
		return nil
	}
	callback := strings.HasSuffix(q.Path, "/callback")
	short := 20 * time.Millisecond
	kinds := []struct {
		what  string
		fault discordsim.Fault
	}{
		{"500", discordsim.Fault{Status: 500}},
		{"502 with a page", discordsim.Fault{Status: 502, HTML: true}},
		{"dropped before", discordsim.Fault{DropBefore: true}},
		{"dropped after", discordsim.Fault{DropAfter: true}},
		{"429", discordsim.Fault{Status: 429, RetryAfter: short}},
		{"429 global", discordsim.Fault{Status: 429, RetryAfter: short, Scope: "global"}},
		{"late", discordsim.Fault{}},
	}
	if callback {
		kinds = append(kinds, struct {
			what  string
			fault discordsim.Fault
		}{"unknown interaction", discordsim.Fault{Status: 404, Code: 10062}})
	}
	if rand.IntN(5) > 0 {
		return nil
	}
	f := kinds[rand.IntN(len(kinds))]
	if f.what == "late" {
		pause(r.ctx, short)
		return nil
	}
	r.count("fault: " + f.what)
	r.faults.Add(1)
	if callback {
		r.spoilt.Store(true)
	}
	return &f.fault
}

// restart stops the bot and starts it again. A killed one does nothing more, not even
// for what somebody presses at that moment.
func (r *random) restart(kill bool) {
	r.t.Helper()
	r.measure()
	r.faults.Add(1)
	if kill {
		r.count("killed")
		r.did("the bot is killed")
		if a, ok := r.choose(); ok {
			ctx, cancel := context.WithCancel(r.ctx)
			over := make(chan struct{})
			go func() {
				defer close(over)
				_, _ = a.do(ctx)
			}()
			pause(r.ctx, time.Duration(r.rng.IntN(15))*time.Millisecond)
			r.did("while %s", a.what)
			defer func() { cancel(); <-over }()
		}
		r.life.dead.Store(true)
		r.sim.Gateway().Reset()
	} else {
		r.count("stopped")
		r.did("the bot is stopped")
	}
	r.stop()
	if r.chance(3) {
		r.world.clock.Advance(time.Duration(r.rng.IntN(120)) * time.Minute)
	}
	r.deferAfter = 30 * time.Second
	if r.chance(4) {
		r.deferAfter = 0 // as on a slow machine
	}
	r.start()
	r.did("the bot is back; it defers after %v", r.deferAfter)
}

// interactions are the lines of metrics that count them.
var interactions = regexp.MustCompile(`(?m)^lascabot_interactions_total\{kind="([^"]*)",intent="([^"]*)"\} (\d+)$`)

// measure adds up what the present bot was asked for.
func (r *random) measure() {
	var b bytes.Buffer
	r.bot.WriteMetrics(&b)
	for _, m := range interactions.FindAllStringSubmatch(b.String(), -1) {
		n, _ := strconv.Atoi(m[3])
		if m[1] == "autocomplete" {
			m[2] = "suggestions"
		}
		r.intents[m[2]] += n
	}
}

// perform has somebody do something, and holds that it is answered.
func (r *random) perform(a action) {
	r.t.Helper()
	r.did("%s", a.what)
	r.spoilt.Store(false)
	begun := 0
	if list := r.sim.Requests(); len(list) > 0 {
		begun = list[len(list)-1].N
	}
	ctx, cancel := context.WithTimeout(r.ctx, time.Minute)
	defer cancel()
	type result struct {
		*discordsim.Reply
		err error
	}
	done := make(chan result, 1)
	go func() {
		rep, err := a.do(ctx)
		done <- result{rep, err}
	}()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case res := <-done:
			r.answered(a, res.Reply, res.err)
			return
		case <-tick.C:
			if !r.spoilt.Load() && r.refusedSince(begun) {
				r.spoilt.Store(true)
				r.world.clock.Advance(2 * time.Second) // it is not tried again
			}
			if r.spoilt.Load() { // Discord's time goes on while its answers are tried again
				r.world.clock.Advance(250 * time.Millisecond)
			}
		}
	}
}

// refusedSince reports whether Discord has refused an answer to an interaction since the
// request with a number, as it does in a thread that is archived or locked.
func (r *random) refusedSince(n int) bool {
	list := r.sim.Requests()
	for _, q := range list[max(0, len(list)-100):] {
		closed := bytes.Contains(q.Response, []byte("160005")) || bytes.Contains(q.Response, []byte("50083"))
		if q.N > n && q.Status >= 400 && closed && strings.HasSuffix(q.Path, "/callback") {
			r.count("answers that a closed thread did not take")
			return true
		}
	}
	return false
}

// notLet are what a client says when something cannot be done.
var notLet = []error{
	discordsim.ErrNoComponent, discordsim.ErrDisabled, discordsim.ErrUnknownMessage, discordsim.ErrUnknownCommand, discordsim.ErrUnknownChannel,
	discordsim.ErrForbidden, discordsim.ErrOption, discordsim.ErrBadSelection, discordsim.ErrBadInput,
}

// answered looks at the answer to an action.
func (r *random) answered(a action, reply *discordsim.Reply, err error) {
	r.t.Helper()
	refused := slices.ContainsFunc(notLet, func(e error) bool { return errors.Is(err, e) })
	switch {
	case err == nil && reply == nil:
		r.count("answered")
		return
	case err == nil:
		r.count("answered")
	case refused:
		r.count("not let through by the client")
		r.done[len(r.done)-1] += " (refused by the client)"
		return
	case errors.Is(err, discordsim.ErrNoAnswer) && r.spoilt.Load():
		r.count("not answered because Discord failed")
		r.done[len(r.done)-1] += " (Discord failed)"
		return
	default:
		r.t.Errorf("%s: %v", a.what, err)
		return
	}
	if reply.Kind == discordsim.ReplyModal {
		r.perform(r.fill(a.who, reply.Modal))
		return
	}
	r.complete(a, reply)
}

// complete waits until the answer is there, or has gone again.
func (r *random) complete(a action, reply *discordsim.Reply) {
	r.t.Helper()
	before := r.faults.Load()
	ctx, cancel := context.WithTimeout(r.ctx, time.Minute)
	defer cancel()
	if r.storm.Load() {
		ctx, cancel = context.WithTimeout(r.ctx, 300*time.Millisecond)
		defer cancel()
	}
	err := r.sim.WaitFor(ctx, func(s *discordsim.Server) bool {
		m, ok := s.Message(a.who.ID(), reply.ChannelID, reply.MessageID)
		return !ok || !m.Loading || m.Failed
	})
	m, ok := r.sim.Message(a.who.ID(), reply.ChannelID, reply.MessageID)
	if err != nil || ok && m.Failed {
		if !r.storm.Load() && r.faults.Load() == before {
			r.t.Errorf("%s: the answer does not come (%v)", a.what, err)
		}
		r.count("deferred answers that did not come")
		return
	}
	if ok {
		r.deleted(a, m)
	}
}

// quiet waits until nothing is under way.
func (r *random) quiet() {
	r.t.Helper()
	r.bot.Settled()
	r.stored("the machine has moved and all results are counted", func() bool {
		return len(r.those(func(g *storage.Record) bool {
			_, due := g.Due(storage.DueRating)
			return due || g.Match.MachineDue()
		})) == 0
	})
	r.bot.Settled()
}

// settle waits, when Discord is well, until every screen shows its game, and looks at
// all of them.
func (r *random) settle() {
	r.t.Helper()
	r.did("everything settles")
	r.count("settled")
	r.allow()
	r.quiet()
	for try := range 20 {
		r.bot.Sweep(r.ctx)
		r.quiet()
		latest, due, unclear := r.due()
		if due == 0 {
			break
		}
		r.look()
		r.world.clock.Advance(max(latest.Sub(r.world.clock.Now()), 0) + time.Second)
		switch {
		case !unclear || try == 0:
			r.shows(500 * time.Millisecond)
		case r.chance(8): // what is not clear becomes so after a time by this machine's clock
			r.shows(15 * time.Second)
		default: // or when the bot is started
			r.restart(false)
		}
	}
	if n := r.sim.Unanswered(); n > 0 {
		r.t.Errorf("%d interactions wait for an answer", n)
	}
	for _, g := range r.all() {
		for try := 0; ; try++ { // a challenge may expire while somebody looks at it
			wrong := r.standing(&g)
			if wrong == "" {
				break
			}
			if try == 3 {
				r.t.Error(wrong)
				break
			}
			r.shows(500 * time.Millisecond)
			g, _ = r.stands(g.Match.ID)
		}
	}
	r.compare(r.ctx, r.store)
	r.checked = r.faults.Load()
}

// due returns how many screens are behind, until when the last of them waits, and
// whether one does because it is not known what a call has done.
func (r *random) due() (latest time.Time, n int, unclear bool) {
	for _, g := range r.those(func(g *storage.Record) bool { _, is := g.Due(storage.DueScreen); return is }) {
		n++
		if g.Screen.Again.After(latest) {
			latest = g.Screen.Again
		}
		unclear = unclear || g.Screen.Refused == 0 && !g.Screen.Again.IsZero()
	}
	return latest, n, unclear
}

// shows waits for some time until no screen is behind.
func (r *random) shows(wait time.Duration) {
	ctx, cancel := context.WithTimeout(r.ctx, wait)
	defer cancel()
	for {
		written := r.writes.next()
		if _, n, _ := r.due(); n == 0 {
			return
		}
		select {
		case <-written:
		case <-ctx.Done():
			return
		}
	}
}

// pruned reports whether the simulator no longer keeps a message because there are many
// newer ones.
func (r *random) pruned(s storage.Screen) bool {
	list := r.sim.Messages("", s.Channel)
	return len(list) > r.messages/2 && (len(list[0].ID) > len(s.Message) || list[0].ID > s.Message)
}

// standing says what is wrong with the message of a game when everything has settled;
// "" if nothing is.
func (r *random) standing(g *storage.Record) string {
	m := &g.Match
	if _, due := g.Due(storage.DueScreen); due && g.Behind() { // else it is written once more after a call with an unknown outcome
		return fmt.Sprintf("game %s is stored as version %d, its screen shows version %d: %+v", m.ID, m.Version, g.Screen.Version, g.Screen)
	}
	msg, ok := r.sim.Message("", g.Screen.Channel, g.Screen.Message)
	switch {
	case m.ID == "": // its player's data was deleted
		return ""
	case !ok && (r.gone[g.Screen.Message] || r.pruned(g.Screen)):
		return "" // nobody tells the bot of that
	case !ok:
		return fmt.Sprintf("the message of game %s (%s) is not there: %+v", m.ID, m.Phase, g.Screen)
	case g.Screen.Channel != g.Place.Channel:
		return fmt.Sprintf("the board of %s is in %s, not in its place %s", m.ID, g.Screen.Channel, g.Place.Channel)
	case m.Seats[0].User == storage.Deleted || m.Seats[1].User == storage.Deleted:
		return "" // messages stay when people leave
	}
	for _, u := range []match.UserID{m.Seats[0].User, m.Seats[1].User} {
		if u == "" {
			continue
		}
		seat, _ := m.SeatOf(u)
		if _, ok := r.sim.Message(string(u), g.Screen.Channel, g.Screen.Message); !ok {
			return fmt.Sprintf("%s cannot see the board of %s", u, m.ID)
		}
		if m.Phase == match.Playing && m.Turn() == seat && len(steps(msg)) == 0 && m.Offer == nil && m.Request == nil {
			return fmt.Sprintf("%s has nothing to press in %s:\n%s", u, m.ID, describe(msg))
		}
	}
	if !r.showsIn(langOf(g), msg, g) {
		want := view.GameOf(langOf(g), view.Look{}, g, nil)
		return fmt.Sprintf("game %s, version %d, is not shown as it is stored:\n%s\n%s\nwant, in pictures:\n%s", m.ID, m.Version, describe(msg), altsOf(msg), want.Text)
	}
	return ""
}
