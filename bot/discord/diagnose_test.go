package discord

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestDiagnosis(t *testing.T) {
	sim := discordsim.New(discordsim.Options{BotToken: "t"})
	server := httptest.NewServer(sim)
	defer server.Close()
	sim.AddGuild("Club", "de")
	var calls []string
	s := Settings{Token: "t", Base: server.URL, Called: func(route string, status int, took time.Duration) {
		if status != 200 || took <= 0 {
			t.Errorf("%s: %d after %v", route, status, took)
		}
		calls = append(calls, route)
	}}
	r, err := NewREST(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, known := r.Skew(); known {
		t.Error("the clock was compared with nothing")
	}
	info, err := r.GatewayInfo(t.Context())
	if err != nil || info.SessionsLeft < 1 || info.SessionsTotal < info.SessionsLeft || info.SessionsReset <= 0 {
		t.Fatalf("%+v, %v", info, err)
	}
	if skew, known := r.Skew(); !known || skew.Abs() > 2*time.Second {
		t.Errorf("a server on this machine is %v off, %t", skew, known)
	}
	r.noteDate(time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), time.Now())
	if skew, _ := r.Skew(); (skew - time.Hour).Abs() > 2*time.Second {
		t.Errorf("an hour is %v", skew)
	}
	guilds, err := r.Guilds(t.Context())
	if err != nil || len(guilds) != 1 || guilds[0].Name != "Club" || guilds[0].Lacks != nil {
		t.Errorf("%+v, %v", guilds, err)
	}
	if err := Greet(t.Context(), s, info.URL); err != nil {
		t.Error(err)
	}
	if again, err := r.GatewayInfo(t.Context()); err != nil || again.SessionsLeft != info.SessionsLeft {
		t.Errorf("it took a session: %+v, %v", again, err)
	}
	if got := strings.Join(calls, ", "); got != "GET /gateway/bot, GET /users/@me/guilds, GET /users/@me/guilds, GET /gateway/bot" {
		t.Errorf("called %s", got)
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
}

func TestGreetRefuses(t *testing.T) {
	says := func(text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer conn.Close()
			_ = conn.WriteMessage(websocket.TextMessage, []byte(text))
			_, _, _ = conn.ReadMessage()
		}))
		t.Cleanup(s.Close)
		return "ws" + strings.TrimPrefix(s.URL, "http")
	}
	local := Settings{Token: "t", Base: "http://127.0.0.1:1"}
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	for name, tt := range map[string]struct {
		s       Settings
		address string
		want    error
	}{
		"something else": {local, says(`{"op":0}`), ErrNoGreeting},
		"no JSON":        {local, says("hello"), ErrNoGreeting},
		"a page":         {local, "ws" + strings.TrimPrefix(page.URL, "http"), ErrNoGreeting},
		"another host":   {local, "ws://localhost.example:1", ErrForeignHost},
		"not encrypted":  {Settings{Token: "t"}, "ws://gateway.discord.gg", ErrForeignHost},
		"not a host":     {local, "\x00", ErrNoGreeting},
	} {
		if err := Greet(t.Context(), tt.s, tt.address); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Greet(ctx, local, says(`{"op":10}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
