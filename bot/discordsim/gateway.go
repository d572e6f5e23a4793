package discordsim

import (
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// Gateway opcodes.
const (
	opDispatch     = 0
	opHeartbeat    = 1
	opIdentify     = 2
	opPresence     = 3
	opVoice        = 4
	opResume       = 6
	opReconnect    = 7
	opMembers      = 8
	opInvalid      = 9
	opHello        = 10
	opHeartbeatAck = 11
)

// Gateway close codes.
const (
	closeUnknownOp       = 4001
	closeDecode          = 4002
	closeUnauthenticated = 4003
	closeBadToken        = 4004
	closeIdentifiedTwice = 4005
	closeBadSeq          = 4007
	closeRateLimited     = 4008
	closeTimedOut        = 4009
	closeBadShard        = 4010
	closeNeedsShards     = 4011
	closeBadVersion      = 4012
	closeBadIntents      = 4013
	closeDisallowed      = 4014
)

// Gateway intents.
const (
	intentGuilds         = 1 << 0
	intentGuildMembers   = 1 << 1
	intentPresences      = 1 << 8
	intentGuildMessages  = 1 << 9
	intentDirectMessages = 1 << 12
	intentContent        = 1 << 15

	intentsPrivileged = intentGuildMembers | intentPresences | intentContent
	intentsAll        = 1<<26 - 1
)

const (
	maxFrame       = 4096 // bytes that a client may send in one message
	maxSends       = 120  // messages that a client may send in sendWindow
	sendWindow     = time.Minute
	identifyLimit  = 1000  // in 24 h
	maxReplay      = 1000  // dispatches kept for a resume
	maxSessions    = 16    // of each shard
	maxOutgoing    = 10000 // frames waiting for a client that does not read
	closeGrace     = 2 * time.Second
	sessionLife    = 5 * time.Minute // without a connection; Discord publishes no number
	intentsInvalid = ^(intentsAll)
)

// conn is one web socket. Its fields are guarded by the server's mutex.
type conn struct {
	ws     *websocket.Conn
	host   string // that the client asked for
	out    []outgoing
	signal chan struct{} // buffered, size 1
	closed bool          // nothing more goes out
	sess   *session
	sends  []time.Time
}

// outgoing is a frame or an end: a close frame or a reset.
type outgoing struct {
	data   []byte
	close  int // the close code; 0 goes on
	reason string
	reset  bool // breaks the TCP connection
}

// push queues a frame for the writer. The caller holds the server's mutex.
func (c *conn) push(o outgoing) {
	if c.closed {
		return
	}
	if len(c.out) >= maxOutgoing {
		o = outgoing{reset: true}
		c.out = nil
	}
	c.closed = o.close != 0 || o.reset
	c.out = append(c.out, o)
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

func (c *conn) send(op int, d any) {
	data, _ := json.Marshal(map[string]any{"op": op, "d": d, "s": nil, "t": nil})
	c.push(outgoing{data: data})
}

func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	refusing := s.gw.refusing
	s.mu.Unlock()
	if refusing {
		http.Error(w, "no connections now", http.StatusServiceUnavailable)
		return
	}
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &conn{ws: ws, host: r.Host, signal: make(chan struct{}, 1)}
	ws.SetReadLimit(1 << 20)
	q := r.URL.Query()
	s.mu.Lock()
	s.conns[c] = struct{}{}
	switch v, enc := q.Get("v"), q.Get("encoding"); {
	case s.closed:
		c.push(outgoing{close: websocket.CloseGoingAway})
	case v != "9" && v != "10":
		s.kick(c, closeBadVersion, "Invalid API version")
	case enc != "" && enc != "json" || q.Get("compress") != "":
		s.kick(c, closeDecode, "only JSON without transport compression is modelled")
	default:
		c.send(opHello, map[string]any{"heartbeat_interval": s.opts.HeartbeatInterval.Milliseconds()})
	}
	s.mu.Unlock()

	written := make(chan struct{})
	go func() {
		defer close(written)
		s.writeLoop(c)
	}()
	code := s.readLoop(c)

	s.mu.Lock()
	wasOnline := s.online()
	delete(s.conns, c)
	c.closed = true
	select {
	case c.signal <- struct{}{}:
	default:
	}
	if c.sess != nil && c.sess.conn == c {
		c.sess.conn, c.sess.left = nil, s.clock.Now()
		if code == websocket.CloseNormalClosure || code == websocket.CloseGoingAway {
			c.sess.gone = true
		}
	}
	if code != websocket.CloseNormalClosure && code != websocket.CloseGoingAway {
		s.excuseUnanswered() // what was sent may be lost, or the bot's process dead
	}
	if wasOnline && !s.online() {
		s.emit(Event{Kind: EventBot})
	}
	s.wake()
	s.mu.Unlock()
	<-written
	ws.Close()
}

// writeLoop sends what is queued until the connection ends.
func (s *Server) writeLoop(c *conn) {
	for range c.signal {
		s.mu.Lock()
		batch, closed := c.out, c.closed
		c.out = nil
		s.mu.Unlock()
		for _, o := range batch {
			switch {
			case o.reset:
				if tcp, ok := c.ws.NetConn().(*net.TCPConn); ok {
					tcp.SetLinger(0)
				}
				c.ws.NetConn().Close()
				return
			case o.close != 0:
				deadline := time.Now().Add(closeGrace)
				c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(o.close, o.reason), deadline)
				c.ws.SetReadDeadline(deadline) // the client closes its side
				return
			default:
				c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second))
				if c.ws.WriteMessage(websocket.TextMessage, o.data) != nil {
					c.ws.NetConn().Close()
					return
				}
			}
		}
		if closed {
			return
		}
	}
}

