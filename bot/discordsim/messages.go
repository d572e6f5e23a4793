package discordsim

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

// message is a Message with what only the server knows.
type message struct {
	Message
	// Mentioned are the users (IDs) in the "mentions" of the wire form.
	Mentioned []string
	Nonce     string
	// LateEdits are the times of edits made when the message was over an hour old.
	LateEdits []time.Time
	// Hidden is set when the owner dismissed an ephemeral message.
	Hidden bool
}

func (m *message) visibleTo(viewer string) bool {
	return viewer == "" || m.EphemeralFor == "" || m.EphemeralFor == viewer && !m.Hidden
}

// view gives a copy that shares nothing with m that either side would change:
// the slices inside a message are replaced, never written to.
func (m *message) view() Message {
	c := m.Message
	c.Components = cloneComponents(c.Components)
	c.Attachments = slices.Clone(c.Attachments)
	c.Pings = slices.Clone(c.Pings)
	return c
}

func cloneComponents(list []Component) []Component {
	out := slices.Clone(list)
	for i := range out {
		p := &out[i]
		p.Components = cloneComponents(p.Components)
		p.Options = slices.Clone(p.Options)
		p.Items = slices.Clone(p.Items)
		if p.Accessory != nil {
			c := cloneComponents([]Component{*p.Accessory})
			p.Accessory = &c[0]
		}
		if p.Component != nil {
			c := cloneComponents([]Component{*p.Component})
			p.Component = &c[0]
		}
	}
	return out
}

// fill writes a checked body into m: the given keys only when editing.
// Everything is checked before, so nothing can fail here.
func (s *Server) fill(m *message, in *messageInput, files []upload, editing bool) {
	if in.hasContent || !editing {
		m.Content = in.content
	}
	if in.hasComps || !editing {
		m.Components = in.components
	}
	if in.hasEmbeds || !editing {
		m.Embeds = in.embeds
	}
	if in.hasFlags || !editing {
		settable := FlagSuppressEmbeds | FlagComponentsV2
		m.Flags = m.Flags&^settable | in.flags&settable
		if !editing {
			m.Flags |= in.flags & FlagSuppressNotification
		}
	}
	before := m.Attachments
	var now []Attachment
	for _, a := range in.attachments {
		if a.n >= 0 {
			i := slices.IndexFunc(files, func(u upload) bool { return u.n == a.n })
			now = append(now, s.putBlob(m.ChannelID, files[i], a))
			continue
		}
		i := slices.IndexFunc(before, func(x Attachment) bool { return x.ID == a.id })
		kept := before[i]
		if a.description != nil {
			kept.Description = *a.description
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

// post adds a new message to its channel, notifies people and tells everybody.
// The caller holds s.mu and has filled m.
func (s *Server) post(ch *channel, m *message, am *allowedMentions, webhook bool) {
	m.ID = s.newID()
	m.CreatedAt = s.clock.Now()
	ch.messages = append(ch.messages, m)
	for len(ch.messages) > s.opts.MaxMessages {
		s.forgetBlobs(ch.messages[0])
		ch.messages = slices.Delete(ch.messages, 0, 1)
	}
	if ch.Archived && !ch.Locked {
		s.setThread(ch, false, false) // writing reopens a thread
	}
	s.ping(ch, m, am, webhook)
	s.record(recMessage, m)
	s.emitMessage(EventMessageCreate, m)
	s.emitPings(m)
	if m.EphemeralFor == "" {
		s.dispatchMessage(ch, "MESSAGE_CREATE", m)
	}
}

// changed tells everybody about a change of m. The caller holds s.mu.
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

var (
	userMention     = regexp.MustCompile(`<@!?([0-9]{1,20})>`)
	everyoneMention = regexp.MustCompile(`@(everyone|here)`)
	codeSpan        = regexp.MustCompile("(?s)```.*?```|``.+?``|`[^`]+`")
)

// ping computes whom a message notifies, from its text and allowed_mentions:
// without them a plain message may notify anybody, an answer to an interaction
// users only. Mentions in code are text. Nobody is notified who cannot see the
// channel; ephemeral and silent messages notify nobody.
func (s *Server) ping(ch *channel, m *message, am *allowedMentions, webhook bool) {
	if am == nil {
		am = &allowedMentions{users: true, everyone: !webhook, repliedUser: true}
	}
	m.Pings, m.PingsEveryone, m.Mentioned = nil, false, nil
	text := m.Content
	walk(m.Components, func(c *Component) bool {
		if c.Type == TextDisplay {
			text += "\n" + c.Content
		}
		return true
	})
	text = codeSpan.ReplaceAllString(text, " ")
	add := func(id string) {
		if u := s.users[id]; u == nil || slices.Contains(m.Mentioned, id) {
			return
		}
		m.Mentioned = append(m.Mentioned, id)
		if s.permissions(ch, id).Has(ViewChannel) && id != m.Author.ID {
			m.Pings = append(m.Pings, id)
		}
	}
	for _, hit := range userMention.FindAllStringSubmatch(text, -1) {
		if am.users || slices.Contains(am.userIDs, hit[1]) {
			add(hit[1])
		}
	}
	if m.ReplyTo != "" && am.repliedUser {
		if r := ch.find(m.ReplyTo); r != nil {
			add(r.Author.ID)
		}
	}
	if am.everyone && everyoneMention.MatchString(text) && ch.Type != DMChannel &&
		s.permissions(ch, m.Author.ID).Has(MentionEveryone) {
		m.PingsEveryone = true
	}
	if m.EphemeralFor != "" || m.Flags&FlagSuppressNotification != 0 {
		m.Pings, m.PingsEveryone = nil, false
	}
}

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

// editAge refuses too many edits of an old message. The caller holds s.mu.
func (s *Server) editAge(m *message) *apiError {
	now := s.clock.Now()
	if now.Sub(m.CreatedAt) <= time.Hour {
		return nil
	}
	m.LateEdits = slices.DeleteFunc(m.LateEdits, func(t time.Time) bool { return now.Sub(t) > time.Hour })
	if len(m.LateEdits) >= s.opts.OldMessageEdits {
		e := refusal(http.StatusTooManyRequests, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later.")
		e.retryAfter = time.Hour.Seconds() - now.Sub(m.LateEdits[0]).Seconds()
		return e
	}
	m.LateEdits = append(m.LateEdits, now)
	return nil
}

// sendable refuses a message of the bot that its permissions or the state of
// the channel do not allow. The caller holds s.mu.
func (s *Server) sendable(ch *channel, files, embeds bool) *apiError {
	if ch.Type == DMChannel {
		if u := s.users[ch.RecipientID]; u == nil || u.DMClosed {
			return errClosedDM
		}
		return nil
	}
	p := s.permissions(ch, s.botID)
	if !p.Has(ViewChannel) {
		return errMissingAccess
	}
	need := SendMessages
	if ch.Type == ThreadChannel {
		need = SendMessagesInThreads
		if ch.Locked && !p.Has(ManageThreads) {
			return errThreadLocked
		}
	}
	if files {
		need |= AttachFiles
	}
	if embeds {
		need |= EmbedLinks
	}
	if !p.Has(need) {
		return errMissingPermission
	}
	return nil
}

// writable refuses changes of messages in archived and locked threads.
func (s *Server) writable(ch *channel) *apiError {
	if ch.Locked && !s.permissions(ch, s.botID).Has(ManageThreads) {
		return errThreadLocked
	}
	if ch.Archived {
		return errThreadArchived
	}
	return nil
}
