package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
)

const botToken = "MTk4NjIy.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"

// gatewayServer is the gateway's side: a script for each connection.
type gatewayServer struct {
	*httptest.Server
	t       *testing.T
	address http.HandlerFunc // answers GET /gateway; nil gives this server's
	upgrade http.HandlerFunc // nil upgrades
	script  func(c *peer, n int)

	mu      sync.Mutex
	conns   int
	ids     int // IDENTIFYs
	resumes int // RESUMEs
}

// peer is one connection as the server sees it.
type peer struct {
	*websocket.Conn
	s   *gatewayServer
	seq int
}

func newGatewayServer(t *testing.T, script func(c *peer, n int)) *gatewayServer {
	s := &gatewayServer{t: t, script: script}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v9/gateway/bot" {
			if s.address != nil {
				s.address(w, r)
				return
			}
			json.NewEncoder(w).Encode(map[string]string{"url": "ws://" + r.Host})
			return
		}
		if s.upgrade != nil {
			s.upgrade(w, r)
			return
		}
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		s.mu.Lock()
		s.conns++
		n := s.conns
		s.mu.Unlock()
		s.script(&peer{Conn: c, s: s}, n)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *gatewayServer) counts() (conns, identifies int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, s.ids
}

func (p *peer) send(format string, args ...any) {
	p.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...))
}

func (p *peer) hello(interval int) { p.send(`{"op":10,"d":{"heartbeat_interval":%d}}`, interval) }

// asked reads an IDENTIFY or a RESUME of the session that ready begins and returns
// its opcode, 0 if neither comes.
func (p *peer) asked() int {
	var m struct {
		Op   int `json:"op"`
		Data struct {
			Token   string `json:"token"`
			Intents *int   `json:"intents"`
			Session string `json:"session_id"`
			Seq     *int   `json:"seq"`
		} `json:"d"`
	}
	if p.ReadJSON(&m) != nil {
		return 0
	}
	if m.Data.Token != "Bot "+botToken && m.Data.Token != botToken {
		p.s.t.Errorf("expected the token, got %+v", m)
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	switch {
	case m.Op == opIdentify && m.Data.Intents != nil && *m.Data.Intents == 0:
		p.s.ids++
	case m.Op == opResume && m.Data.Session == "s" && m.Data.Seq != nil:
		p.s.resumes++
		p.seq = *m.Data.Seq
	default:
		p.s.t.Errorf("expected an IDENTIFY without intents or a RESUME, got %+v", m)
		return 0
	}
	return m.Op
}

func (p *peer) identified() bool { return p.asked() == opIdentify }

func (p *peer) dispatch(kind, data string) {
	p.seq++
	p.send(`{"op":0,"s":%d,"t":%q,"d":%s}`, p.seq, kind, data)
}

func (p *peer) ready() { p.dispatch("READY", `{"session_id":"s","user":{"id":"9"},"guilds":[]}`) }

func (p *peer) click(id string) {
	p.dispatch("INTERACTION_CREATE", `{"id":"`+id+`","token":"t","application_id":"9","type":3,"app_permissions":"0","data":{"custom_id":"1g","component_type":2}}`)
}

// greet starts or resumes a session, as it is asked for.
func (p *peer) greet() bool {
	p.hello(45000)
	switch p.asked() {
	case opIdentify:
		p.ready()
	case opResume:
		p.dispatch("RESUMED", `{}`)
	default:
		return false
	}
	return true
}

// serve answers heartbeats until the connection ends.
func (p *peer) serve() {
	for {
		var m struct {
			Op int `json:"op"`
		}
		if p.ReadJSON(&m) != nil {
			return
		}
		if m.Op == 1 {
			p.send(`{"op":11}`)
		}
	}
}

// close ends the connection with a code and lets the client read it.
func (p *peer) close(code int) {
	p.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, "because"))
	p.drainReads()
}

func (p *peer) drainReads() {
	for {
		if _, _, err := p.ReadMessage(); err != nil {
			return
		}
	}
}

