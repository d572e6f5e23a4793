package discordsim_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestGatewayAddressNamesTheHostAskedFor(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	for _, path := range []string{"/api/v9/gateway", "/api/v10/gateway", "/api/v9/gateway/bot"} {
		_, out := w.rest("GET", path, nil)
		if want := strings.Replace(w.srv.URL, "http", "ws", 1) + "/gateway"; out["url"] != want {
			t.Errorf("%s gives %v, want %s", path, out["url"], want)
		}
	}
}

func TestReadyAndGuilds(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	_, d := w.ready(0)
	if d["session_id"] == "" || d["user"].(obj)["id"] != w.sim.BotID() || d["application"].(obj)["id"] != w.sim.ApplicationID() {
		t.Errorf("READY = %v", d)
	}
	if g := d["guilds"].([]any)[0].(obj); g["id"] != w.guild || g["unavailable"] != true {
		t.Errorf("guilds = %v", d["guilds"])
	}
	g, _ := w.ready(1)
	if e := g.read(); e.T != "GUILD_CREATE" || e.S != 2 {
		t.Errorf("with the intent GUILDS %+v follows, want GUILD_CREATE", e)
	}
	w.sim.AddChannel(w.guild, "other")
	if e := g.read(); e.T != "CHANNEL_CREATE" {
		t.Errorf("got %s, want CHANNEL_CREATE", e.T)
	}
	w.sim.Leave(w.guild, w.sim.BotID())
	if e := g.read(); e.T != "GUILD_DELETE" {
		t.Errorf("got %s, want GUILD_DELETE", e.T)
	}
	w.clean()
}

func TestHeartbeatIsAcknowledged(t *testing.T) {
	w := newWorld(t, discordsim.Options{HeartbeatInterval: 1234 * time.Millisecond})
	g := w.dial()
	var hello struct {
		Interval int `json:"heartbeat_interval"`
	}
	json.Unmarshal(g.read().D, &hello)
	if hello.Interval != 1234 {
		t.Errorf("interval %d, want 1234", hello.Interval)
	}
	g.send(1, nil)
	if e := g.read(); e.Op != 11 {
		t.Errorf("op %d, want 11", e.Op)
	}
	w.sim.Gateway().IgnoreHeartbeats(true)
	g.send(1, nil)
	g.send(2, identify(0))
	if e := g.read(); e.T != "READY" {
		t.Errorf("got %+v, want READY and no acknowledgement", e)
	}
}

func TestResume(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	g, d := w.ready(1)
	g.read() // GUILD_CREATE, s 2
	g.ws.UnderlyingConn().Close()
	if err := w.sim.WaitFor(w.ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		t.Fatal(err)
	}
	w.sim.AddChannel(w.guild, "missed") // s 3
	resume := func(id any, seq int) *gateway {
		g := w.dial()
		g.read()
		g.send(6, obj{"token": "secret", "session_id": id, "seq": seq})
		return g
	}
	g = resume(d["session_id"], 2)
	if e := g.read(); e.T != "CHANNEL_CREATE" || e.S != 3 {
		t.Errorf("replayed %+v, want CHANNEL_CREATE with s 3", e)
	}
	if e := g.read(); e.T != "RESUMED" || e.S != 4 {
		t.Errorf("got %+v, want RESUMED", e)
	}
	if e := resume("unknown", 2).read(); e.Op != 9 || string(e.D) != "false" {
		t.Errorf("an unknown session gives %+v, want op 9 false", e)
	}
	w.clean()

	g.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
	if err := w.sim.WaitFor(w.ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		t.Fatal(err)
	}
	if e := resume(d["session_id"], 4).read(); e.Op != 9 {
		t.Errorf("a session closed with 1000 gives %+v, want op 9", e)
	}
}

