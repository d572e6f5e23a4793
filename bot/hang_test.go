package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// hangingStore is a store some of whose calls hang, as on a disk that does not answer:
// they hear no context, and go on when it answers again.
type hangingStore struct {
	storage.Store
	mu    sync.Mutex
	ops   []string      // that hang; "every" for all
	after bool          // they hang when it is done, not before
	gate  chan struct{} // closed when it answers again
	hung  map[string]int
}

// hang makes calls hang until release is called.
func (s *hangingStore) hang(after bool, ops ...string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan struct{})
	s.ops, s.after, s.gate, s.hung = ops, after, gate, map[string]int{}
	return func() {
		s.mu.Lock()
		s.ops = nil
		s.mu.Unlock()
		close(gate)
	}
}

// at waits if a call hangs, before and after it does what it does.
func (s *hangingStore) at(op string) (after func()) {
	s.mu.Lock()
	hangs, gate := slices.Contains(s.ops, op) || slices.Contains(s.ops, "every"), s.gate
	if hangs {
		s.hung[op]++
	}
	late := s.after
	s.mu.Unlock()
	switch {
	case !hangs:
		return func() {}
	case late:
		return func() { <-gate }
	}
	<-gate
	return func() {}
}

func (s *hangingStore) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	defer s.at("Load")()
	return s.Store.Load(ctx, id)
}

func (s *hangingStore) Count(ctx context.Context) (storage.Counts, error) {
	defer s.at("Count")()
	return s.Store.(storage.Counter).Count(ctx)
}

func (s *hangingStore) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	defer s.at("Save")()
	return s.Store.Save(context.WithoutCancel(ctx), m, prev, on...)
}

func (s *hangingStore) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	defer s.at("Create")()
	return s.Store.Create(context.WithoutCancel(ctx), r, on...)
}

func (s *hangingStore) Shown(ctx context.Context, id match.ID, by storage.Screen) error {
	defer s.at("Shown")()
	return s.Store.Shown(context.WithoutCancel(ctx), id, by)
}

func (s *hangingStore) ListByUser(ctx context.Context, u match.UserID, n int) ([]storage.Record, error) {
	defer s.at("ListByUser")()
	return s.Store.ListByUser(ctx, u, n)
}

func (s *hangingStore) ListDue(ctx context.Context, kind storage.Due, before time.Time, n int) ([]match.ID, error) {
	defer s.at("ListDue")()
	return s.Store.ListDue(ctx, kind, before, n)
}

func (s *hangingStore) ListOf(ctx context.Context, of storage.Of, after match.ID, n int) ([]storage.Record, error) {
	defer s.at("ListOf")()
	return s.Store.ListOf(ctx, of, after, n)
}

func (s *hangingStore) Settings(ctx context.Context, key string) (storage.Settings, error) {
	defer s.at("Settings")()
	return s.Store.Settings(ctx, key)
}

func (s *hangingStore) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	defer s.at("SaveSettings")()
	return s.Store.SaveSettings(context.WithoutCancel(ctx), key, v, on...)
}

func (s *hangingStore) State(ctx context.Context, key string) ([]byte, error) {
	defer s.at("State")()
	return s.Store.State(ctx, key)
}

func (s *hangingStore) SaveState(ctx context.Context, key string, v []byte, on ...storage.Basis) error {
	defer s.at("SaveState")()
	return s.Store.SaveState(context.WithoutCancel(ctx), key, v, on...)
}

// hangStory is people who play while the store hangs.
type hangStory struct {
	*bubble
	store  *hangingStore
	people map[string]*discordsim.Actor
	duel   string // the channel of Ann and Ben
	solo   string // of Cleo and the machine
	boards map[string]string

	mu    sync.Mutex
	asked []*pressed
}

// pressed is something that somebody has pressed or typed.
type pressed struct {
	who, what string
	*discordsim.Reply
	err error
}

