package discordsim

import (
	"slices"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

func (s *Server) newMessage(ch *channel, author User) *message {
	return &message{Message: Message{ChannelID: ch.ID, GuildID: ch.GuildID, Author: author}}
}

// fill writes a checked body into m; an edit changes only what it names.
func (s *Server) fill(m *message, in *check.Message, editing bool) {
	if in.HasContent || !editing {
		m.Content = in.Content
	}
	if in.HasComponents || !editing {
		m.Components = in.Components
	}
	if in.HasFlags || !editing {
		const settable = check.FlagSuppressEmbeds | check.FlagComponentsV2
		m.Flags = m.Flags&^settable | in.Flags&settable
		if !editing {
			m.Flags |= in.Flags & check.FlagSuppressNotification
		}
	}
	before := m.Attachments
	var now []Attachment
	for _, a := range in.Attachments {
		if a.File != nil {
			now = append(now, s.putBlob(m.ChannelID, a))
			continue
		}
		i := slices.IndexFunc(before, func(x Attachment) bool { return x.ID == a.ID })
		kept := before[i]
		if a.Description != nil {
			kept.Description = *a.Description
		}
		now = append(now, kept)
	}
	m.Attachments = now
	for _, a := range before {
		if !slices.ContainsFunc(now, func(x Attachment) bool { return x.ID == a.ID }) {
			s.retireBlob(a.ID)
		}
	}
}

// post adds a new message to its channel, notifies people and announces it. The
// caller holds s.mu and has filled m.
func (s *Server) post(ch *channel, m *message, am *check.Mentions, webhook bool) {
	if m.ID == "" {
		m.ID = s.newID()
	}
	m.CreatedAt = s.clock.Now()
	ch.messages = append(ch.messages, m)
	for len(ch.messages) > s.opts.MaxMessages {
		s.forgetBlobs(ch.messages[0])
		ch.messages = slices.Delete(ch.messages, 0, 1)
	}
	if ch.Archived { // whoever could write here opens the thread again
		s.setThread(ch, false, ch.Locked)
	}
	s.ping(ch, m, am, webhook)
	s.record(recMessage, m)
	s.emitMessage(EventMessageCreate, m)
	s.emitPings(m)
	if m.EphemeralFor == "" {
		s.dispatchMessage(ch, "MESSAGE_CREATE", m)
	}
}

// messageChanged announces a change of m. The caller holds s.mu.
func (s *Server) messageChanged(ch *channel, m *message) {
	s.record(recMessage, m)
	s.emitMessage(EventMessageUpdate, m)
	if m.EphemeralFor == "" {
		s.dispatchMessage(ch, "MESSAGE_UPDATE", m)
	}
}

// remove deletes m. The caller holds s.mu.
func (s *Server) remove(ch *channel, m *message) {
	ch.messages = slices.DeleteFunc(ch.messages, func(x *message) bool { return x == m })
	s.forgetBlobs(m)
	s.record(recMessageGone, goneMessage{ch.ID, m.ID})
	s.emitMessage(EventMessageDelete, m)
	if m.EphemeralFor == "" {
		s.dispatchMessage(ch, "MESSAGE_DELETE", m)
	}
}