// lines is a log; tests can wait for what it says.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{} // closed and replaced with each line
}

func newLines() *lines { return &lines{more: make(chan struct{})} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.more)
	l.more = make(chan struct{})
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until the log says something.
func (l *lines) await(t *testing.T, what string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		l.mu.Lock()
		more, text := l.more, l.text.String()
		l.mu.Unlock()
		if strings.Contains(text, what) {
			return
		}
		select {
		case <-more:
		case <-limit:
			t.Fatalf("the log never says %q:\n%s", what, text)
		}
	}
}

// testGateway makes a gateway with short times.
func testGateway(t *testing.T, s *gatewayServer, change func(*GatewaySettings)) (*Gateway, *lines) {
	t.Helper()
	log := newLines()
	settings := GatewaySettings{Settings: Settings{Token: botToken, Base: s.URL, Log: slog.New(slog.NewTextHandler(log, nil))}}
	if change != nil {
		change(&settings)
	}
	g, err := NewGateway(settings)
	if err != nil {
		t.Fatal(err)
	}
	g.pace = pace{
		open: 300 * time.Millisecond, resume: 200 * time.Millisecond, healthy: time.Minute, first: 2 * time.Millisecond,
		longest: 20 * time.Millisecond, unreached: 10 * time.Millisecond, farewell: 50 * time.Millisecond,
		known: time.Minute,
	}
	g.identifies.pace = time.Millisecond
	t.Cleanup(func() {
		if strings.Contains(log.String(), botToken) {
			t.Errorf("the log has the token:\n%s", log.String())
		}
	})
	return g, log
}

// run runs a gateway. It returns what stops it, the IDs of handled interactions
// and the result of Run.
func run(t *testing.T, g *Gateway) (stop context.CancelFunc, ids <-chan string, result <-chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan string, 100)
	end := make(chan error, 1)
	go func() {
		end <- g.Run(ctx, func(_ context.Context, req Request, _ error) { got <- req.ID })
	}()
	t.Cleanup(cancel)
	return cancel, got, end
}

func next[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(time.Minute):
		t.Fatalf("nothing came: %s", what)
	}
	return v
}

