package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/internal/openapicheck"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// renderer is shared by all tests: sprites are made once.
var renderer = sync.OnceValue(func() *render.Renderer { return render.New(render.Options{}) })

// keepRemoved is how long the bots in these tests keep what is stored of a server
// that they were removed from.
const keepRemoved = 30 * 24 * time.Hour

// world is a loopback Discord with two people, and the bot in it.
type world struct {
	t          *testing.T
	deferAfter time.Duration
	ctx        context.Context
	sim        *discordsim.Server
	clock      *discordsim.ManualClock
	now        func() time.Time // the bot's clock, nil for its own
	store      storage.Store
	writes     writeSignal // of the bot to the store
	http       *httptest.Server
	guild      string
	channel    string
	ann        *discordsim.Actor
	ben        *discordsim.Actor // reads German
	bot        *bot.Bot
	stop       func()
}

// testLog writes the bot's log into the test's output.
type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// newWorld starts a loopback Discord and a bot that is ready.
func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOn(t, memstore.New(), 30*time.Second)
}

// newWorldOn is newWorld with a store of the test's, which may be so slow that
// answers are deferred. In other worlds they are not, since Discord's time stands
// still however long the race detector takes.
func newWorldOn(t *testing.T, store storage.Store) *world {
	t.Helper()
	return worldOn(t, store, 1500*time.Millisecond)
}

func worldOn(t *testing.T, store storage.Store, deferAfter time.Duration, set ...func(*world)) *world {
	t.Helper()
	t.Parallel() // closing a connection of discordgo's takes a second
	// Far more than a whole game takes with the race detector on a busy machine:
	// this only ends what hangs.
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, deferAfter: deferAfter, clock: discordsim.NewManualClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	w.now = w.clock.Now
	for _, f := range set {
		f(w)
	}
	w.sim = discordsim.New(discordsim.Options{Clock: w.clock})
	w.http = httptest.NewServer(w.sim)
	t.Cleanup(w.http.Close)
	w.guild = w.sim.AddGuild("Club", "en-US")
	w.channel = w.sim.AddChannel(w.guild, "board-room")
	ann := w.sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann", Locale: "en-US"})
	ben := w.sim.AddUser(discordsim.User{Name: "ben", DisplayName: "Ben", Locale: "de"})
	w.sim.Join(w.guild, ann)
	w.sim.Join(w.guild, ben)
	w.ann, w.ben = w.sim.As(ann), w.sim.As(ben)
	w.store = store
	w.start()
	t.Cleanup(func() {
		w.stop()
		for _, v := range w.sim.Violations() {
			t.Errorf("violation: %s", v)
		}
		if c, ok := openapicheck.Find(t); ok { // Discord's own description is not everywhere
			for _, r := range w.sim.Requests() {
				if err := c.Check(r.Method, r.Path, r.Body); err != nil {
					t.Errorf("%v in %s", err, r.Body)
				}
			}
		}
		if t.Failed() {
			t.Log(w.sim.Transcript(w.channel))
		}
	})
	return w
}

// start runs a bot on the world's store until stop is called.
func (w *world) start() {
	w.t.Helper()
	level := slog.LevelWarn
	b, err := bot.New(bot.Options{
		Token: "token", API: w.http.URL, Store: signalling{w.store, &w.writes}, Renderer: renderer(), Workers: 1, HashBytes: 1 << 20, Now: w.now,
		KeepRemoved: keepRemoved, KeepCopies: 7 * 24 * time.Hour,
		Log: slog.New(slog.NewTextHandler(testLog{w.t}, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	b.DeferAfter(w.deferAfter)
	w.bot = b
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("the bot stopped with %v", err)
		}
		// Else what is asked next may go to the one that has just left.
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
			w.t.Errorf("the bot has stopped and is still online: %v", err)
		}
	})
	w.wait("the bot is online and its commands are registered", func(s *discordsim.Server) bool {
		return s.BotOnline() && len(s.Commands("")) > 0
	})
}

// wait waits for a condition on the world.
func (w *world) wait(what string, cond func(*discordsim.Server) bool) {
	w.t.Helper()
	if err := w.sim.WaitFor(w.ctx, cond); err != nil {
		w.t.Fatalf("waiting until %s: %v\n%s", what, err, w.sim.Transcript(w.channel))
	}
}