func TestGatewayCloseCodes(t *testing.T) {
	hello := func(g *gateway) { g.read() }
	in := func(g *gateway) { g.read(); g.send(2, identify(0)); g.read() }
	cases := []struct {
		name  string
		first func(*gateway)
		do    func(*gateway)
		want  int
	}{
		{"unknown opcode", in, func(g *gateway) { g.send(77, nil) }, 4001},
		{"no JSON", hello, func(g *gateway) { g.ws.WriteMessage(1, []byte("{")) }, 4002},
		{"more than 4096 bytes", in, func(g *gateway) { g.send(3, strings.Repeat("x", 4096)) }, 4002},
		{"presence before identify", hello, func(g *gateway) { g.send(3, nil) }, 4003},
		{"wrong token", hello, func(g *gateway) {
			d := identify(0)
			d["token"] = "wrong"
			g.send(2, d)
		}, 4004},
		{"identify twice", in, func(g *gateway) { g.send(2, identify(0)) }, 4005},
		{"more than 120 messages a minute", in, func(g *gateway) {
			for range 120 {
				g.send(1, nil)
			}
		}, 4008},
		{"a shard that is not there", hello, func(g *gateway) {
			d := identify(0)
			d["shard"] = []int{2, 2}
			g.send(2, d)
		}, 4010},
		{"intents that do not exist", hello, func(g *gateway) { g.send(2, identify(1<<30)) }, 4013},
		{"no intents", hello, func(g *gateway) { g.send(2, obj{"token": "secret", "properties": obj{}}) }, 4013},
		{"privileged intents", hello, func(g *gateway) { g.send(2, identify(1<<15)) }, 4014},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{BotToken: "secret", Clock: discordsim.NewManualClock(start)})
			g := w.dial()
			c.first(g)
			c.do(g)
			if got := g.closeCode(); got != c.want {
				t.Errorf("close code %d, want %d", got, c.want)
			}
			w.violated("closed with")
		})
	}
	t.Run("resume with a sequence number of the future", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		_, d := w.ready(0)
		g := w.dial()
		g.read()
		g.send(6, obj{"token": "secret", "session_id": d["session_id"], "seq": 99})
		if got := g.closeCode(); got != 4007 {
			t.Errorf("close code %d, want 4007", got)
		}
	})
	t.Run("unknown version", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		ws, _, err := websocket.DefaultDialer.Dial(strings.Replace(w.srv.URL, "http", "ws", 1)+"/?v=5&encoding=json", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&gateway{t, ws}).closeCode(); got != 4012 {
			t.Errorf("close code %d, want 4012", got)
		}
	})
}

func TestGatewayFaults(t *testing.T) {
	t.Run("op 7", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		g, _ := w.ready(0)
		w.sim.Gateway().Reconnect()
		if e := g.read(); e.Op != 7 {
			t.Errorf("op %d, want 7", e.Op)
		}
	})
	t.Run("op 9, then identify on the same connection", func(t *testing.T) {
		for _, resumable := range []bool{true, false} {
			w := newWorld(t, discordsim.Options{})
			g, _ := w.ready(0)
			w.sim.Gateway().InvalidateSession(resumable)
			if e := g.read(); e.Op != 9 || (string(e.D) == "true") != resumable {
				t.Errorf("got %+v", e)
			}
			g.send(2, identify(0))
			if e := g.read(); e.T != "READY" {
				t.Errorf("got %+v, want READY", e)
			}
			if n := w.sim.Gateway().Identifies(); n != 2 {
				t.Errorf("%d identifies, want 2", n)
			}
			w.clean()
		}
	})
	t.Run("reset and close", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		g, _ := w.ready(0)
		w.sim.Gateway().Reset()
		if _, _, err := g.ws.ReadMessage(); err == nil || websocket.IsCloseError(err, 1000, 1001) {
			t.Errorf("after a reset: %v", err)
		}
		g, _ = w.ready(0)
		w.sim.Gateway().Close(4009, "Session timed out.")
		if c := g.closeCode(); c != 4009 {
			t.Errorf("close code %d, want 4009", c)
		}
	})
	t.Run("replay, hold, reverse and delay", func(t *testing.T) {
		clock := discordsim.NewManualClock(start)
		w := newWorld(t, discordsim.Options{Clock: clock})
		g, _ := w.ready(1)
		first := g.read()
		w.sim.Gateway().ReplayLast()
		if e := g.read(); e.S != first.S || e.T != first.T {
			t.Errorf("replayed %+v, want %+v", e, first)
		}
		w.sim.Gateway().Hold()
		w.sim.AddChannel(w.guild, "one")
		w.sim.AddChannel(w.guild, "two")
		w.sim.Gateway().Release(true)
		if a, b := g.read(), g.read(); !strings.Contains(string(a.D), `"two"`) || !strings.Contains(string(b.D), `"one"`) || b.S != a.S+1 {
			t.Errorf("order: %s, %s", a.D, b.D)
		}
		w.sim.Gateway().Delay(2 * time.Second)
		w.sim.AddChannel(w.guild, "late")
		w.sim.Gateway().Delay(0)
		w.sim.AddChannel(w.guild, "early")
		if e := g.read(); !strings.Contains(string(e.D), `"early"`) {
			t.Errorf("got %s, want early", e.D)
		}
		clock.Advance(2 * time.Second)
		if e := g.read(); !strings.Contains(string(e.D), `"late"`) {
			t.Errorf("got %s, want late", e.D)
		}
	})
}