func TestGatewaySurvives(t *testing.T) {
	// What the first connection does. The second one behaves, so an interaction must
	// come through on it.
	faults := map[string]func(c *peer){
		"a request to reconnect before the session is ready": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.send(`{"op":7}`)
			c.drainReads()
		},
		"a request to reconnect": func(c *peer) {
			c.greet()
			c.send(`{"op":7}`)
			c.drainReads()
		},
		"no session after IDENTIFY": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.drainReads()
		},
		"no greeting": func(c *peer) { c.drainReads() },
		"a refused session that cannot be resumed, before it is ready": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.send(`{"op":9,"d":false}`)
			c.drainReads()
		},
		"a refused session that can be resumed, before it is ready": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.send(`{"op":9,"d":true}`)
			c.drainReads()
		},
		"a session that is refused later": func(c *peer) {
			c.greet()
			c.send(`{"op":9,"d":false}`)
			c.drainReads()
		},
		"a session that is interrupted": func(c *peer) {
			c.greet()
			c.send(`{"op":9,"d":true}`)
			c.drainReads()
		},
		"a close with 1001":       func(c *peer) { c.greet(); c.close(1001) },
		"too many messages":       func(c *peer) { c.greet(); c.close(4008) },
		"an unknown error":        func(c *peer) { c.greet(); c.close(4000) },
		"an invalid sequence":     func(c *peer) { c.greet(); c.close(4007) },
		"a timed out session":     func(c *peer) { c.greet(); c.close(4009) },
		"an early timed out one":  func(c *peer) { c.hello(45000); c.identified(); c.close(4009) },
		"a close without a code":  func(c *peer) { c.greet(); c.WriteMessage(websocket.CloseMessage, nil); c.drainReads() },
		"a reset connection":      func(c *peer) { c.greet(); c.reset() },
		"a reset while it starts": func(c *peer) { c.hello(45000); c.reset() },
		"heartbeats that nobody answers": func(c *peer) {
			c.hello(20)
			c.identified()
			c.ready()
			c.drainReads()
		},
		"a text that is not JSON": func(c *peer) { c.greet(); c.send(`<html>`); c.drainReads() },
		"null":                    func(c *peer) { c.greet(); c.send(`null`); c.drainReads() },
		"null as a greeting":      func(c *peer) { c.send(`null`); c.drainReads() },
		"no time between heartbeats": func(c *peer) {
			c.hello(0)
			c.identified()
			c.ready()
			c.drainReads()
		},
		"a greeting without interval": func(c *peer) { c.send(`{"op":10}`); c.drainReads() },
		"a first message that is not a greeting": func(c *peer) {
			c.ready()
			c.drainReads()
		},
		"a compressed message": func(c *peer) {
			c.greet()
			c.WriteMessage(websocket.BinaryMessage, []byte{0x78, 0x9c})
			c.drainReads()
		},
		"an interaction of null": func(c *peer) {
			c.greet()
			c.dispatch("INTERACTION_CREATE", `null`)
			c.close(4000)
		},
	}
	reasons := map[string]error{
		"a request to reconnect before the session is ready": errReconnect,
		"a request to reconnect":                             errReconnect,
		"heartbeats that nobody answers":                     errSilent,
		"no time between heartbeats":                         errGarbled,
	}
	// After these, Discord has no session to go on with.
	ended := []string{
		"a request to reconnect before the session is ready", "no session after IDENTIFY", "no greeting",
		"a refused session that cannot be resumed, before it is ready", "a refused session that can be resumed, before it is ready",
		"a session that is refused later", "an invalid sequence", "a timed out session", "an early timed out one",
		"a reset while it starts", "null as a greeting", "no time between heartbeats", "a greeting without interval",
		"a first message that is not a greeting",
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGatewayServer(t, func(c *peer, n int) {
				if n == 1 {
					fault(c)
					return
				}
				if c.greet() {
					c.click("1001")
					c.serve()
				}
			})
			g, log := testGateway(t, s, nil)
			stop, ids, end := run(t, g)
			if id := next(t, ids, "the interaction"); id != "1001" {
				t.Errorf("handled %q", id)
			}
			s.mu.Lock()
			resumes := s.resumes
			s.mu.Unlock()
			if new := slices.Contains(ended, name); new == (resumes == 1) {
				t.Errorf("a new session is needed %t; %d RESUMEs", new, resumes)
			}
			if why := reasons[name]; why != nil && !strings.Contains(log.String(), why.Error()) {
				t.Errorf("the log does not say %q:\n%s", why, log)
			}
			stop()
			if err := next(t, end, "the end of Run"); err != nil {
				t.Errorf("Run: %v", err)
			}
		})
	}
}

// reset breaks the connection.
func (p *peer) reset() {
	if c, ok := p.NetConn().(*net.TCPConn); ok {
		c.SetLinger(0)
	}
	p.NetConn().Close()
}