// typed enters a command line and returns the message that answers it.
func (w *world) typed(who *discordsim.Actor, line string) discordsim.Message {
	w.t.Helper()
	reply, err := who.Type(w.ctx, w.channel, line)
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	return w.message(who, reply)
}

// click presses the button with a label on a message and returns the message that
// answers it: the same one, changed, or a new one.
func (w *world) click(who *discordsim.Actor, m discordsim.Message, label string) discordsim.Message {
	w.t.Helper()
	reply, err := who.ClickLabel(w.ctx, m.ChannelID, m.ID, label)
	if err != nil {
		w.t.Fatalf("press %q: %v\n%s", label, err, describe(m))
	}
	return w.message(who, reply)
}

// message returns the message of a reply as somebody sees it, once it is whole.
func (w *world) message(who *discordsim.Actor, r *discordsim.Reply) discordsim.Message {
	w.t.Helper()
	id := r.MessageID
	if r.Kind == discordsim.ReplyDeferredUpdate { // on a slow machine
		id = w.late(r)
	}
	var m discordsim.Message
	w.wait("the answer is whole", func(s *discordsim.Server) bool {
		var ok bool
		m, ok = s.Message(who.ID(), r.ChannelID, id)
		return ok && !m.Loading && !m.Failed
	})
	return m
}

// late waits for what follows a deferred update, an edit of the same message or
// a new one, and returns the message's ID.
func (w *world) late(r *discordsim.Reply) string {
	w.t.Helper()
	id := r.MessageID
	w.wait("the late answer has come", func(s *discordsim.Server) bool {
		token := ""
		for _, q := range s.Requests() {
			_, after, ok := strings.Cut(q.Path, "/interactions/"+r.InteractionID+"/")
			if ok {
				token = strings.TrimSuffix(after, "/callback")
			}
			if token == "" || !strings.Contains(q.Path, "/webhooks/") || !strings.Contains(q.Path, token) || q.Status != 200 {
				continue
			}
			if q.Method == "POST" {
				var created struct{ ID string }
				if json.Unmarshal(q.Response, &created) == nil {
					id = created.ID
				}
			}
			return true
		}
		return false
	})
	return id
}

// see returns a message as somebody sees it now.
func (w *world) see(who *discordsim.Actor, m discordsim.Message) discordsim.Message {
	w.t.Helper()
	now, ok := w.sim.Message(who.ID(), m.ChannelID, m.ID)
	if !ok {
		w.t.Fatalf("%s cannot see the message any more", who.ID())
	}
	return now
}

// until waits until a message, as somebody sees it, holds a text.
func (w *world) until(who *discordsim.Actor, m discordsim.Message, text string) discordsim.Message {
	w.t.Helper()
	w.wait("the message says "+text, func(s *discordsim.Server) bool {
		now, ok := s.Message(who.ID(), m.ChannelID, m.ID)
		if ok {
			m = now
		}
		return ok && strings.Contains(now.Content, text)
	})
	return m
}

// newest returns the newest message of the channel that somebody sees.
func (w *world) newest(who *discordsim.Actor) discordsim.Message {
	w.t.Helper()
	list := w.sim.Messages(who.ID(), w.channel)
	if len(list) == 0 {
		w.t.Fatal("the channel is empty")
	}
	return list[len(list)-1]
}

// says fails unless a message holds each text.
func (w *world) says(m discordsim.Message, texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if !strings.Contains(m.Content, text) {
			w.t.Errorf("the message does not say %q:\n%s", text, describe(m))
		}
	}
}

// labels returns the labels of a message's buttons that can be pressed.
func labels(m discordsim.Message) []string {
	var list []string
	for _, row := range m.Components {
		for _, c := range row.Components {
			if !c.Disabled {
				list = append(list, c.Label)
			}
		}
	}
	return list
}

// describe writes a message for a test's output.
func describe(m discordsim.Message) string {
	return m.Content + "\n[" + strings.Join(labels(m), "] [") + "]"
}

// picture fails unless a message has one picture that decodes and has words.
func (w *world) picture(m discordsim.Message) {
	w.t.Helper()
	if len(m.Attachments) != 1 {
		w.t.Fatalf("%d attachments, want one\n%s", len(m.Attachments), describe(m))
	}
	a := m.Attachments[0]
	if a.Description == "" {
		w.t.Error("the picture has no words")
	}
	_, data, ok := w.sim.Attachment(a.ID)
	if !ok {
		w.t.Fatal("the attachment is gone")
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		w.t.Error(err)
	}
}