// whileItHangs runs a test with people whose games are under way.
func whileItHangs(t *testing.T, test func(s *hangStory)) {
	t.Helper()
	store := &hangingStore{}
	inBubble(t, func(b *bubble) {
		s := &hangStory{bubble: b, store: store, people: map[string]*discordsim.Actor{}, boards: map[string]string{}}
		for _, name := range []string{"ann", "ben", "cleo", "dan", "eve", "hal"} {
			s.people[name] = b.person(name)
		}
		german := b.sim.AddUser(discordsim.User{Name: "gus", DisplayName: "Gus", Locale: "de"})
		b.sim.Join(b.guild, german)
		s.people["gus"] = b.sim.As(german)
		s.duel, s.solo = b.sim.AddChannel(b.guild, "duel"), b.sim.AddChannel(b.guild, "solo")
		asked := s.now("ann", s.duel, "/lasca challenge colour:white user:<@"+s.people["ben"].ID()+">")
		if _, err := s.people["ben"].ClickLabel(b.t.Context(), s.duel, asked.MessageID, "Accept"); err != nil {
			b.t.Fatal(err)
		}
		s.boards[s.duel] = asked.MessageID
		s.boards[s.solo] = s.now("cleo", s.solo, "/lasca play level:1 colour:white").MessageID
		time.Sleep(10 * time.Second)
		test(s)
		for _, v := range b.sim.Violations() {
			b.t.Errorf("violation: %s", v)
		}
	}, func(b *bubble) {
		store.Store = b.store
		b.store = store
	})
}

// now types a line that must succeed.
func (s *hangStory) now(who, channel, line string) *discordsim.Reply {
	s.t.Helper()
	r, err := s.people[who].Type(s.t.Context(), channel, line)
	if err != nil {
		s.t.Fatalf("%s: %s: %v", who, line, err)
	}
	return r
}

// everybody presses and types, all at once. It returns when all have a first answer.
func (s *hangStory) everybody() []*pressed {
	s.asked = nil
	var all sync.WaitGroup
	do := func(who, what string, f func(a *discordsim.Actor) (*discordsim.Reply, error)) {
		all.Go(func() {
			r, err := f(s.people[who])
			s.mu.Lock()
			defer s.mu.Unlock()
			s.asked = append(s.asked, &pressed{who, what, r, err})
		})
	}
	types := func(who, channel, line string) {
		do(who, line, func(a *discordsim.Actor) (*discordsim.Reply, error) { return a.Type(s.t.Context(), channel, line) })
	}
	for _, channel := range []string{s.duel, s.solo} {
		who := map[string]string{s.duel: "ann", s.solo: "cleo"}[channel]
		m, _ := s.sim.Message("", channel, s.boards[channel])
		if id := firstStep(m); id != "" {
			do(who, "a move", func(a *discordsim.Actor) (*discordsim.Reply, error) {
				return a.ClickStale(s.t.Context(), channel, m.ID, id)
			})
		}
		for _, b := range buttons(m) {
			if in, _ := intent.ParseCustomID(b.CustomID); in == nil {
				continue
			} else if _, ok := in.(intent.More); ok {
				do(who, "More", func(a *discordsim.Actor) (*discordsim.Reply, error) {
					return a.ClickStale(s.t.Context(), channel, m.ID, b.CustomID)
				})
			}
		}
	}
	types("ann", s.duel, "/lasca move path:c3-d4")
	types("ben", s.duel, "/lasca draw")
	types("ben", s.duel, "/lasca games")
	types("cleo", s.solo, "/lasca hint")
	types("dan", s.solo, "/lasca play level:2 colour:white")
	types("dan", s.solo, "/lasca challenge user:<@"+s.people["gus"].ID()+">")
	types("gus", s.duel, "/lasca play level:2 colour:white")
	types("hal", s.duel, "/lasca look theme:dark")
	types("hal", s.duel, "/lasca privacy show")
	types("gus", s.duel, "/lasca board game:nobody")
	types("eve", s.duel, "/lasca help")
	types("eve", s.solo, "/lasca rules")
	all.Go(func() {
		if _, err := s.people["ann"].Autocomplete(s.t.Context(), s.duel, "/lasca move path:c"); err != nil {
			s.t.Errorf("suggestions: %v", err)
		}
	})
	all.Wait()
	return s.asked
}

// final is what a press shows in the end, "" if that is only a message that has
// changed. It fails if it still thinks.
func (s *hangStory) final(p *pressed) string {
	s.t.Helper()
	if p.err != nil {
		return "" // told says so
	}
	m, ok := s.sim.Message(s.people[p.who].ID(), p.ChannelID, p.MessageID)
	switch {
	case !ok:
		return "" // a private message that was replaced
	case m.Loading || m.Failed:
		s.t.Errorf("%s: %s: the answer is still thinking", p.who, p.what)
	}
	return m.Content
}