func TestGatewayKeepsConnection(t *testing.T) {
	// None of these may cost the connection.
	for name, oddity := range map[string]func(c *peer){
		"a heartbeat answered before the session is ready": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.send(`{"op":11}`)
			c.ready()
		},
		"a request for a heartbeat": func(c *peer) {
			c.greet()
			c.send(`{"op":1}`)
		},
		"a request for a heartbeat before the session is ready": func(c *peer) {
			c.hello(45000)
			c.identified()
			c.send(`{"op":1}`)
			c.ready()
		},
		"an event of a kind that it does not know": func(c *peer) {
			c.greet()
			c.dispatch("SOMETHING_NEW", `{"a":[1]}`)
		},
		"a message in three frames with a ping between": func(c *peer) {
			c.hello(45000)
			c.identified()
			raw := c.NetConn()
			raw.Write([]byte{0x01, 7})
			raw.Write([]byte(`{"op":0`))
			raw.Write([]byte{0x89, 0})
			raw.Write([]byte{0x00, 22})
			raw.Write([]byte(`,"s":1,"t":"READY","d"`))
			raw.Write([]byte{0x80, 4})
			raw.Write([]byte(`:{}}`))
		},
		"a message of 70,000 bytes": func(c *peer) {
			c.greet()
			c.dispatch("SOMETHING_NEW", `"`+strings.Repeat("x", 70000)+`"`)
		},
		"an event that discordgo cannot read": func(c *peer) {
			c.greet()
			c.dispatch("INTERACTION_CREATE", `{"id":5}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGatewayServer(t, func(c *peer, n int) {
				oddity(c)
				c.click("7")
				c.serve()
			})
			g, log := testGateway(t, s, nil)
			_, ids, _ := run(t, g)
			if id := next(t, ids, "the interaction"); id != "7" {
				t.Errorf("handled %q", id)
			}
			if conns, _ := s.counts(); conns != 1 {
				t.Errorf("%d connections; log:\n%s", conns, log)
			}
		})
	}
}

func TestGatewayGivesUp(t *testing.T) {
	for code, want := range map[int]error{
		4004: ErrBadToken, 4010: ErrSharding, 4011: ErrSharding, 4012: ErrVersion, 4013: ErrIntents, 4014: ErrIntents,
	} {
		for _, when := range []string{"before", "after"} {
			t.Run(fmt.Sprintf("close code %d %s the session is ready", code, when), func(t *testing.T) {
				t.Parallel()
				s := newGatewayServer(t, func(c *peer, n int) {
					c.hello(45000)
					c.identified()
					if when == "after" {
						c.ready()
					}
					c.close(code)
				})
				g, _ := testGateway(t, s, nil)
				_, _, end := run(t, g)
				err := next(t, end, "the end of Run")
				var closed *CloseError
				if !errors.Is(err, want) || !errors.As(err, &closed) || closed.Code != code {
					t.Errorf("Run: %v, want %v", err, want)
				}
				if conns, _ := s.counts(); conns != 1 {
					t.Errorf("%d connections", conns)
				}
			})
		}
	}
	t.Run("a gateway on a foreign host is never reached", func(t *testing.T) {
		s := newGatewayServer(t, func(c *peer, n int) { t.Error("reached") })
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		s.address = func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"url":"ws://localhost:%s"}`, port) // the base says 127.0.0.1
		}
		g, _ := testGateway(t, s, nil)
		_, _, end := run(t, g)
		if err := next(t, end, "the end of Run"); !errors.Is(err, ErrForeignHost) {
			t.Errorf("Run: %v", err)
		}
	})
	t.Run("no token", func(t *testing.T) {
		if _, err := NewGateway(GatewaySettings{}); !errors.Is(err, ErrBadToken) {
			t.Errorf("NewGateway: %v", err)
		}
	})
}

func TestGatewayAddress(t *testing.T) {
	// Twice, this comes in place of the gateway's address; then it works.
	for name, answer := range map[string]http.HandlerFunc{
		"an overloaded server": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"a page of Cloudflare's": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(429)
			fmt.Fprint(w, "<html>"+strings.Repeat("x", 5000))
		},
		"a refusal with an odd header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Reset-After", "soon")
			w.WriteHeader(500)
		},
		"nothing":          func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) },
		"an empty address": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{}`) },
		"a redirection": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.com", http.StatusFound)
		},
		"a refused handshake":    nil,
		"a broken off handshake": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGatewayServer(t, func(c *peer, n int) {
				if c.greet() {
					c.click("1")
					c.serve()
				}
			})
			failed := 0
			fail := func(w http.ResponseWriter, r *http.Request, ok http.HandlerFunc) {
				s.mu.Lock()
				failed++
				again := failed <= 2
				s.mu.Unlock()
				switch {
				case !again:
					ok(w, r)
				case name == "a refused handshake":
					w.WriteHeader(502)
					fmt.Fprint(w, "<html>")
				case name == "a broken off handshake":
					panic(http.ErrAbortHandler)
				default:
					answer(w, r)
				}
			}
			if answer != nil {
				s.address = func(w http.ResponseWriter, r *http.Request) {
					fail(w, r, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"url":"ws://%s"}`, r.Host) })
				}
			} else {
				s.upgrade = func(w http.ResponseWriter, r *http.Request) {
					fail(w, r, func(w http.ResponseWriter, r *http.Request) {
						c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
						if err != nil {
							return
						}
						defer c.Close()
						s.script(&peer{Conn: c, s: s}, 1)
					})
				}
			}
			g, log := testGateway(t, s, nil)
			_, ids, _ := run(t, g)
			next(t, ids, "the interaction")
			if len(log.String()) > 4000 {
				t.Errorf("a log of %d bytes", len(log.String()))
			}
		})
	}
}