func TestMessageEventsLackOtherPeoplesText(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	g, _ := w.ready(1<<9 | 1<<12)
	say := func(channel, text, want string) {
		t.Helper()
		if _, err := w.sim.As(w.ann).Say(w.ctx, channel, text); err != nil {
			t.Fatal(err)
		}
		var d obj
		json.Unmarshal(g.read().D, &d)
		if d["content"] != want {
			t.Errorf("content %q, want %q", d["content"], want)
		}
	}
	say(w.general, "secret", "")
	say(w.general, "hi <@"+w.sim.BotID()+">", "hi <@"+w.sim.BotID()+">")
	say(w.sim.As(w.ann).OpenDM(), "for you", "for you")
}

func TestCloseEndsEverything(t *testing.T) {
	sim := discordsim.New(discordsim.Options{})
	w := serve(t, sim)
	g, _ := w.ready(0)
	events := sim.Subscribe(w.ctx)
	sim.Close()
	if c := g.closeCode(); c != 1001 {
		t.Errorf("close code %d, want 1001", c)
	}
	for range events {
	}
	if _, err := sim.As(w.ann).Say(w.ctx, w.general, "hi"); !errors.Is(err, discordsim.ErrClosed) {
		t.Errorf("err = %v, want ErrClosed", err)
	}
	if err := sim.WaitFor(w.ctx, func(*discordsim.Server) bool { return false }); !errors.Is(err, discordsim.ErrClosed) {
		t.Errorf("err = %v, want ErrClosed", err)
	}
	if resp, err := http.Get(w.srv.URL + "/api/v9/gateway"); err != nil || resp.StatusCode != 503 {
		t.Errorf("REST after Close: %v, %v", resp, err)
	}
}

func TestSubscribersLearnWhenTheBotComesAndGoes(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	events := w.sim.Subscribe(w.ctx)
	next := func() {
		t.Helper()
		for e := range events {
			if e.Kind == discordsim.EventBot {
				return
			}
		}
		t.Fatal("no event")
	}
	g, _ := w.ready(0)
	next()
	g.ws.Close()
	next()
	if w.sim.BotOnline() {
		t.Error("the event says that the bot is gone, but it counts as online")
	}
}

func TestIdentifyTooSoonIsAnsweredWithOp9(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock, IdentifyEvery: 5 * time.Second})
	w.ready(0)
	g := w.dial()
	g.read() // HELLO
	g.send(2, identify(0))
	if e := g.read(); e.Op != 9 || string(e.D) != "false" {
		t.Fatalf("got %+v, want op 9", e)
	}
	clock.Advance(5 * time.Second)
	g.send(2, identify(0))
	if e := g.read(); e.T != "READY" {
		t.Errorf("got %+v, want READY", e)
	}
	w.clean()
}

