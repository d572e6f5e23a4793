package bot_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/memstore"
)

// The tests of this file, and those elsewhere whose names begin with "bug",
// are about what went wrong in other bots. The numbers are those of the
// project's list of them.

// slowStore is a store that keeps what is saved waiting while it is closed.
type slowStore struct {
	storage.Store
	gate chan struct{} // a token lets one save through; closed, it lets all
}

func (s *slowStore) Save(ctx context.Context, m match.Match, prev uint64) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.Save(ctx, m, prev)
}

func (s *slowStore) SaveSettings(ctx context.Context, key string, v storage.Settings) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.SaveSettings(ctx, key, v)
}

// reply is what a press led to.
type reply struct {
	*discordsim.Reply
	err error
}

// pressing presses a button without waiting for the answer.
func (w *world) pressing(who *discordsim.Actor, m discordsim.Message, label string) <-chan reply {
	done := make(chan reply, 1)
	go func() {
		r, err := who.ClickLabel(w.ctx, m.ChannelID, m.ID, label)
		done <- reply{r, err}
	}()
	return done
}

// stored waits for a condition on the store, of which the loopback Discord hears
// nothing.
func (w *world) stored(what string, cond func() bool) {
	w.t.Helper()
	for every := time.NewTicker(5 * time.Millisecond); !cond(); {
		select {
		case <-every.C:
		case <-w.ctx.Done():
			w.t.Fatalf("waiting until %s: %v\n%s", what, w.ctx.Err(), w.sim.Transcript(w.channel))
		}
	}
}

// requests returns the bodies of the requests whose route holds a text.
func (w *world) requests(route string) (list []discordsim.Request) {
	for _, r := range w.sim.Requests() {
		if strings.Contains(r.Route, route) {
			list = append(list, r)
		}
	}
	return list
}

func TestAcknowledgement(t *testing.T) {
	t.Parallel()
	t.Run("bug 1: nothing is thought about before the answer", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:8 colour:black")
		first := w.requests("/callback")[0]
		if body := string(first.Body); body != `{"type":5}` && !strings.Contains(body, "is thinking") { // deferred, or shown
			t.Errorf("the first answer waited for the machine's move:\n%s", first.Body)
		}
		w.until(w.ann, board, "<@"+w.ann.ID()+">")
	})
	t.Run("bugs 1 and 2: a slow disk is not waited for, and the answer follows", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{}, 1)}
		w := newWorldOn(t, store)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
		pressed := w.pressing(w.ben, asked, "Accept")
		if r := <-pressed; r.err != nil || r.Kind != discordsim.ReplyDeferredUpdate {
			t.Fatalf("%+v", r)
		}
		w.says(w.see(w.ann, asked), "challenges you")
		close(store.gate)
		w.until(w.ann, asked, "move 1")
	})
	t.Run("what is for one person stays private when it is deferred", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{})}
		w := newWorldOn(t, store)
		reply, err := w.ann.Type(w.ctx, w.channel, "/lasca look boards:letters")
		if err != nil || reply.Kind != discordsim.ReplyDeferred || !reply.Ephemeral {
			t.Fatalf("%+v, %v", reply, err)
		}
		close(store.gate)
		if m := w.message(w.ann, reply); m.EphemeralFor != w.ann.ID() {
			t.Errorf("everybody sees it\n%s", describe(m))
		}
	})
	t.Run("bug 12: what Discord delivers late is answered while there is time, and then still counts", func(t *testing.T) {
		for _, late := range []time.Duration{2800 * time.Millisecond, 4 * time.Second} {
			t.Run(late.String(), func(t *testing.T) {
				w := newWorld(t)
				board := w.duel()
				chosen := w.click(w.ann, board, "c3")
				w.sim.Gateway().Hold()
				pressed := w.pressing(w.ann, chosen, "d4")
				w.wait("the press is under way", func(s *discordsim.Server) bool { return s.Gateway().Held() == 1 })
				w.clock.Advance(late)
				w.sim.Gateway().Release(false)
				if r := <-pressed; late < 3*time.Second && r.err != nil || late > 3*time.Second && !errors.Is(r.err, discordsim.ErrNoAnswer) {
					t.Errorf("%+v", r)
				}
				w.until(w.ben, board, "1. c3-d4")
			})
		}
	})
	t.Run("bug 35: a lost connection costs no game", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.sim.Gateway().Reset()
		w.wait("the bot is offline", func(s *discordsim.Server) bool { return !s.BotOnline() })
		w.wait("the bot is back", (*discordsim.Server).BotOnline)
		w.says(w.moved(w.ann, board, "c3", "d4"), "1. c3-d4")
	})
	t.Run("bug 10: a private message is changed by the answer to its own button", func(t *testing.T) {
		w := newWorld(t)
		asked := w.click(w.ann, w.duel(), "Resign")
		kept := w.click(w.ann, asked, "No, play on")
		if kept.ID != asked.ID || kept.EphemeralFor != w.ann.ID() {
			t.Errorf("not the same private message\n%s", describe(kept))
		}
		for _, r := range w.requests("/channels/{channel_id}/messages/{message_id}") {
			if strings.HasSuffix(r.Path, asked.ID) {
				t.Errorf("%s %s", r.Method, r.Path)
			}
		}
	})
}

