package discordsim

import (
	"slices"
	"time"
)

// gatewayFaults is the state behind [Gateway].
type gatewayFaults struct {
	deaf       bool          // does not acknowledge heartbeats
	delay      time.Duration // of every dispatch
	holding    bool
	held       []func()
	identifies int
	identified map[int]time.Time // the last IDENTIFY that was let through, by bucket
	refusing   bool              // no new connections
	resumeAt   string            // what READY says, "" for here
}

// disturbed reports whether dispatches are late at the moment.
func (g *gatewayFaults) disturbed() bool { return g.holding || g.delay > 0 }

// Gateway makes the gateway misbehave on demand. It acts on all connections of
// the bot.
type Gateway struct {
	s    *Server
	only func(*conn) bool // nil for all connections
}

// Gateway gives the controls of the gateway.
func (s *Server) Gateway() Gateway { return Gateway{s: s} }

// Shard gives the controls of the connections of one shard; what concerns no
// connection in particular, such as [Gateway.Refuse], still concerns all.
func (g Gateway) Shard(id int) Gateway {
	g.only = func(c *conn) bool { return c.sess != nil && c.sess.shard.id == id }
	return g
}

// Session is a session that is connected.
type Session struct {
	ID           string
	Shard, Count int // its number, from 0, and of how many
}

// Sessions gives the sessions that are connected, oldest first. Those of one shard
// overlap for a while when another process takes over, and all get its events.
func (g Gateway) Sessions() (list []Session) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for _, x := range g.s.sessions {
		if x.conn != nil && !x.conn.closed {
			list = append(list, Session{x.id, x.shard.id, x.shard.count})
		}
	}
	return list
}

func (g Gateway) each(f func(*conn)) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	before := g.s.online()
	for c := range g.s.conns {
		if g.only == nil || g.only(c) {
			f(c)
		}
	}
	if before != g.s.online() {
		g.s.emit(Event{Kind: EventBot})
	}
	g.s.wake()
}

// Reconnect sends op 7: the client has to connect again and resume.
func (g Gateway) Reconnect() {
	g.each(func(c *conn) { c.send(opReconnect, nil) })
}

// InvalidateSession sends op 9. Unless resumable is true, the session ends.
func (g Gateway) InvalidateSession(resumable bool) {
	g.each(func(c *conn) {
		if c.sess != nil {
			// Clients may identify or resume on the same connection.
			c.sess.gone = !resumable
			c.sess.conn, c.sess.left = nil, g.s.clock.Now()
			c.sess = nil
		}
		c.send(opInvalid, resumable)
	})
}

// Close closes the connections with a close code (4000, 4009, 1001, …). Codes
// 4007 and 4009 and the fatal ones also end the session.
func (g Gateway) Close(code int, reason string) {
	g.each(func(c *conn) {
		if c.sess != nil && endsSession(code) {
			c.sess.gone = true
		}
		c.push(outgoing{close: code, reason: reason})
	})
}

// Reset breaks the TCP connections without a close frame.
func (g Gateway) Reset() {
	g.each(func(c *conn) { c.push(outgoing{reset: true}) })
}

// IgnoreHeartbeats stops acknowledging heartbeats, which makes the connection a
// zombie, or starts again.
func (g Gateway) IgnoreHeartbeats(on bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.gw.deaf = on
}

// Refuse lets no new connections in (503), or does again.
func (g Gateway) Refuse(on bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.gw.refusing = on
}

// ResumeAt sets the address for resuming that READY names, such as one where nobody
// listens; "" is the server's own.
func (g Gateway) ResumeAt(address string) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.gw.resumeAt = address
}

// Recommend changes how many shards Discord recommends; see [Options].
func (g Gateway) Recommend(shards int) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.opts.Shards = shards
}

// ReplayLast sends the last event of every session once more, with the same
// sequence number, as happens after a resume.
func (g Gateway) ReplayLast() {
	g.each(func(c *conn) {
		if c.sess != nil && len(c.sess.replay) > 0 {
			c.push(outgoing{data: c.sess.replay[len(c.sess.replay)-1].data})
		}
	})
}

// Delay makes every later event late by d, by the server's clock; 0 ends this.
func (g Gateway) Delay(d time.Duration) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.gw.delay = d
}

// Hold keeps events back until Release.
func (g Gateway) Hold() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.s.gw.holding = true
}

// Held gives the number of events being held back.
func (g Gateway) Held() int {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return len(g.s.gw.held)
}

// Release sends the events that were held back, in reverse order if asked.
func (g Gateway) Release(reverse bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	held := g.s.gw.held
	g.s.gw.held, g.s.gw.holding = nil, false
	if reverse {
		slices.Reverse(held)
	}
	for _, f := range held {
		f()
	}
}

// Identifies gives the number of IDENTIFYs so far. Discord allows 1,000 in a
// day and then resets the bot's token.
func (g Gateway) Identifies() int {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return g.s.gw.identifies
}

// Connections gives the number of open connections, identified or not.
func (g Gateway) Connections() int {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return len(g.s.conns)
}
