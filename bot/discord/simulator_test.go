package discord_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// bench is a bot made of this package alone, on a simulated Discord.
type bench struct {
	sim            *discordsim.Server
	rest           *discord.REST
	ann, bob       string
	guild, channel string
}

// board makes a message with a picture and a button.
func board(ply int, notify ...match.UserID) (view.Message, []byte) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		panic(err)
	}
	text := "Position " + string(rune('0'+ply)) + " @everyone"
	for _, u := range notify {
		text += " <@" + string(u) + ">"
	}
	return view.Message{
		Text: text, Notify: notify,
		Picture: &view.Picture{Alt: "a board", Name: "board-" + string(rune('0'+ply)) + ".png"},
		Rows: []view.Row{{
			{Label: "Next", Style: view.Primary, Intent: intent.Board{Ref: intent.Ref{Game: "42", Version: uint64(ply)}}},
			{Label: "Help", Intent: intent.Help{}},
		}},
	}, picture.Bytes()
}

func newBench(t *testing.T, handle func(ctx context.Context, b *bench, r discord.Request)) *bench {
	t.Helper()
	sim := discordsim.New(discordsim.Options{BotToken: "secret"})
	server := httptest.NewServer(sim)
	settings := discord.Settings{Token: "secret", Base: server.URL}
	rest, err := discord.NewREST(settings)
	if err != nil {
		t.Fatal(err)
	}
	gateway, err := discord.NewGateway(discord.GatewaySettings{Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{sim: sim, rest: rest}
	b.ann = sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann", Locale: "de"})
	b.bob = sim.AddUser(discordsim.User{Name: "bob", DisplayName: "Bob", Locale: "en-US"})
	b.guild = sim.AddGuild("Club", "fr")
	b.channel = sim.AddChannel(b.guild, "games")
	sim.Join(b.guild, b.ann)
	sim.Join(b.guild, b.bob)
	sim.Join(b.guild, sim.BotID())

	me, err := rest.Self(t.Context())
	if err != nil || me.App != sim.ApplicationID() || string(me.User) != sim.BotID() {
		t.Fatalf("Self: %+v, %v", me, err)
	}
	commands := discord.Commands(func(locale, key string) string {
		part := strings.Split(key, ".")
		if part[len(part)-1] == "name" {
			return strings.ToLower(locale) + "-" + part[1]
		}
		return locale + " " + key
	}, []string{"de"})
	for _, c := range commands {
		if err := rest.RegisterCommand(t.Context(), me.App, c); err != nil {
			t.Fatal(err)
		}
	}
	have, err := rest.RegisteredCommands(t.Context(), me.App)
	if err != nil || len(discord.Missing(have, commands)) > 0 {
		t.Fatalf("the registered commands differ: %v", err)
	}

	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- gateway.Run(ctx, func(ctx context.Context, r discord.Request, err error) {
			if err != nil {
				t.Errorf("Decode: %v", err)
				return
			}
			handle(ctx, b, r)
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
		sim.Close()
		server.Close()
		for _, v := range sim.Violations() {
			t.Errorf("Discord would refuse: %s", v)
		}
	})
	limit, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := sim.WaitFor(limit, (*discordsim.Server).BotOnline); err != nil {
		t.Fatal(err)
	}
	return b
}

// message returns the message as a person sees it.
func (b *bench) message(t *testing.T, viewer, id string) discordsim.Message {
	t.Helper()
	m, ok := b.sim.Message(viewer, b.channel, id)
	if !ok {
		t.Fatalf("%s sees no message %s:\n%s", viewer, id, b.sim.Transcript(b.channel))
	}
	return m
}

func TestOnSimulator(t *testing.T) {
	requests := make(chan discord.Request, 10)
	played := make(chan string, 1) // what Respond returns for a new game
	b := newBench(t, func(ctx context.Context, b *bench, r discord.Request) {
		requests <- r
		fail := func(err error) {
			if err != nil {
				t.Errorf("%v %#v: %v", r.Kind, r.Intent, err)
			}
		}
		if r.Kind == discord.Autocomplete {
			fail(b.rest.Choices(ctx, r, []view.Choice{{Name: r.Option + " " + r.Typed, Value: "c3d4"}}))
			return
		}
		switch in := r.Intent.(type) {
		case intent.Play:
			m, picture := board(0, r.User.ID)
			id, err := b.rest.Respond(ctx, r, m, picture)
			fail(err)
			played <- id
		case intent.Board:
			m, picture := board(int(in.Version) + 1)
			fail(b.rest.Update(ctx, r, m, picture))
		case intent.Hint:
			fail(b.rest.Defer(ctx, r, true))
			m, picture := board(5)
			m.Private = true
			_, err := b.rest.EditOriginal(ctx, r, m, picture)
			fail(err)
			_, err = b.rest.FollowUp(ctx, r, view.Message{Text: "one more", Private: true}, nil)
			fail(err)
		case intent.Help:
			fail(b.rest.DeferUpdate(ctx, r))
			_, err := b.rest.EditOriginal(ctx, r, view.Message{Text: "no picture, no buttons"}, nil)
			fail(err)
		default:
			_, err := b.rest.Respond(ctx, r, view.Message{Text: "?", Private: true}, nil)
			fail(err)
		}
	})
	ann := b.sim.As(b.ann)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	t.Run("a command is answered with a picture that has words, and reaches whom it is meant for", func(t *testing.T) {
		reply, err := ann.Slash(ctx, b.channel, "lasca play", map[string]any{"level": 5, "colour": "white"})
		if err != nil {
			t.Fatal(err)
		}
		if id := <-played; id != reply.MessageID {
			t.Errorf("Respond returns %q, the message is %q", id, reply.MessageID)
		}
		m := b.message(t, b.bob, reply.MessageID)
		if m.PingsEveryone || len(m.Pings) != 1 || m.Pings[0] != b.ann {
			t.Errorf("reaches %v, everyone %t", m.Pings, m.PingsEveryone)
		}
		if len(m.Attachments) != 1 {
			t.Fatalf("%d pictures", len(m.Attachments))
		}
		if m.Attachments[0].Description != "a board" || m.Attachments[0].ContentType != "image/png" {
			t.Errorf("%+v", m.Attachments[0])
		}
		r := <-requests
		if string(r.User.ID) != b.ann || r.User.Name != "Ann" || r.Locale != "de" || r.PlaceLocale != "fr" || r.Guild != b.guild || !r.CanAttach() {
			t.Errorf("%+v", r)
		}

		// Each click replaces picture and buttons.
		for ply := range 3 {
			if _, err := ann.ClickLabel(ctx, b.channel, reply.MessageID, "Next"); err != nil {
				t.Fatal(err)
			}
			if r := <-requests; r.Message != reply.MessageID || r.MessagePrivate {
				t.Errorf("on message %q, private %t", r.Message, r.MessagePrivate)
			}
			m := b.message(t, b.bob, reply.MessageID)
			want := "board-" + string(rune('1'+ply)) + ".png"
			if len(m.Attachments) != 1 || m.Attachments[0].Filename != want || len(m.Pings) > 1 {
				t.Errorf("after click %d: %+v, pings %v", ply, m.Attachments, m.Pings)
			}
		}
		if _, err := ann.ClickLabel(ctx, b.channel, reply.MessageID, "Help"); err != nil {
			t.Fatal(err)
		}
		<-requests
		if err := b.sim.WaitFor(ctx, func(*discordsim.Server) bool {
			m := b.message(t, b.bob, reply.MessageID)
			return m.Content == "no picture, no buttons" && len(m.Attachments) == 0 && len(m.Components) == 0
		}); err != nil {
			t.Errorf("%v:\n%s", err, b.sim.Transcript(b.channel))
		}
	})
	t.Run("a deferred private answer is seen by one", func(t *testing.T) {
		reply, err := ann.Slash(ctx, b.channel, "lasca hint", nil)
		if err != nil {
			t.Fatal(err)
		}
		<-requests
		if err := b.sim.WaitFor(ctx, func(*discordsim.Server) bool {
			m := b.message(t, b.ann, reply.MessageID)
			return !m.Loading && len(m.Attachments) == 1 && strings.Contains(b.sim.Transcript(b.channel), "one more")
		}); err != nil {
			t.Error(err)
		}
		if _, ok := b.sim.Message(b.bob, b.channel, reply.MessageID); ok {
			t.Error("the other sees it")
		}
		if _, err := ann.ClickLabel(ctx, b.channel, reply.MessageID, "Next"); err != nil {
			t.Fatal(err)
		}
		if r := <-requests; !r.MessagePrivate {
			t.Error("the button's message is not known to be private")
		}
	})
	t.Run("an option is completed", func(t *testing.T) {
		list, err := ann.Autocomplete(ctx, b.channel, "/lasca move path:c3-")
		if err != nil || len(list) != 1 || list[0].Name != "path c3-" {
			t.Errorf("%v, %v", list, err)
		}
		<-requests
	})
	t.Run("a challenge names the other person", func(t *testing.T) {
		if _, err := ann.Slash(ctx, b.channel, "lasca challenge", map[string]any{"user": "@bob"}); err != nil {
			t.Fatal(err)
		}
		if in, ok := (<-requests).Intent.(intent.Challenge); !ok || string(in.User) != b.bob || in.Name != "Bob" || in.Robot {
			t.Errorf("%+v", in)
		}
		if _, err := ann.Slash(ctx, b.channel, "lasca challenge", map[string]any{"user": b.sim.BotID()}); err != nil {
			t.Fatal(err)
		}
		if in, ok := (<-requests).Intent.(intent.Challenge); !ok || !in.Robot || !in.Us {
			t.Errorf("%+v", in)
		}
	})
	t.Run("a message of the channel is posted once, edited and stripped of its buttons", func(t *testing.T) {
		m, picture := board(1, match.UserID(b.bob))
		id, err := b.rest.Post(ctx, b.channel, m, picture, "42-1")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := b.rest.Post(ctx, b.channel, m, picture, "42-1"); err != nil || again != id {
			t.Errorf("posted again as %q, %v", again, err)
		}
		m, picture = board(2)
		if err := b.rest.Edit(ctx, b.channel, id, m, picture); err != nil {
			t.Fatal(err)
		}
		if err := b.rest.EditText(ctx, b.channel, id, view.Message{Text: "elsewhere"}); err != nil {
			t.Fatal(err)
		}
		got := b.message(t, b.bob, id)
		if len(got.Components) != 0 || len(got.Attachments) != 1 || got.Attachments[0].Filename != "board-2.png" || got.Content != "elsewhere" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("an error says why something cannot be reached", func(t *testing.T) {
		x := view.Message{Text: "x"}
		post := func(channel string) error { _, err := b.rest.Post(ctx, channel, x, nil, ""); return err }
		thread := b.sim.AddThread(b.channel, "thread")
		b.sim.SetThread(thread, true, true)
		if err := post(thread); !errors.Is(err, discord.ErrArchived) && !errors.Is(err, discord.ErrLocked) {
			t.Errorf("archived: %v", err)
		}
		if err := post("1"); !errors.Is(err, discord.ErrChannelGone) {
			t.Errorf("no channel: %v", err)
		}
		if err := b.rest.Edit(ctx, b.channel, "1", x, nil); !errors.Is(err, discord.ErrMessageGone) {
			t.Errorf("no message: %v", err)
		}
		wrong, err := discord.NewREST(discord.Settings{Token: "wrong", Transport: b.sim.Transport("http://127.0.0.1:1")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wrong.Self(ctx); !errors.Is(err, discord.ErrUnavailable) {
			t.Errorf("nobody there: %v", err)
		}
	})
}

func TestGatewayTellsWhichGuildsTheBotIsIn(t *testing.T) {
	sim := discordsim.New(discordsim.Options{BotToken: "secret"})
	server := httptest.NewServer(sim)
	defer server.Close()
	defer sim.Close()
	settings := discord.Settings{Token: "secret", Base: server.URL}
	told := make(chan []string, 10)
	gateway, err := discord.NewGateway(discord.GatewaySettings{Settings: settings, Guilds: func(ids []string) { told <- ids }})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := discord.NewREST(settings)
	if err != nil {
		t.Fatal(err)
	}
	in, out, down := sim.AddGuild("In", "fr"), sim.AddGuild("Out", "fr"), sim.AddGuild("Down", "fr")
	sim.Leave(out, sim.BotID())
	sim.SetOutage(down, true)

	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- gateway.Run(ctx, func(context.Context, discord.Request, error) {}) }()
	select {
	case ids := <-told:
		if !slices.Equal(ids, []string{in, down}) {
			t.Errorf("told %q, want %q", ids, []string{in, down})
		}
	case <-ctx.Done():
		t.Error("not told")
	}
	for guild, want := range map[string]bool{in: true, out: false, "42": false} {
		if got, err := rest.InGuild(ctx, guild); got != want || err != nil {
			t.Errorf("%s: %t, %v, want %t", guild, got, err, want)
		}
	}
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if got, err := rest.InGuild(short, down); got || !errors.Is(err, discord.ErrUnavailable) {
		t.Errorf("in an outage: %t, %v", got, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, v := range sim.Violations() {
		t.Errorf("violation: %s", v)
	}
}