// TestEveryMessage plays and checks what must hold of each message.
func TestEveryMessage(t *testing.T) {
	t.Parallel()
	t.Run("bugs 4, 42, 43, 44, 45, 46, 52 and 54: in a game", func(t *testing.T) {
		w := newWorld(t)
		w.sim.SetDisplayName(w.ann.ID(), "🦊 Ann :fox: <:fox:123456789012345678>")
		// Every second edit by an interaction's token fails, so that both ways to
		// edit are used.
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if strings.Contains(r.Path, "/webhooks/") && r.N%2 == 0 {
				return &discordsim.Fault{Status: 404, Code: 10015}
			}
			return nil
		})
		rng := rand.New(rand.NewPCG(8, 8))
		board := w.typed(w.ann, "/lasca play level:2 colour:white")
		names := map[string]string{} // file name to what was shown
		for presses := 0; presses < 40 && !over(board); presses++ {
			w.wait("it is Ann's turn", func(s *discordsim.Server) bool {
				board, _ = s.Message(w.ann.ID(), board.ChannelID, board.ID)
				return over(board) || strings.Contains(board.Content, "<@"+w.ann.ID()+">")
			})
			w.picture(board)
			a := board.Attachments[0]
			if n := len([]rune(a.Description)); n < 1 || n > 1024 {
				t.Errorf("%d characters of description", n)
			}
			shown := a.Description + strings.Join(labels(board), " ")
			if before, ok := names[a.Filename]; ok && before != shown {
				t.Errorf("%s is the name of two pictures:\n%s\n%s", a.Filename, before, shown)
			}
			names[a.Filename] = shown
			for _, row := range board.Components {
				for _, c := range row.Components {
					if c.Emoji != nil && !slices.Contains([]string{"💡", "↩️", "🏳️", "🔁", "🎞️", "📄", "📈"}, c.Emoji.Name) {
						t.Errorf("the emoji %+v", c.Emoji)
					}
				}
			}
			if over(board) {
				break
			}
			choices := moveLabels(board)
			board = w.click(w.ann, board, choices[rng.IntN(len(choices))])
		}
		for _, how := range []string{"/webhooks/", "PATCH /channels/"} {
			if len(w.requests(how)) == 0 {
				t.Errorf("nothing was edited by %s", how)
			}
		}
		callbacks := map[string]int{}
		for _, r := range w.requests("/callback") {
			callbacks[strings.Split(r.Path, "/")[4]]++
		}
		for id, n := range callbacks {
			if n != 1 {
				t.Errorf("interaction %s was answered %d times", id, n)
			}
		}
	})
	t.Run("bug 50: custom IDs fit, whatever the game, its version and the path", func(t *testing.T) {
		ref := intent.Ref{Game: match.ID(strconv.FormatUint(math.MaxUint64, 10)), Version: math.MaxUint64}
		var path []engine.Square
		for sq := range engine.Square(engine.MaxPath) {
			path = append(path, sq)
		}
		if id := intent.CustomID(intent.Step{Ref: ref, Path: path}); len(id) > 100 {
			t.Errorf("%d bytes: %s", len(id), id)
		}
	})
	t.Run("bug 51: suggestions are at most 25, none blank or too long, whatever is typed", func(t *testing.T) {
		w := newWorld(t)
		for range 30 {
			w.typed(w.ann, "/lasca play level:1 colour:white")
		}
		for _, option := range []string{"path", "game"} {
			for _, typed := range []string{"", " ", "x", "c3", "C3-", "…", "🦊", "```", "@everyone", strings.Repeat("c3", 40), "Lasca", "level"} {
				line := "/lasca move " + option + ":" + typed
				list, err := w.ann.Autocomplete(w.ctx, w.channel, line)
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				if len(list) > 25 {
					t.Errorf("%s: %d suggestions", line, len(list))
				}
				for _, c := range list {
					if n := len([]rune(c.Name)); n < 1 || n > 100 || strings.TrimSpace(c.Name) == "" {
						t.Errorf("%s: %q", line, c.Name)
					}
				}
			}
		}
	})
}

