package discordsim

import (
	"regexp"
	"slices"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

var (
	userMention     = regexp.MustCompile(`<@!?([0-9]{1,20})>`)
	everyoneMention = regexp.MustCompile(`@(everyone|here)`)
)

// ping computes whom a message notifies, from its text and allowed_mentions:
// without them a plain message may notify anybody, an answer to an interaction
// users only. Mentions in code are text. People who cannot see the channel are
// not notified; ephemeral and silent messages notify nobody.
func (s *Server) ping(ch *channel, m *message, am *check.Mentions, webhook bool) {
	if am == nil {
		am = &check.Mentions{Users: true, Everyone: !webhook}
	}
	m.Pings, m.PingsEveryone, m.Mentioned = nil, false, nil
	text := m.Content
	check.Walk(m.Components, func(c *check.Component) {
		if c.Type == check.TextDisplay {
			text += "\n" + c.Content
		}
	})
	text = check.WithoutCode(text)
	for _, hit := range userMention.FindAllStringSubmatch(text, -1) {
		id := hit[1]
		if s.users[id] == nil || slices.Contains(m.Mentioned, id) || !am.Users && !slices.Contains(am.UserIDs, id) {
			continue
		}
		m.Mentioned = append(m.Mentioned, id)
		if s.permissions(ch, id).Has(ViewChannel) && id != m.Author.ID {
			m.Pings = append(m.Pings, id)
		}
	}
	if am.Everyone && everyoneMention.MatchString(text) && ch.GuildID != "" &&
		s.permissions(ch, m.Author.ID).Has(MentionEveryone) {
		m.PingsEveryone = true
	}
	if m.EphemeralFor != "" || m.Flags&check.FlagSuppressNotification != 0 {
		m.Pings, m.PingsEveryone = nil, false
	}
}

// emitPings tells the subscribers whom m notified. The caller holds s.mu.
func (s *Server) emitPings(m *message) {
	targets := m.Pings
	if m.PingsEveryone {
		if ch := s.channels[m.ChannelID]; ch != nil {
			for _, id := range s.guilds[ch.GuildID].order {
				if id != m.Author.ID && !slices.Contains(targets, id) && s.permissions(ch, id).Has(ViewChannel) {
					targets = append(targets[:len(targets):len(targets)], id)
				}
			}
		}
	}
	for _, id := range targets {
		s.emit(Event{Kind: EventMention, ChannelID: m.ChannelID, MessageID: m.ID, UserID: id})
	}
}