func TestGatewayIdentifies(t *testing.T) {
	t.Run("refused sessions are not asked for again on the same connection", func(t *testing.T) {
		const want = 5
		enough := make(chan struct{})
		s := newGatewayServer(t, func(c *peer, n int) {
			c.hello(45000)
			for c.identified() {
				c.send(`{"op":9,"d":false}`)
			}
			if n == want {
				close(enough)
			}
		})
		g, _ := testGateway(t, s, nil)
		stop, _, end := run(t, g)
		next(t, enough, "the connections")
		stop()
		next(t, end, "the end of Run")
		if conns, ids := s.counts(); ids > conns {
			t.Errorf("%d IDENTIFYs on %d connections", ids, conns)
		}
	})
	t.Run("there are no more than the limit, earlier runs included", func(t *testing.T) {
		s := newGatewayServer(t, func(c *peer, n int) {
			c.greet()
			c.close(4009) // the session is over
		})
		var saved [][]time.Time
		old := time.Now().Add(-25 * time.Hour)
		before := []time.Time{old, time.Now().Add(-time.Hour)}
		g, log := testGateway(t, s, func(s *GatewaySettings) {
			s.Identifies = before
			s.SaveIdentifies = func(times []time.Time) { saved = append(saved, times) }
		})
		g.identifies.limit = 3
		stop, _, end := run(t, g)
		log.await(t, "too many sessions")
		stop()
		next(t, end, "the end of Run")
		if _, ids := s.counts(); ids != 2 {
			t.Errorf("%d IDENTIFYs, want 2: the third was an hour ago", ids)
		}
		if before[0] != old {
			t.Error("the caller's times were changed")
		}
		if len(saved) != 2 || len(saved[1]) != 3 {
			t.Errorf("saved %v", saved)
		}
	})
}

func TestGatewayHandlesOnce(t *testing.T) {
	t.Run("an interaction that comes again, also on the next connection", func(t *testing.T) {
		s := newGatewayServer(t, func(c *peer, n int) {
			c.greet()
			c.click("5")
			c.click("5")
			if n == 1 {
				c.close(4000)
				return
			}
			c.click("6")
			c.serve()
		})
		g, _ := testGateway(t, s, nil)
		stop, ids, end := run(t, g)
		seen := map[string]int{}
		for seen["6"] == 0 {
			seen[next(t, ids, "the interactions")]++
		}
		stop()
		next(t, end, "the end of Run") // and of the handlers
		for len(ids) > 0 {
			seen[<-ids]++
		}
		if d := cmp.Diff(map[string]int{"5": 1, "6": 1}, seen); d != "" {
			t.Errorf("handled (-want +got):\n%s", d)
		}
	})
}