func TestSeats(t *testing.T) {
	t.Parallel()
	t.Run("bug 18: a challenge without an opponent is no game against the machine", func(t *testing.T) {
		w := newWorld(t)
		for _, line := range []string{"/lasca challenge", "/lasca challenge user:nobody", "/lasca challenge colour:white"} {
			if _, err := w.ann.Type(w.ctx, w.channel, line); !errors.Is(err, discordsim.ErrOption) {
				t.Errorf("%s: %v", line, err)
			}
		}
		if list, _ := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10); len(list) != 0 {
			t.Errorf("%d games", len(list))
		}
	})
	t.Run("bug 20: who has no game is not told otherwise", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca play level:1 colour:white")
		w.click(w.ann, w.typed(w.ann, "/lasca resign"), "Yes, resign")
		w.stored("the game is over", func() bool {
			list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
			return err == nil && len(list) == 0
		})
		m := w.typed(w.ann, "/lasca games")
		if strings.Contains(m.Content, "discord.com/channels") {
			t.Errorf("it lists games\n%s", describe(m))
		}
		w.picture(w.typed(w.ann, "/lasca play level:1"))
	})
	t.Run("bug 22: nobody ends a game of others", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.sim.As(w.sim.AddUser(discordsim.User{Name: "cleo", DisplayName: "Cleo"}))
		w.sim.Join(w.guild, cleo.ID())
		w.duel()
		before := w.only(w.ann)
		for _, command := range []string{"resign", "draw", "undo", "board"} {
			r, err := cleo.Slash(w.ctx, w.channel, "lasca "+command, map[string]any{"game": string(before.Match.ID)})
			if err != nil {
				t.Fatal(err)
			}
			if m := w.message(cleo, r); m.EphemeralFor != cleo.ID() {
				t.Errorf("%s: not refused\n%s", command, describe(m))
			}
		}
		w.typed(cleo, "/lasca play level:1")
		if after := w.only(w.ann); after.Match.Version != before.Match.Version {
			t.Error("the game changed")
		}
	})
	t.Run("bug 23: an abandoned game does not block the channel", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.clock.Advance(30 * 24 * time.Hour)
		board := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben colour:white"), "Accept")
		w.says(w.moved(w.ann, board, "c3", "d4"), "1. c3-d4")
	})
	t.Run("bug 25: a player who has left can be waited out, by name", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		w.sim.Leave(w.guild, w.ben.ID())
		w.clock.Advance(match.MoveTime + time.Minute)
		w.click(w.ann, w.click(w.ann, board, "⋯"), "Claim the win")
		w.until(w.ann, board, "Ben has not moved for 3 days")
	})
	t.Run("bug 29: after taking back, the game goes on from a position that its moves lead to", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		for _, second := range []string{"d4", "b4"} {
			w.moved(w.ann, board, "c3", second)
			board = w.until(w.ann, board, "move 2")
			w.replays(w.only(w.ann))
			if second == "d4" {
				board = w.click(w.ann, board, "Undo")
			}
		}
		if m := w.only(w.ann).Match.Moves; len(m) != 2 || m[0].String() != "c3-b4" {
			t.Errorf("stored: %v", m)
		}
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	t.Run("bug 56: an archived thread is opened again, a locked one is left alone", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.sim.AddThread(w.channel, "a game")
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.sim.SetThread(w.channel, true, false)
		pressed := w.pressing(w.ann, chosen, "d4")
		w.wait("a board stands in the thread", func(s *discordsim.Server) bool {
			list := s.Messages(w.ben.ID(), w.channel)
			return strings.Contains(list[len(list)-1].Content, "1. c3-d4")
		})
		board = w.newest(w.ben)
		w.sim.SetThread(w.channel, true, true)
		before := len(w.sim.Requests())
		other := w.pressing(w.ben, board, moveLabels(board)[0])
		w.stored("Ben's move is stored", func() bool { return len(w.only(w.ben).Match.Moves) == 2 })
		w.stored("the bot has given up", func() bool {
			r := w.only(w.ben)
			return r.Screen.Version == r.Match.Version
		})
		if n := len(w.sim.Requests()) - before; n > 10 {
			t.Errorf("%d requests about a locked thread", n)
		}
		w.sim.SetThread(w.channel, false, false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
		w.clock.Advance(4 * time.Second) // the presses that were never answered
		for _, r := range []reply{<-pressed, <-other} {
			if !errors.Is(r.err, discordsim.ErrNoAnswer) {
				t.Errorf("%+v", r)
			}
		}
	})
	t.Run("bug 58: closed direct messages hold up nothing", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{}, 1)}
		w := newWorldOn(t, store)
		w.channel = w.ann.OpenDM()
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		store.gate <- struct{}{}
		w.moved(w.ann, board, "c3", "d4")
		w.sim.SetDMClosed(w.ann.ID(), true)
		w.sim.DeleteMessage(w.channel, board.ID)
		store.gate <- struct{}{} // the machine's move, for which a new message is needed
		w.stored("the bot has given up", func() bool {
			r := w.only(w.ann)
			return len(r.Match.Moves) == 2 && r.Screen.Version == r.Match.Version
		})
		w.sim.SetDMClosed(w.ann.ID(), false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
	})
	t.Run("bug 48: several changes make one edit, of the newest", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.clock.Advance(20 * time.Minute) // no token is left: the channel's route
		held := make(chan struct{})
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if r.Method == "PATCH" {
				<-held
			}
			return nil
		})
		// Moves by private buttons, so that the board follows by edits alone.
		for _, who := range []*discordsim.Actor{w.ann, w.ben, w.ann, w.ben} {
			offered := w.typed(who, "/lasca move path:a1-a9")
			w.click(who, offered, labels(offered)[0])
		}
		if n := len(w.only(w.ann).Match.Moves); n != 4 {
			t.Fatalf("%d moves", n)
		}
		close(held)
		w.until(w.ben, board, "move 3")
		if n := len(w.requests("PATCH /channels")); n != 2 {
			t.Errorf("%d edits", n)
		}
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()
	t.Run("bug 40: a damaged file is named, without a panic, and left as it is", func(t *testing.T) {
		t.Parallel()
		sim := discordsim.New(discordsim.Options{})
		server := httptest.NewServer(sim)
		defer server.Close()
		dir := t.TempDir()
		path := filepath.Join(dir, "games.db")
		rubbish := bytes.Repeat([]byte("not a file of games "), 1000)
		if err := os.WriteFile(path, rubbish, 0o600); err != nil {
			t.Fatal(err)
		}
		bot := startBot(t, server.URL, dir)
		_ = bot.cmd.Wait()
		text := printed(dir)
		if bot.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(text, path) || strings.Contains(text, "goroutine") {
			t.Errorf("%v:\n%s", bot.cmd.ProcessState, text)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, rubbish) {
			t.Errorf("the file has changed (%v)", err)
		}
	})
	t.Run("bug 41: a stop writes nothing, however many games there are", func(t *testing.T) {
		t.Parallel()
		sim := discordsim.New(discordsim.Options{})
		server := httptest.NewServer(sim)
		defer server.Close()
		dir := t.TempDir()
		path := filepath.Join(dir, "games.db")
		store, err := boltstore.Open(path, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var records []storage.Record
		for i := range 1000 {
			n := match.New{ID: match.ID(strconv.Itoa(1000 + i)), By: engine.White}
			n.Seats = [2]match.Seat{{User: match.UserID(strconv.Itoa(i)), Name: "x"}, {Level: 1}}
			m, err := match.Start(n, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, storage.Record{
				Match: m, Place: storage.Place{Channel: "5"}, Screen: storage.Screen{Channel: "5", Message: "6", Version: m.Version},
			})
		}
		if _, err := store.CreateAll(t.Context(), records); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		bot := startBot(t, server.URL, dir)
		if err := sim.WaitFor(t.Context(), func(s *discordsim.Server) bool { return s.BotOnline() && len(s.Commands("")) > 0 }); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := bot.stop(); err != nil {
			t.Errorf("%v\n%s", err, printed(dir))
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the stop wrote to the file (%v)", err)
		}
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	t.Run("a start too soon after another is refused by Discord and tried again at its pace", func(t *testing.T) {
		t.Parallel()
		sim := discordsim.New(discordsim.Options{IdentifyEvery: 5 * time.Second})
		server := httptest.NewServer(sim)
		defer server.Close()
		dir := t.TempDir()
		forgetful := botWitness + "=" + filepath.Join(dir, "witness") // of when it started sessions
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 2 {
			bot := startBot(t, server.URL, dir, forgetful)
			if err := sim.WaitFor(ctx, (*discordsim.Server).BotOnline); err != nil {
				t.Fatalf("%v\n%s", err, printed(dir))
			}
			bot.kill()
			if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return s.Gateway().Connections() == 0 }); err != nil {
				t.Fatal(err)
			}
		}
		if n := sim.Gateway().Identifies(); n > 4 {
			t.Errorf("%d attempts", n)
		}
		if v := sim.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
}