// told checks that everybody was told within Discord's time, and those whom the store
// does not concern at once.
func (s *hangStory) told(list []*pressed, all time.Duration) {
	s.t.Helper()
	for _, p := range list {
		limit := all
		if p.who == "eve" {
			limit = min(all, time.Second)
		}
		switch {
		case p.err != nil:
			s.t.Errorf("%s: %s: %v", p.who, p.what, p.err)
		case p.Took > limit:
			s.t.Errorf("%s: %s: answered after %v", p.who, p.what, p.Took)
		case p.who == "eve" && p.Kind != discordsim.ReplyMessage:
			s.t.Errorf("%s is not answered at once: %+v", p.what, p.Reply)
		}
	}
}

// settled checks that the store and everybody's screens are as they should be, and
// that each press had the effect of which its person was told. Boards look as people
// like them where that could be read.
func (s *hangStory) settled(presses []*pressed, looks bool) {
	s.t.Helper()
	o := &order{bubble: s.bubble}
	live := map[match.ID][]string{} // messages that play a game, by game
	for _, channel := range []string{s.duel, s.solo} {
		for _, m := range s.sim.Messages("", channel) {
			for _, b := range buttons(m) {
				in, err := intent.ParseCustomID(b.CustomID)
				if _, more := in.(intent.More); err == nil && more && m.EphemeralFor == "" {
					live[in.About().Game] = append(live[in.About().Game], m.ID)
				}
			}
		}
	}
	made := map[string]int{}
	for _, r := range o.records() {
		if why := o.wrong(&r); why != "" && (looks || r.Screen.Version != r.Match.Version) {
			s.t.Errorf("game %s, version %d, recorded %+v: %s", r.Match.ID, r.Match.Version, r.Screen, why)
		}
		if list := live[r.Match.ID]; len(list) > 1 {
			s.t.Errorf("game %s is played on %d messages", r.Match.ID, len(list))
		}
		for name, a := range s.people {
			if string(r.Match.Seats[r.Match.By].User) == a.ID() && (name == "dan" || name == "gus") {
				made[fmt.Sprint(name, r.Match.Seats[r.Match.By.Other()].Machine())]++
			}
		}
	}
	// Those who made games were told of each of them, or that it is not sure.
	boards, unsure := map[string]int{}, map[string]int{}
	for _, p := range presses {
		if text := s.final(p); strings.HasPrefix(p.what, "/lasca play") || strings.HasPrefix(p.what, "/lasca challenge") {
			key := fmt.Sprint(p.who, strings.HasPrefix(p.what, "/lasca play"))
			switch {
			case strings.Contains(text, "cannot say yet"), strings.Contains(text, "weiß ich noch nicht"):
				unsure[key]++
			case strings.Contains(text, "move 1") || strings.Contains(text, "challenges you") || strings.Contains(text, "goes on here"):
				boards[key]++
			case !strings.Contains(text, "nothing was done") && !strings.Contains(text, "darum ist nichts passiert") && !strings.Contains(text, "there already"):
				s.t.Errorf("%s: %s is answered by %q", p.who, p.what, text)
			}
		}
	}
	for _, key := range []string{"dantrue", "danfalse", "gustrue"} {
		if n := made[key]; n < boards[key] || n > boards[key]+unsure[key] {
			s.t.Errorf("%s: %d games, but %d were told of and %d not sure", key, n, boards[key], unsure[key])
		}
	}
}

