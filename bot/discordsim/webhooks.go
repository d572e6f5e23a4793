package discordsim

import (
	"net/http"
	"slices"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// interactionOf gives the interaction whose token is in the path, if it can
// still be used.
func (c *call) interactionOf() (*interaction, *channel, *apiError) {
	s := c.s
	in := s.byToken[c.params["webhook_token"]]
	if in == nil || c.params["webhook_id"] != s.appID {
		return nil, nil, mistake(http.StatusNotFound, 10015, "Unknown Webhook")
	}
	if s.clock.Now().Sub(in.created) > tokenLife {
		return nil, nil, mistake(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	}
	if !in.answered {
		e := mistake(http.StatusNotFound, 10015, "Unknown Webhook")
		e.worldly = in.excused
		return nil, nil, e
	}
	ch := s.channels[in.channelID]
	if ch == nil {
		return nil, nil, errUnknownChannelAPI
	}
	return in, ch, nil
}

// target gives the message of the path: @original or one that this
// interaction made.
func (c *call) target() (*interaction, *channel, *message, *apiError) {
	in, ch, err := c.interactionOf()
	if err != nil {
		return nil, nil, nil, err
	}
	id, named := c.params["message_id"]
	if !named {
		id = in.originalID
	} else if id != in.originalID && !slices.Contains(in.messages, id) {
		return nil, nil, nil, mistake(http.StatusNotFound, 10008, "Unknown Message: not made by this interaction")
	}
	m := ch.find(id)
	if m == nil {
		return nil, nil, nil, errUnknownMessageAPI
	}
	return in, ch, m, nil
}

func webhookGet(c *call) (int, any, *apiError) {
	_, _, m, err := c.target()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.s.messageJSON(m), nil
}

func webhookEdit(c *call) (int, any, *apiError) {
	s := c.s
	in, ch, m, err := c.target()
	if err != nil {
		return 0, nil, err
	}
	body, err := c.messageBody(&check.Form{}, "", c.body, check.WebhookEdit, m)
	if err != nil {
		return 0, nil, err
	}
	if err := c.answerable(in, ch); err != nil {
		return 0, nil, err
	}
	s.rewrite(ch, m, body)
	return http.StatusOK, s.messageJSON(m), nil
}

// rewrite edits m. The edit that completes a deferred answer counts as its
// sending: it notifies people and leaves no trace of an edit.
func (s *Server) rewrite(ch *channel, m *message, body *check.Message) {
	s.fill(m, body, true)
	if !m.Loading {
		m.EditedAt = s.clock.Now()
		s.messageChanged(ch, m)
		return
	}
	m.Loading = false
	m.Flags &^= check.FlagLoading
	s.ping(ch, m, body.Mentions, true)
	s.messageChanged(ch, m)
	s.emitPings(m)
}

// followUp makes another message. After a deferred answer the first one takes
// the place of "thinking".
func followUp(c *call) (int, any, *apiError) {
	s := c.s
	in, ch, err := c.interactionOf()
	if err != nil {
		return 0, nil, err
	}
	body, err := c.messageBody(&check.Form{}, "", c.body, check.FollowUp, nil)
	if err != nil {
		return 0, nil, err
	}
	if err := c.answerable(in, ch); err != nil {
		return 0, nil, err
	}
	if first := ch.find(in.originalID); first != nil && first.Loading {
		s.rewrite(ch, first, body)
		return http.StatusOK, s.messageJSON(first), nil
	}
	if err := in.oneMore(); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.messageJSON(s.postFor(in, ch, body)), nil
}

func webhookDelete(c *call) (int, any, *apiError) {
	_, ch, m, err := c.target()
	if err != nil {
		return 0, nil, err
	}
	c.s.remove(ch, m)
	return http.StatusNoContent, nil, nil
}
