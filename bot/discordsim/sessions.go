package discordsim

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// session is a gateway session; it outlives its connections.
type session struct {
	id      string
	seq     int64
	replay  []frame
	conn    *conn // nil while disconnected
	shard   shard
	intents int
	gone    bool      // cannot be resumed
	left    time.Time // when it lost its connection
}

// shard is the part of the guilds that a session serves.
type shard struct{ id, count int }

// serves reports whether events of a guild go to the shard. Those without a guild, as
// in direct messages, go to the first.
func (x shard) serves(guildID string) bool {
	if guildID == "" {
		return x.id == 0
	}
	id, _ := strconv.ParseUint(guildID, 10, 64)
	return int(id>>22%uint64(x.count)) == x.id
}

type frame struct {
	seq  int64
	data []byte
}

func (s *Server) goodToken(token string) bool {
	token = strings.TrimPrefix(token, "Bot ")
	return token != "" && (s.opts.BotToken == "" || token == s.opts.BotToken)
}

// identification is what IDENTIFY says.
type identification struct {
	Token      string         `json:"token"`
	Properties map[string]any `json:"properties"`
	Intents    *int           `json:"intents"`
	Shard      []int          `json:"shard"`
}

func (s *Server) identify(c *conn, d json.RawMessage) {
	var p identification
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
	if code, reason := s.refuses(p); code != 0 {
		s.kick(c, code, reason)
		return
	}
	x := p.shard()
	now, bucket := s.clock.Now(), x.id%s.opts.MaxConcurrency
	last, any := s.gw.identified[bucket]
	if since := now.Sub(last); any && since < s.opts.IdentifyEvery {
		s.log.Debug("refused an IDENTIFY too soon after another", "since", since)
		if x.count > 1 { // a client with one shard may not know of the other session
			s.violate("gateway: shard %d identified %v after another of bucket %d", x.id, since, bucket)
		}
		c.send(opInvalid, false)
		s.wake()
		return
	}
	s.gw.identified[bucket] = now
	s.ready(c, *p.Intents, x)
}

// refuses gives the close code for an identification that Discord refuses, 0
// for a good one.
func (s *Server) refuses(p identification) (code int, reason string) {
	switch {
	case !s.goodToken(p.Token):
		return closeBadToken, "Authentication failed."
	case p.Intents == nil || *p.Intents&intentsInvalid != 0:
		return closeBadIntents, "Invalid intent(s)."
	case *p.Intents&intentsPrivileged != 0:
		return closeDisallowed, "Disallowed intent(s)."
	case p.Shard != nil && (len(p.Shard) != 2 || p.Shard[0] < 0 || p.Shard[0] >= p.Shard[1]):
		return closeBadShard, "Invalid shard."
	case len(s.guildsOf(p.shard())) > s.opts.ShardGuilds:
		return closeNeedsShards, "Sharding required."
	}
	return 0, ""
}

// shard gives the shard that a well-formed identification names; without one, it is for
// all guilds.
func (p *identification) shard() shard {
	if p.Shard == nil {
		return shard{0, 1}
	}
	return shard{p.Shard[0], p.Shard[1]}
}

// guildsOf gives the guilds of the bot that a shard serves.
func (s *Server) guildsOf(x shard) (ids []string) {
	for _, id := range s.guildOrder {
		if s.guilds[id].Members[s.botID] != nil && x.serves(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ready begins a session: READY, then one GUILD_CREATE for each guild of the bot
// if it asked for them.
func (s *Server) ready(c *conn, intents int, x shard) {
	wasOnline := s.online()
	sess := &session{id: "session-" + s.newID(), conn: c, shard: x, intents: intents}
	c.sess = sess
	s.sessions = slices.DeleteFunc(s.sessions, func(x *session) bool { return x.gone && x.conn == nil })
	s.sessions = append(s.sessions, sess)
	if n := len(s.sessions); n > maxSessions*x.count {
		// Forget the oldest that is not connected.
		if i := slices.IndexFunc(s.sessions, func(x *session) bool { return x.conn == nil }); i >= 0 {
			s.sessions = slices.Delete(s.sessions, i, i+1)
		}
	}
	guilds := []any{}
	of := s.guildsOf(x)
	for _, id := range of {
		guilds = append(guilds, map[string]any{"id": id, "unavailable": true})
	}
	s.deliver(sess, "READY", map[string]any{
		"v": 9, "user": s.userJSON(s.users[s.botID]), "guilds": guilds, "session_id": sess.id,
		"resume_gateway_url": cmp.Or(s.gw.resumeAt, "ws://"+c.host+"/gateway"), "shard": []int{x.id, x.count},
		"application":      map[string]any{"id": s.appID, "flags": 0},
		"private_channels": []any{}, "session_type": "normal",
	})
	if intents&intentGuilds != 0 {
		for _, id := range of {
			if g := s.guilds[id]; g.outage {
				s.deliver(sess, "GUILD_CREATE", map[string]any{"id": id, "unavailable": true})
			} else {
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
	i := slices.IndexFunc(s.sessions, func(x *session) bool {
		return x.id == p.SessionID && !x.gone && (x.conn != nil || s.clock.Now().Sub(x.left) < sessionLife)
	})
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

// online reports whether a bot is connected and identified. The caller holds s.mu.
func (s *Server) online() bool {
	return slices.ContainsFunc(s.sessions, func(x *session) bool { return x.conn != nil && !x.conn.closed })
}

// listens reports whether a bot is connected that hears of a guild, or of direct
// messages for "". The caller holds s.mu.
func (s *Server) listens(guildID string) bool {
	return slices.ContainsFunc(s.sessions, func(x *session) bool {
		return x.conn != nil && !x.conn.closed && x.shard.serves(guildID)
	})
}

// BotOnline reports whether a bot is connected to the gateway and identified.
func (s *Server) BotOnline() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.online()
}