// While the store hangs, altogether or in one kind of call, everybody is answered in
// Discord's time and told in the end; nothing is done that was said to have failed.
// When it answers again, every screen is current and everything works.
func TestEverybodyIsAnsweredWhileTheStoreHangs(t *testing.T) {
	for _, op := range []string{
		"every", "Load", "Save", "Create", "ListByUser", "Shown", "SaveSettings", "Settings", "ListDue", "ListOf", "State", "SaveState",
	} {
		for _, after := range []bool{false, true} {
			if testing.Short() && op != "every" && op != "Save" && op != "Shown" {
				continue
			}
			t.Run(fmt.Sprintf("%s, after it is done %t", op, after), func(t *testing.T) {
				t.Parallel()
				whileItHangs(t, func(s *hangStory) {
					release := s.store.hang(after, op)
					first := s.everybody()
					s.told(first, 3*time.Second)
					time.Sleep(9 * time.Second)
					if err := s.bot.Ready(s.t.Context()); (s.hung() > 0 && op != "ListOf") != errors.Is(err, storage.ErrHangs) {
						s.t.Errorf("%d calls hang; ready: %v", s.hung(), err)
					}
					time.Sleep(20 * time.Second)
					for _, p := range first {
						if op != "ListOf" || p.what != "/lasca privacy show" { // all games may take two minutes
							s.final(p)
						}
					}
					before := s.hung()
					second := s.everybody()
					s.told(second, 3*time.Second)
					if n := s.hung(); op == "every" && n > before+1 { // privacy show lists all, which may take long
						s.t.Errorf("%d calls hung at first, %d later", before, n)
					}
					time.Sleep(20 * time.Second)
					release()
					time.Sleep(time.Minute)
					if err := s.bot.Ready(s.t.Context()); err != nil {
						s.t.Errorf("not ready afterwards: %v", err)
					}
					s.settled(append(first, second...), op != "Settings")
					for _, p := range s.everybody() {
						if p.err != nil || p.Took > time.Second {
							s.t.Errorf("afterwards: %s: %s: %+v, %v", p.who, p.what, p.Reply, p.err)
						}
					}
				})
			})
		}
	}
}

// One person's presses do not keep others from being answered while the store hangs,
// and when everybody's hang, whoever comes later is told so.
func TestAFloodWhileTheStoreHangs(t *testing.T) {
	t.Parallel()
	whileItHangs(t, func(s *hangStory) {
		channels := []string{s.duel, s.solo, s.sim.AddChannel(s.guild, "more")} // one keeps 400 messages
		flood := func(people []*discordsim.Actor, presses int) <-chan map[string]int {
			answers := make(chan map[string]int, 1)
			go func() {
				var mu sync.Mutex
				var all sync.WaitGroup
				said := map[string]int{}
				for n := range presses {
					a, channel := people[n%len(people)], channels[n%len(channels)]
					all.Go(func() {
						r, err := a.Type(s.t.Context(), channel, "/lasca games")
						if err != nil || r.Took > 3*time.Second {
							s.t.Errorf("a press was not answered in time: %+v, %v", r, err)
							return
						}
						time.Sleep(20 * time.Second)
						m, _ := s.sim.Message(a.ID(), channel, r.MessageID)
						mu.Lock()
						defer mu.Unlock()
						said[strings.SplitN(m.Content, ".", 2)[0]]++
					})
				}
				all.Wait()
				answers <- said
			}()
			return answers
		}
		release := s.store.hang(false, "every")
		answers := flood([]*discordsim.Actor{s.people["dan"]}, 200)
		time.Sleep(100 * time.Millisecond)
		for name, line := range map[string]string{"eve": "/lasca help", "gus": "/lasca rules"} {
			if r := s.now(name, s.solo, line); r.Took > time.Second || r.Kind != discordsim.ReplyMessage {
				s.t.Errorf("%s during one person's flood: %+v", line, r)
			}
		}
		if said := <-answers; said["My storage is not answering, so nothing was done"] != 16 || len(said) != 2 {
			s.t.Errorf("one person was told %v", said)
		}
		release()
		time.Sleep(time.Minute)

		var people []*discordsim.Actor
		for n := range 600 {
			people = append(people, s.person(fmt.Sprint("person", n)))
		}
		release = s.store.hang(false, "every")
		if said := <-flood(people, len(people)); said["My storage is not answering, so nothing was done"] != 512 ||
			said["Too much is going on at once, so nothing was done"] != 600-512 {
			s.t.Errorf("everybody was told %v", said)
		}
		if r := s.now("eve", s.solo, "/lasca help"); r.Took > 0 {
			s.t.Errorf("help after that took %v", r.Took)
		}
		release()
		time.Sleep(time.Minute)
		if err := s.bot.Ready(s.t.Context()); err != nil {
			s.t.Errorf("not ready afterwards: %v", err)
		}
	})
}

// hung returns how many calls have hung.
func (s *hangingStore) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.hung {
		n += k
	}
	return n
}

func (s *hangStory) hung() int { return s.store.count() }