func TestGuildRemovalAndOutageDiffer(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	g, _ := w.ready(1) // GUILDS
	g.read()           // GUILD_CREATE
	w.sim.SetOutage(w.guild, true)
	if e := g.read(); e.T != "GUILD_DELETE" || !strings.Contains(string(e.D), `"unavailable":true`) {
		t.Errorf("got %+v, want an unavailable guild", e)
	}
	w.sim.SetOutage(w.guild, false)
	if e := g.read(); e.T != "GUILD_CREATE" {
		t.Errorf("got %+v, want GUILD_CREATE", e)
	}
	w.sim.SetOutage(w.guild, true)
	g.read()
	later, d := w.ready(1)
	if list := d["guilds"].([]any); len(list) != 1 {
		t.Errorf("a session that begins in the outage: guilds %v", list)
	}
	if e := later.read(); e.T != "GUILD_CREATE" || !strings.Contains(string(e.D), `"unavailable":true`) {
		t.Errorf("got %+v, want an unavailable guild", e)
	}
	if status, _ := w.rest("GET", "/guilds/"+w.guild, nil); status != 503 {
		t.Errorf("status %d in the outage", status)
	}
	w.sim.SetOutage(w.guild, false)
	g.read()
	w.sim.Leave(w.guild, w.sim.BotID())
	if e := g.read(); e.T != "GUILD_DELETE" || strings.Contains(string(e.D), "unavailable") {
		t.Errorf("got %+v, want a removal", e)
	}
	if status, _ := w.rest("GET", "/guilds/"+w.guild, nil); status != 403 {
		t.Errorf("status %d after the removal", status)
	}
	w.clean()
}

func TestGuildEventsNeedTheIntent(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	g, d := w.ready(0)
	if list := d["guilds"].([]any); len(list) != 1 {
		t.Errorf("guilds %v", list) // READY lists them whatever the intents are
	}
	w.sim.SetOutage(w.guild, true)
	w.sim.SetOutage(w.guild, false)
	w.sim.Leave(w.guild, w.sim.BotID())
	w.sim.Join(w.guild, w.sim.BotID())
	g.send(1, nil)
	if e := g.read(); e.Op != 11 {
		t.Errorf("got %+v, want the heartbeat's answer and nothing before it", e)
	}
	w.clean()
}

func TestABrokenConnectionExcusesUnansweredInteractions(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	for _, c := range []struct {
		name   string
		end    func(*world)
		excuse bool
	}{
		{"reset", func(w *world) { w.sim.Gateway().Reset() }, true},
		{"nothing", func(*world) {}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{Clock: clock})
			w.register(obj{"name": "ping", "description": "x"})
			g, _ := w.ready(0)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := w.sim.As(w.ann).Slash(ctx, w.general, "ping", nil)
				done <- err
			}()
			if e := g.read(); e.T != "INTERACTION_CREATE" {
				t.Fatalf("got %+v", e)
			}
			c.end(w)
			if c.excuse {
				if err := w.sim.WaitFor(ctx, func(s *discordsim.Server) bool { return s.Gateway().Connections() == 0 }); err != nil {
					t.Fatal(err)
				}
			}
			clock.Advance(4 * time.Second)
			if err := <-done; !errors.Is(err, discordsim.ErrNoAnswer) {
				t.Errorf("%v", err)
			}
			if c.excuse {
				w.clean()
			} else {
				w.violated("no first answer")
			}
		})
	}
}

func TestASessionEndsSomeTimeAfterItsConnection(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock})
	g, d := w.ready(0)
	g.ws.UnderlyingConn().Close()
	if err := w.sim.WaitFor(w.ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	g = w.dial()
	g.read()
	g.send(6, obj{"token": "secret", "session_id": d["session_id"], "seq": 1})
	if e := g.read(); e.Op != 9 || string(e.D) != "false" {
		t.Errorf("got %+v, want op 9 false", e)
	}
	w.clean()
}
