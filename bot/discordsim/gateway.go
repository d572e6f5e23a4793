package discordsim

import (
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
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
	identifyLimit  = 1000 // in 24 h
	maxReplay      = 1000 // dispatches kept for a resume
	maxSessions    = 16
	maxOutgoing    = 10000 // frames waiting for a client that does not read
	closeGrace     = 2 * time.Second
	intentsInvalid = ^(intentsAll)
)

// session is a gateway session; it outlives its connections.
type session struct {
	id      string
	seq     int64
	replay  []frame
	conn    *conn // nil while disconnected
	intents int
	gone    bool // cannot be resumed
}

type frame struct {
	seq  int64
	data []byte
}

// conn is one web socket. Its fields are guarded by the server's mutex.
type conn struct {
	ws     *websocket.Conn
	out    []outgoing
	signal chan struct{} // buffered, size 1
	closed bool          // nothing more goes out
	sess   *session
	sends  []time.Time
	beat   Timer // closes the connection unless the client says something first
}

// outgoing is a frame or an end: a close frame or a reset.
type outgoing struct {
	data   []byte
	close  int
	reason string
	reset  bool
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
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &conn{ws: ws, signal: make(chan struct{}, 1)}
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
		s.expectHeartbeat(c)
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
	if c.beat != nil {
		c.beat.Stop()
	}
	select {
	case c.signal <- struct{}{}:
	default:
	}
	if c.sess != nil && c.sess.conn == c {
		c.sess.conn = nil
		if code == websocket.CloseNormalClosure || code == websocket.CloseGoingAway {
			c.sess.gone = true
		}
	}
	if code != websocket.CloseNormalClosure && code != websocket.CloseGoingAway {
		s.excuseUnanswered() // what was sent may be lost, and the bot's process dead
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

// expectHeartbeat gives the client two intervals for its next heartbeat, and
// closes the connection when none comes. The caller holds s.mu.
func (s *Server) expectHeartbeat(c *conn) {
	if !s.opts.CloseSilent {
		return
	}
	if c.beat != nil {
		c.beat.Stop()
	}
	c.beat = s.clock.AfterFunc(2*s.opts.HeartbeatInterval, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !c.closed {
			s.kick(c, closeTimedOut, "Session timed out: no heartbeat.")
		}
	})
}

// kick closes a connection because of a mistake of the client. The caller holds s.mu.
func (s *Server) kick(c *conn, code int, reason string) {
	s.violate("gateway: closed with %d: %s", code, reason)
	if c.sess != nil && (code == closeBadSeq || code == closeTimedOut || code == closeBadToken || code >= closeBadShard) {
		c.sess.gone = true
	}
	c.push(outgoing{close: code, reason: reason})
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
		s.expectHeartbeat(c)
		if !s.gw.deaf {
			c.send(opHeartbeatAck, nil)
		}
	case opIdentify:
		s.identify(c, m.D)
	case opResume:
		s.resume(c, m.D)
	case opPresence, opVoice, opMembers:
		// Nobody looks at a bot's presence here.
	default:
		s.kick(c, closeUnknownOp, "Unknown opcode.")
	}
}

func (s *Server) goodToken(token string) bool {
	token = strings.TrimPrefix(token, "Bot ")
	return token != "" && (s.opts.BotToken == "" || token == s.opts.BotToken)
}