// readLoop handles what the client sends and gives the close code it ended with.
func (s *Server) readLoop(c *conn) int {
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil {
			if ce, ok := err.(*websocket.CloseError); ok {
				return ce.Code
			}
			return websocket.CloseAbnormalClosure
		}
		s.mu.Lock()
		if !c.closed {
			s.receive(c, data)
		}
		s.mu.Unlock()
	}
}

// kick closes a connection because the client made a mistake. The caller holds
// s.mu.
func (s *Server) kick(c *conn, code int, reason string) {
	s.violate("gateway: closed with %d: %s", code, reason)
	if c.sess != nil && endsSession(code) {
		c.sess.gone = true
	}
	c.push(outgoing{close: code, reason: reason})
}

// endsSession reports whether a session cannot be resumed after a close code of
// Discord's.
func endsSession(code int) bool {
	return code == closeBadSeq || code == closeTimedOut || code == closeBadToken || code >= closeBadShard && code < 5000
}

// receive handles one message of the client. The caller holds s.mu.
func (s *Server) receive(c *conn, data []byte) {
	now := s.clock.Now()
	c.sends = slices.DeleteFunc(c.sends, func(t time.Time) bool { return now.Sub(t) >= sendWindow })
	c.sends = append(c.sends, now)
	if len(c.sends) > maxSends {
		s.kick(c, closeRateLimited, "You are being rate limited.")
		return
	}
	if len(data) > maxFrame {
		s.kick(c, closeDecode, "Error while decoding payload: more than 4096 bytes.")
		return
	}
	var m struct {
		Op *int            `json:"op"`
		D  json.RawMessage `json:"d"`
	}
	if json.Unmarshal(data, &m) != nil || m.Op == nil {
		s.kick(c, closeDecode, "Error while decoding payload.")
		return
	}
	if c.sess == nil && *m.Op != opHeartbeat && *m.Op != opIdentify && *m.Op != opResume {
		if *m.Op == opPresence || *m.Op == opVoice || *m.Op == opMembers {
			s.kick(c, closeUnauthenticated, "Not authenticated.")
		} else {
			s.kick(c, closeUnknownOp, "Unknown opcode.")
		}
		return
	}
	switch *m.Op {
	case opHeartbeat:
		if !s.gw.deaf {
			c.send(opHeartbeatAck, nil)
		}
	case opIdentify:
		s.identify(c, m.D)
	case opResume:
		s.resume(c, m.D)
	case opPresence, opVoice, opMembers:
		// The bot's presence has no effect here.
	default:
		s.kick(c, closeUnknownOp, "Unknown opcode.")
	}
}
