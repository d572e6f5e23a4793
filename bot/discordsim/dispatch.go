package discordsim

import (
	"encoding/json"
	"slices"
)

// dispatch sends an event to the sessions that want it, as the gateway faults
// allow. The caller holds s.mu.
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

// dispatchGuild sends an event of a guild, or of none, to the sessions of its shard
// with the intent.
func (s *Server) dispatchGuild(guildID string, intent int, event string, data map[string]any) {
	s.dispatch(event, data, func(x *session) bool { return x.intents&intent != 0 && x.shard.serves(guildID) })
}

// dispatchMessage sends an event about m to the sessions with its intent. The
// text of other people's messages needs a privileged intent that no session can
// have, so it is left out except in direct messages and where the bot is
// mentioned.
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
	s.dispatchGuild(ch.GuildID, intent, event, data)
}