func (s *Server) identify(c *conn, d json.RawMessage) {
	var p struct {
		Token      string         `json:"token"`
		Properties map[string]any `json:"properties"`
		Intents    *int           `json:"intents"`
		Shard      []int          `json:"shard"`
	}
	if json.Unmarshal(d, &p) != nil || p.Properties == nil {
		s.kick(c, closeDecode, "Error while decoding payload.")
		return
	}
	if c.sess != nil {
		s.kick(c, closeIdentifiedTwice, "Already authenticated.")
		return
	}
	s.gw.identifies++
	if s.gw.identifies == identifyLimit+1 {
		s.violate("gateway: more than %d IDENTIFYs; Discord would reset the token", identifyLimit)
	}
	switch {
	case !s.goodToken(p.Token):
		s.kick(c, closeBadToken, "Authentication failed.")
		return
	case p.Intents == nil || *p.Intents&intentsInvalid != 0:
		s.kick(c, closeBadIntents, "Invalid intent(s).")
		return
	case *p.Intents&intentsPrivileged != 0:
		s.kick(c, closeDisallowed, "Disallowed intent(s).")
		return
	case p.Shard != nil && (len(p.Shard) != 2 || p.Shard[0] != 0 || p.Shard[1] != 1):
		// All guilds are in one shard; discordgo always names [0, 1].
		s.kick(c, closeBadShard, "Invalid shard.")
		return
	}
	now := s.clock.Now()
	if s.opts.IdentifyEvery > 0 && !s.gw.identified.IsZero() && now.Sub(s.gw.identified) < s.opts.IdentifyEvery {
		// The client may know of no other session, so this is no violation.
		s.log.Debug("IDENTIFY too soon after another", "since", now.Sub(s.gw.identified))
		c.send(opInvalid, false)
		s.wake()
		return
	}
	s.gw.identified = now
	if s.gw.mute {
		s.wake()
		return
	}
	wasOnline := s.online()
	sess := &session{id: "session-" + s.newID(), conn: c, intents: *p.Intents}
	c.sess = sess
	s.sessions = slices.DeleteFunc(s.sessions, func(x *session) bool { return x.gone && x.conn == nil })
	s.sessions = append(s.sessions, sess)
	if n := len(s.sessions); n > maxSessions {
		// Forget the oldest that is not connected.
		if i := slices.IndexFunc(s.sessions, func(x *session) bool { return x.conn == nil }); i >= 0 {
			s.sessions = slices.Delete(s.sessions, i, i+1)
		}
	}
	guilds := []any{}
	for _, id := range s.guildOrder {
		if s.guilds[id].Members[s.botID] != nil {
			guilds = append(guilds, map[string]any{"id": id, "unavailable": true})
		}
	}
	s.deliver(sess, "READY", map[string]any{
		"v": 9, "user": s.userJSON(s.users[s.botID]), "guilds": guilds, "session_id": sess.id,
		"resume_gateway_url": "ws://" + c.ws.LocalAddr().String() + "/gateway", "shard": []int{0, 1},
		"application":      map[string]any{"id": s.appID, "flags": 0},
		"private_channels": []any{}, "session_type": "normal",
	})
	if sess.intents&intentGuilds != 0 {
		for _, id := range s.guildOrder {
			switch g := s.guilds[id]; {
			case g.Members[s.botID] == nil:
			case g.outage:
				s.deliver(sess, "GUILD_CREATE", map[string]any{"id": id, "unavailable": true})
			default:
				s.deliver(sess, "GUILD_CREATE", s.guildCreateJSON(g))
			}
		}
	}
	if !wasOnline {
		s.emit(Event{Kind: EventBot})
	}
	s.wake()
}

