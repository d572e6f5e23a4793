package discordsim

import (
	"net/http"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// callback takes the first answer to an interaction.
func callback(c *call) (int, any, *apiError) {
	in, ch, err := c.unanswered()
	if err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	typ, data, ok := f.Callback(c.body, in.answers())
	if !ok {
		return 0, nil, c.finish(f)
	}
	if typ != check.AnswerChoices {
		if err := c.s.writable(ch); err != nil {
			in.excused = true // the bot has tried
			return 0, nil, err
		}
	}
	reply := &Reply{InteractionID: in.id, Kind: replyKinds[typ], ChannelID: in.channelID, Took: c.s.clock.Now().Sub(in.created)}
	m, err := c.answerWith(typ, f, in, ch, data, reply)
	if err != nil {
		return 0, nil, err
	}
	in.answered = true
	if m != nil {
		reply.MessageID, reply.Ephemeral = m.ID, m.EphemeralFor != ""
	}
	in.finish(reply, nil)
	if c.query.Get("with_response") != "true" {
		return http.StatusNoContent, nil, nil
	}
	return http.StatusOK, c.s.callbackJSON(in, typ, m), nil
}

// unanswered gives the interaction of the path if it can still take a first
// answer.
func (c *call) unanswered() (*interaction, *channel, *apiError) {
	s := c.s
	in := s.interactions[c.params["interaction_id"]]
	if in == nil || in.token != c.params["interaction_token"] {
		return nil, nil, mistake(http.StatusNotFound, 10062, "Unknown interaction")
	}
	if in.answered {
		e := mistake(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
		e.worldly = in.faulted
		return nil, nil, e
	}
	if in.expired || s.clock.Now().Sub(in.created) > s.opts.AckWithin {
		e := mistake(http.StatusNotFound, 10062, "Unknown interaction")
		e.worldly = in.excused
		return nil, nil, e
	}
	ch := s.channels[in.channelID]
	if ch == nil {
		return nil, nil, errUnknownChannelAPI
	}
	return in, ch, nil
}

var replyKinds = map[int]ReplyKind{
	check.AnswerMessage: ReplyMessage, check.AnswerDeferred: ReplyDeferred, check.AnswerDeferredUpdate: ReplyDeferredUpdate,
	check.AnswerUpdate: ReplyUpdate, check.AnswerChoices: ReplyChoices, check.AnswerModal: ReplyModal,
}

// answers gives the callback types that the interaction can take.
func (in *interaction) answers() []int {
	switch in.kind {
	case kindAutocomplete:
		return []int{check.AnswerChoices}
	case kindComponent:
		return []int{check.AnswerMessage, check.AnswerDeferred, check.AnswerDeferredUpdate, check.AnswerUpdate, check.AnswerModal}
	case kindModal:
		if in.messageID != "" {
			return []int{check.AnswerMessage, check.AnswerDeferred, check.AnswerDeferredUpdate, check.AnswerUpdate}
		}
		return []int{check.AnswerMessage, check.AnswerDeferred}
	}
	return []int{check.AnswerMessage, check.AnswerDeferred, check.AnswerModal}
}

// answerWith checks the data of an answer and does what it says. It gives the
// message that the answer made or belongs to, nil if there is none; choices and
// modals go into reply.
func (c *call) answerWith(typ int, f *check.Form, in *interaction, ch *channel, data any, reply *Reply) (*message, *apiError) {
	switch typ {
	case check.AnswerMessage:
		return c.answerMessage(f, in, ch, data)
	case check.AnswerDeferred:
		return c.answerDeferred(f, in, ch, data)
	case check.AnswerUpdate:
		return c.answerUpdate(f, in, ch, data)
	case check.AnswerDeferredUpdate:
		f.DeferredUpdate(data)
		if err := c.finish(f); err != nil {
			return nil, err
		}
		in.originalID = in.messageID
		return ch.find(in.messageID), nil
	case check.AnswerChoices:
		reply.Choices = f.Choices(data, in.focusType)
	case check.AnswerModal:
		m := f.Modal(data, c.s.hasEmoji)
		reply.Modal = &Modal{
			CustomID: m.CustomID, Title: m.Title, Components: m.Components,
			channelID: in.channelID, userID: in.userID, messageID: in.messageID, owners: in.owners,
		}
	}
	return nil, c.finish(f)
}

func (c *call) answerMessage(f *check.Form, in *interaction, ch *channel, data any) (*message, *apiError) {
	body, err := c.messageBody(f, "data", data, check.CallbackMessage, nil)
	if err != nil {
		return nil, err
	}
	if err := c.s.filesAllowed(in, ch, len(c.files)); err != nil {
		return nil, err
	}
	m := c.s.postFor(in, ch, body)
	in.originalID = m.ID
	return m, nil
}

// postFor posts a message that belongs to an interaction.
func (s *Server) postFor(in *interaction, ch *channel, body *check.Message) *message {
	m := s.newMessage(ch, *s.users[s.botID])
	m.Interaction = in.metadata()
	if body.Flags&check.FlagEphemeral != 0 || s.forcedPrivate(in, ch) {
		m.Flags, m.EphemeralFor = check.FlagEphemeral, in.userID
	}
	s.fill(m, body, false)
	s.post(ch, m, body.Mentions, true)
	in.messages = append(in.messages, m.ID)
	return m
}

func (c *call) answerDeferred(f *check.Form, in *interaction, ch *channel, data any) (*message, *apiError) {
	s := c.s
	ephemeral := f.Deferred(data)
	if err := c.finish(f); err != nil {
		return nil, err
	}
	m := s.newMessage(ch, *s.users[s.botID])
	m.Interaction = in.metadata()
	m.Flags, m.Loading = check.FlagLoading, true
	if ephemeral || s.forcedPrivate(in, ch) {
		m.Flags |= check.FlagEphemeral
		m.EphemeralFor = in.userID
	}
	s.post(ch, m, &check.Mentions{}, true)
	in.originalID = m.ID
	in.messages = append(in.messages, m.ID)
	left := tokenLife - s.clock.Now().Sub(in.created)
	s.clock.AfterFunc(left, func() { s.giveUp(ch.ID, m.ID) })
	return m, nil
}

// giveUp marks a deferred answer that can no longer come.
func (s *Server) giveUp(channelID, messageID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil || s.closed {
		return
	}
	if m := ch.find(messageID); m != nil && m.Loading {
		m.Loading, m.Failed = false, true
		m.Flags &^= check.FlagLoading
		s.violate("deferred answer %s was never completed", messageID)
		s.messageChanged(ch, m)
	}
}

func (c *call) answerUpdate(f *check.Form, in *interaction, ch *channel, data any) (*message, *apiError) {
	s := c.s
	m := ch.find(in.messageID)
	if m == nil {
		return nil, errUnknownMessageAPI
	}
	body, err := c.messageBody(f, "data", data, check.CallbackUpdate, m)
	if err != nil {
		return nil, err
	}
	if err := s.filesAllowed(in, ch, len(c.files)); err != nil {
		return nil, err
	}
	s.fill(m, body, true)
	m.EditedAt = s.clock.Now()
	in.originalID = m.ID
	s.messageChanged(ch, m)
	return m, nil
}

func (s *Server) callbackJSON(in *interaction, typ int, m *message) map[string]any {
	meta := map[string]any{"id": in.id, "type": in.kind, "channel_id": in.channelID}
	if in.guildID != "" {
		meta["guild_id"] = in.guildID
	}
	out := map[string]any{"interaction": meta}
	if m != nil {
		meta["response_message_id"] = m.ID
		meta["response_message_loading"] = m.Loading
		meta["response_message_ephemeral"] = m.EphemeralFor != ""
		if typ == check.AnswerMessage || typ == check.AnswerUpdate {
			out["resource"] = map[string]any{"type": typ, "message": s.messageJSON(m)}
		}
	}
	return out
}