func TestGatewayHandlers(t *testing.T) {
	clicks := func(ids ...string) func(c *peer, n int) {
		return func(c *peer, n int) {
			c.greet()
			for _, id := range ids {
				c.click(id)
			}
			c.serve()
		}
	}
	t.Run("those that run may end after the gateway's context", func(t *testing.T) {
		s := newGatewayServer(t, clicks("1"))
		g, _ := testGateway(t, s, nil)
		begun, release := make(chan struct{}), make(chan struct{})
		var cut error
		ctx, stop := context.WithCancel(t.Context())
		end := make(chan error, 1)
		go func() {
			end <- g.Run(ctx, func(ctx context.Context, _ Request, _ error) {
				close(begun)
				<-release
				cut = ctx.Err()
			})
		}()
		next(t, begun, "the handler's begin")
		stop()
		select {
		case <-end:
			t.Error("Run ended before its handler")
		default:
		}
		close(release)
		if err := next(t, end, "the end of Run"); err != nil || cut != nil {
			t.Errorf("Run: %v; the handler's context: %v", err, cut)
		}
	})
	t.Run("those that never end are cut short", func(t *testing.T) {
		s := newGatewayServer(t, clicks("1"))
		g, _ := testGateway(t, s, func(s *GatewaySettings) { s.Drain = 20 * time.Millisecond })
		begun := make(chan struct{})
		ctx, stop := context.WithCancel(t.Context())
		end := make(chan error, 1)
		go func() {
			end <- g.Run(ctx, func(ctx context.Context, _ Request, _ error) {
				close(begun)
				<-ctx.Done()
			})
		}()
		next(t, begun, "the handler's begin")
		stop()
		next(t, end, "the end of Run")
	})
}

func TestGatewayTellsWhenASessionRuns(t *testing.T) {
	up := make(chan struct{}) // closed when the first connection may be lost
	s := newGatewayServer(t, func(c *peer, n int) {
		c.greet()
		if n == 1 {
			<-up
			c.close(4000)
			return
		}
		c.serve()
	})
	began := make(chan bool, 10)
	told := sync.OnceFunc(func() { close(up) })
	g, _ := testGateway(t, s, func(s *GatewaySettings) { s.Began = func(resumed bool) { began <- resumed; told() } })
	if n, _ := g.Connected(); n != 0 {
		t.Error("connected before it runs")
	}
	stop, _, end := run(t, g)
	for i, want := range []bool{false, true} {
		if got := next(t, began, "a beginning"); got != want {
			t.Errorf("beginning %d: resumed %t", i, got)
		}
	}
	if n, of := g.Connected(); n != 1 || of != 1 {
		t.Error("not connected")
	}
	stop()
	next(t, end, "the end of Run")
	if n, _ := g.Connected(); n != 0 {
		t.Error("connected after the end")
	}
}

func TestGatewayStartsAnewWhereASessionCannotBeResumed(t *testing.T) {
	for name, refuse := range map[string]func(c *peer){
		"Discord refuses it":     func(c *peer) { c.send(`{"op":9,"d":false}`); c.drainReads() },
		"Discord never answers":  func(c *peer) { c.drainReads() },
		"its events are garbled": func(c *peer) { c.send(`{`); c.drainReads() },
		"its number is unknown":  func(c *peer) { c.close(4007) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGatewayServer(t, func(c *peer, n int) {
				if n == 1 {
					c.greet()
					c.close(4000)
					return
				}
				c.hello(45000)
				if c.asked() == opResume {
					refuse(c)
					return
				}
				c.ready()
				c.click("1001")
				c.serve()
			})
			g, _ := testGateway(t, s, nil)
			stop, ids, end := run(t, g)
			next(t, ids, "the interaction")
			stop()
			next(t, end, "the end of Run")
			if _, n := s.counts(); n != 2 || s.resumes > maxAsked {
				t.Errorf("%d IDENTIFYs, %d RESUMEs", n, s.resumes)
			}
		})
	}
}

func TestGatewayWaitsWhenDiscordAllowsNoMoreSessions(t *testing.T) {
	s := newGatewayServer(t, func(c *peer, n int) { t.Error("connected") })
	s.address = func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"url":"ws://%s","session_start_limit":{"total":1000,"remaining":0,"reset_after":3600000}}`, r.Host)
	}
	g, log := testGateway(t, s, nil)
	stop, _, end := run(t, g)
	log.await(t, "allows no more sessions")
	stop()
	next(t, end, "the end of Run")
}