func (s *Server) resume(c *conn, d json.RawMessage) {
	var p struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       *int64 `json:"seq"`
	}
	if json.Unmarshal(d, &p) != nil || p.Seq == nil {
		s.kick(c, closeDecode, "Error while decoding payload.")
		return
	}
	if c.sess != nil {
		s.kick(c, closeIdentifiedTwice, "Already authenticated.")
		return
	}
	if !s.goodToken(p.Token) {
		s.kick(c, closeBadToken, "Authentication failed.")
		return
	}
	i := slices.IndexFunc(s.sessions, func(x *session) bool { return x.id == p.SessionID && !x.gone })
	if i < 0 {
		c.send(opInvalid, false)
		return
	}
	sess := s.sessions[i]
	if *p.Seq > sess.seq || *p.Seq < 0 {
		c.sess = sess
		s.kick(c, closeBadSeq, "Invalid seq.")
		return
	}
	if len(sess.replay) > 0 && *p.Seq < sess.replay[0].seq-1 {
		sess.gone = true // too much was missed
		c.send(opInvalid, false)
		return
	}
	if s.gw.mute {
		return
	}
	wasOnline := s.online()
	if old := sess.conn; old != nil {
		old.push(outgoing{close: websocket.CloseNormalClosure, reason: "session resumed elsewhere"})
		old.sess = nil
	}
	sess.conn, c.sess = c, sess
	for _, f := range sess.replay {
		if f.seq > *p.Seq {
			c.push(outgoing{data: f.data})
		}
	}
	s.deliver(sess, "RESUMED", map[string]any{})
	if !wasOnline {
		s.emit(Event{Kind: EventBot})
	}
	s.wake()
}

// online says whether a bot is connected and identified. The caller holds s.mu.
func (s *Server) online() bool {
	return slices.ContainsFunc(s.sessions, func(x *session) bool { return x.conn != nil && !x.conn.closed })
}

// BotOnline says whether a bot is connected to the gateway and identified.
func (s *Server) BotOnline() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.online()
}

// dispatch sends an event to the sessions that want it, as far as the gateway
// faults let it through. The caller holds s.mu.
func (s *Server) dispatch(event string, data any, want func(*session) bool) {
	raw, err := json.Marshal(data)
	if err != nil {
		s.violate("internal: %s cannot be written: %v", event, err)
		return
	}
	now := func() {
		for _, sess := range s.sessions {
			if !sess.gone && want(sess) {
				s.deliver(sess, event, json.RawMessage(raw))
			}
		}
	}
	switch {
	case s.gw.holding:
		s.gw.held = append(s.gw.held, now)
		s.wake()
	case s.gw.delay > 0:
		s.clock.AfterFunc(s.gw.delay, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if !s.closed {
				now()
			}
		})
	default:
		now()
	}
}

// deliver sends one event to one session and keeps it for a resume.
func (s *Server) deliver(sess *session, event string, data any) {
	sess.seq++
	raw, _ := json.Marshal(map[string]any{"op": opDispatch, "t": event, "s": sess.seq, "d": data})
	sess.replay = append(sess.replay, frame{sess.seq, raw})
	if n := len(sess.replay) - maxReplay; n > 0 {
		sess.replay = slices.Delete(sess.replay, 0, n)
	}
	if sess.conn != nil {
		sess.conn.push(outgoing{data: raw})
	}
}

func (s *Server) dispatchGuild(intent int, event string, data map[string]any) {
	s.dispatch(event, data, func(x *session) bool { return x.intents&intent != 0 })
}

// dispatchMessage tells sessions with a message intent. The text of other
// people's messages needs a privileged intent that no session has, so it is
// left out except in direct messages and where the bot is mentioned.
func (s *Server) dispatchMessage(ch *channel, event string, m *message) {
	if !s.permissions(ch, s.botID).Has(ViewChannel) {
		return
	}
	intent := intentGuildMessages
	if ch.Type == DMChannel {
		intent = intentDirectMessages
	}
	var data map[string]any
	if event == "MESSAGE_DELETE" {
		data = map[string]any{"id": m.ID, "channel_id": m.ChannelID}
	} else {
		data = s.messageJSON(m)
		if ch.Type != DMChannel && m.Author.ID != s.botID && !slices.Contains(m.Mentioned, s.botID) {
			data["content"] = ""
		}
		if g := s.guilds[ch.GuildID]; g != nil {
			data["member"] = s.memberJSON(g, m.Author.ID)
		}
	}
	if ch.GuildID != "" {
		data["guild_id"] = ch.GuildID
	}
	s.dispatchGuild(intent, event, data)
}
