package discordsim

import "github.com/lascabot/lascabot/bot/discordsim/check"

// Users gives everybody: the bot, then the others in the order in which they were
// added.
func (s *Server) Users() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]User, 0, len(s.userOrder))
	for _, id := range s.userOrder {
		out = append(out, *s.users[id])
	}
	return out
}

// Guilds gives all guilds, oldest first.
func (s *Server) Guilds() []Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Guild, 0, len(s.guildOrder))
	for _, id := range s.guildOrder {
		out = append(out, s.guilds[id].Guild)
	}
	return out
}

// Channels gives the channels that the viewer can see (all of them for ""),
// oldest first; threads and direct messages are among them.
func (s *Server) Channels(viewerID string) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Channel
	for _, id := range s.channelOrder {
		ch := s.channels[id]
		if viewerID == "" || s.permissions(ch, viewerID).Has(ViewChannel) {
			out = append(out, ch.Channel)
		}
	}
	return out
}

// Messages gives what the viewer sees in a channel, oldest first: public messages
// and the viewer's own ephemeral ones. The viewer "" sees everything, including
// everybody's ephemeral messages.
func (s *Server) Messages(viewerID, channelID string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil || viewerID != "" && !s.permissions(ch, viewerID).Has(ViewChannel) {
		return nil
	}
	out := make([]Message, 0, len(ch.messages))
	for _, m := range ch.messages {
		if m.visibleTo(viewerID) {
			out = append(out, m.view())
		}
	}
	return out
}

// Message gives one message as the viewer sees it; false if it does not exist or
// the viewer cannot see it.
func (s *Server) Message(viewerID, channelID, messageID string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil || viewerID != "" && !s.permissions(ch, viewerID).Has(ViewChannel) {
		return Message{}, false
	}
	if m := ch.find(messageID); m != nil && m.visibleTo(viewerID) {
		return m.view(), true
	}
	return Message{}, false
}

// Commands gives the registered commands: the global ones and, with a guild ID,
// that guild's as well.
func (s *Server) Commands(guildID string) []check.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []check.Command
	for _, c := range s.commands {
		if c.GuildID == "" || c.GuildID == guildID {
			out = append(out, *c)
		}
	}
	return out
}
