package discordsim

import (
	"net/http"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// channel gives the channel of the path if the bot can see it.
func (c *call) channel() (*channel, *apiError) {
	ch := c.s.channels[c.params["channel_id"]]
	if ch == nil {
		return nil, errUnknownChannelAPI
	}
	if !c.s.permissions(ch, c.s.botID).Has(ViewChannel) {
		return nil, errMissingAccess
	}
	return ch, nil
}

// message gives the message of the path. Ephemeral messages do not exist for
// the channel routes; asking for one is a mistake.
func (c *call) message() (*channel, *message, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return nil, nil, err
	}
	m := ch.find(c.params["message_id"])
	if m == nil {
		return nil, nil, errUnknownMessageAPI
	}
	if m.EphemeralFor != "" {
		return nil, nil, mistake(http.StatusNotFound, 10008, "Unknown Message: it is ephemeral and can only be reached with its interaction token")
	}
	return ch, m, nil
}

// messageBody checks a message that a request carries and refuses it when it
// breaks a limit of Discord's or would leave nothing in the message. old is the
// message being edited, nil for a new one. What f found earlier counts as well.
func (c *call) messageBody(f *check.Form, place string, v any, kind check.Kind, old *message) (*check.Message, *apiError) {
	body := f.Message(place, v, check.Request{Kind: kind, Version: c.version, Files: c.files, Old: old.stored(), Emoji: c.s.hasEmoji})
	if err := c.finish(f); err != nil {
		return nil, err
	}
	if body.Empty(old.stored()) {
		return nil, errEmptyMessage
	}
	return body, nil
}

func getMessage(c *call) (int, any, *apiError) {
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if !c.s.permissions(ch, c.s.botID).Has(ReadMessageHistory) {
		return 0, nil, errMissingPermission
	}
	return http.StatusOK, c.s.messageJSON(m), nil
}

// nonceMemory is how long enforce_nonce finds an earlier message.
const nonceMemory = 5 * time.Minute

func createMessage(c *call) (int, any, *apiError) {
	s := c.s
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	body, err := c.messageBody(&check.Form{}, "", c.body, check.CreateMessage, nil)
	if err != nil {
		return 0, nil, err
	}
	if err := s.sendable(ch, len(c.files) > 0); err != nil {
		return 0, nil, err
	}
	if body.EnforceNonce && body.Nonce != "" {
		for _, m := range ch.messages {
			if m.Nonce == body.Nonce && m.Author.ID == s.botID && s.clock.Now().Sub(m.CreatedAt) < nonceMemory {
				return http.StatusOK, s.messageJSON(m), nil
			}
		}
	}
	m := s.newMessage(ch, *s.users[s.botID])
	m.Nonce = body.Nonce
	s.fill(m, body, false)
	s.post(ch, m, body.Mentions, false)
	return http.StatusOK, s.messageJSON(m), nil
}

func editMessage(c *call) (int, any, *apiError) {
	s := c.s
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if m.Author.ID != s.botID {
		return 0, nil, mistake(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	body, err := c.messageBody(&check.Form{}, "", c.body, check.EditMessage, m)
	if err != nil {
		return 0, nil, err
	}
	if err := s.writable(ch); err != nil {
		return 0, nil, err
	}
	if len(c.files) > 0 && ch.GuildID != "" && !s.permissions(ch, s.botID).Has(AttachFiles) {
		return 0, nil, errMissingPermission
	}
	if err := s.editAge(m); err != nil {
		return 0, nil, err
	}
	s.fill(m, body, true)
	m.EditedAt = s.clock.Now()
	s.messageChanged(ch, m)
	return http.StatusOK, s.messageJSON(m), nil
}

func deleteMessage(c *call) (int, any, *apiError) {
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	p := c.s.permissions(ch, c.s.botID)
	if m.Author.ID != c.s.botID && !p.Has(ManageMessages) {
		return 0, nil, errMissingPermission
	}
	if ch.Archived && ch.Locked && !p.Has(ManageThreads) {
		return 0, nil, errThreadArchived // not documented: the code
	}
	c.s.remove(ch, m)
	return http.StatusNoContent, nil, nil
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
func (s *Server) sendable(ch *channel, files bool) *apiError {
	if ch.Type == DMChannel {
		return s.takesDM(ch.RecipientID)
	}
	if ch.Type == ForumChannel {
		return mistake(http.StatusBadRequest, 50008, "Cannot send messages in a non-text channel")
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
		if ch.Archived { // writing opens it
			if err := s.roomForThread(ch.GuildID); err != nil {
				return err
			}
		}
	}
	if files {
		need |= AttachFiles
	}
	if !p.Has(need) {
		return errMissingPermission
	}
	return nil
}

// writable refuses changes of messages, and answers to interactions, in archived and
// locked threads.
func (s *Server) writable(ch *channel) *apiError {
	if ch.Archived {
		return errThreadArchived
	}
	if ch.Locked && !s.permissions(ch, s.botID).Has(ManageThreads) {
		return errThreadLocked
	}
	return nil
}

// filesAllowed checks the one permission that answers to interactions need.
func (s *Server) filesAllowed(in *interaction, ch *channel, files int) *apiError {
	if files > 0 && !s.appPermissions(in, ch).Has(AttachFiles) {
		return errMissingPermission
	}
	return nil
}

// answerable refuses changes by the token of an interaction that the state of the
// channel or the bot's permissions do not allow.
func (c *call) answerable(in *interaction, ch *channel) *apiError {
	if err := c.s.writable(ch); err != nil {
		return err
	}
	return c.s.filesAllowed(in, ch, len(c.files))
}
