package discordsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Interaction callback types.
const (
	answerMessage        = 4
	answerDeferred       = 5
	answerDeferredUpdate = 6
	answerUpdate         = 7
	answerChoices        = 8
	answerModal          = 9
)

// callback takes the first answer to an interaction.
func callback(c *call) (int, any, *apiError) {
	s := c.s
	in := s.interactions[c.params["interaction_id"]]
	if in == nil || in.token != c.params["interaction_token"] {
		return 0, nil, mistake(http.StatusNotFound, 10062, "Unknown interaction")
	}
	if in.answered {
		e := mistake(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
		e.worldly = in.faulted
		return 0, nil, e
	}
	if in.expired || s.clock.Now().Sub(in.created) > s.opts.AckWithin {
		e := mistake(http.StatusNotFound, 10062, "Unknown interaction")
		e.worldly = in.excused
		return 0, nil, e
	}
	ch := s.channels[in.channelID]
	if ch == nil {
		return 0, nil, errUnknownChannelAPI
	}
	f := &form{}
	o, ok := f.object("", c.body)
	if !ok || !o.require("type") {
		return 0, nil, c.finish(f)
	}
	typ, ok := o.integer("type", 1, 12)
	if !ok {
		return 0, nil, c.finish(f)
	}
	if allowed := in.answers(); !slices.Contains(allowed, typ) {
		f.fail("type", "BASE_TYPE_CHOICES", "Value must be one of {%s}.", strings.Trim(strings.ReplaceAll(fmt.Sprint(allowed), " ", ", "), "[]"))
		return 0, nil, c.finish(f)
	}
	if typ != answerChoices {
		if err := s.writable(ch); err != nil {
			in.excused = true // the bot has tried
			return 0, nil, err
		}
	}
	data, hasData := o.get("data")
	o.done()
	var m *message
	var err *apiError
	reply := &Reply{InteractionID: in.id, ChannelID: in.channelID, Took: s.clock.Now().Sub(in.created)}
	switch typ {
	case answerMessage:
		reply.Kind = ReplyMessage
		if !hasData {
			o.require("data")
			return 0, nil, c.finish(f)
		}
		m, err = c.answerMessage(f, in, ch, data)
	case answerDeferred:
		reply.Kind = ReplyDeferred
		m, err = c.answerDeferred(f, in, ch, data, hasData)
	case answerDeferredUpdate:
		reply.Kind = ReplyDeferredUpdate
		if hasData {
			c.emptyData(f, data, "")
		}
		if err = c.finish(f); err == nil {
			m = ch.find(in.messageID)
			in.originalID = in.messageID
		}
	case answerUpdate:
		reply.Kind = ReplyUpdate
		m, err = c.answerUpdate(f, in, ch, data, hasData)
	case answerChoices:
		reply.Kind = ReplyChoices
		reply.Choices, err = c.answerChoices(f, in, data)
	case answerModal:
		reply.Kind = ReplyModal
		reply.Modal, err = c.answerModal(f, in, data)
	}
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
	return http.StatusOK, s.callbackJSON(in, typ, m), nil
}

func (s *Server) callbackJSON(in *interaction, typ int, m *message) map[string]any {
	meta := map[string]any{"id": in.id, "type": in.kind, "channel_id": in.channelID}
	if in.guildID != "" {
		meta["guild_id"] = in.guildID
	}
	resource := map[string]any{"type": typ}
	if m != nil {
		meta["response_message_id"] = m.ID
		meta["response_message_loading"] = m.Loading
		meta["response_message_ephemeral"] = m.EphemeralFor != ""
		if typ == answerMessage || typ == answerUpdate {
			resource["message"] = s.messageJSON(m)
		}
	}
	return map[string]any{"interaction": meta, "resource": resource}
}

// answers gives the callback types that the interaction can take.
func (in *interaction) answers() []int {
	switch in.kind {
	case kindAutocomplete:
		return []int{answerChoices}
	case kindComponent:
		return []int{answerMessage, answerDeferred, answerDeferredUpdate, answerUpdate, answerModal}
	case kindModal:
		if in.messageID != "" {
			return []int{answerMessage, answerDeferred, answerDeferredUpdate, answerUpdate}
		}
		return []int{answerMessage, answerDeferred}
	}
	return []int{answerMessage, answerDeferred, answerModal}
}

func (c *call) answerMessage(f *form, in *interaction, ch *channel, data any) (*message, *apiError) {
	s := c.s
	body, err := c.messageBody(f, "data", data, callbackBody, nil)
	if err != nil {
		return nil, err
	}
	if body == nil || body.empty() {
		return nil, mistake(http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	if err := s.filesAllowed(ch, len(c.files)); err != nil {
		return nil, err
	}
	m := s.newMessage(ch, *s.users[s.botID])
	m.Interaction = in.metadata()
	if body.flags&FlagEphemeral != 0 {
		m.Flags, m.EphemeralFor = FlagEphemeral, in.userID
	}
	s.fill(m, body, c.files, false)
	s.post(ch, m, body.mentions, true)
	in.originalID = m.ID
	in.messages = append(in.messages, m.ID)
	return m, nil
}

// filesAllowed checks the one permission that answers to interactions need.
func (s *Server) filesAllowed(ch *channel, files int) *apiError {
	if files > 0 && !s.permissions(ch, s.botID).Has(AttachFiles) {
		return errMissingPermission
	}
	return nil
}

// emptyData checks data whose content means nothing for the callback type,
// apart from the named keys. discordgo always sends a few empty ones.
func (c *call) emptyData(f *form, data any, except ...string) *fields {
	o, ok := f.object("data", data)
	if !ok {
		return nil
	}
	for k, v := range o.m {
		if slices.Contains(except, k) {
			continue
		}
		list, isList := v.([]any)
		if v == nil || v == "" || v == false || isList && len(list) == 0 {
			o.known[k] = true
			continue
		}
		f.own = append(f.own, fmt.Sprintf("data.%s: means nothing for this type of answer", k))
		o.known[k] = true
	}
	return o
}

func (c *call) answerDeferred(f *form, in *interaction, ch *channel, data any, hasData bool) (*message, *apiError) {
	s := c.s
	flags := 0
	if hasData {
		if o := c.emptyData(f, data, "flags", "allowed_mentions"); o != nil {
			flags, _ = o.integer("flags", 0, 1<<30)
			if bad := flags &^ FlagEphemeral; bad != 0 {
				f.own = append(f.own, fmt.Sprintf("data.flags: a deferred answer takes EPHEMERAL only, not %d", bad))
			}
			o.done("allowed_mentions")
		}
	}
	if err := c.finish(f); err != nil {
		return nil, err
	}
	m := s.newMessage(ch, *s.users[s.botID])
	m.Interaction = in.metadata()
	m.Flags, m.Loading = FlagLoading, true
	if flags&FlagEphemeral != 0 {
		m.Flags |= FlagEphemeral
		m.EphemeralFor = in.userID
	}
	s.post(ch, m, &allowedMentions{}, true)
	in.originalID = m.ID
	in.messages = append(in.messages, m.ID)
	left := s.opts.TokenLife - s.clock.Now().Sub(in.created)
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
		m.Flags &^= FlagLoading
		s.violate("deferred answer %s was never completed", messageID)
		s.messageChanged(ch, m)
	}
}

func (c *call) answerUpdate(f *form, in *interaction, ch *channel, data any, hasData bool) (*message, *apiError) {
	s := c.s
	m := ch.find(in.messageID)
	if m == nil {
		return nil, errUnknownMessageAPI
	}
	if !hasData {
		f.fail("data", "BASE_TYPE_REQUIRED", "This field is required")
		return nil, c.finish(f)
	}
	body, err := c.messageBody(f, "data", data, updateBody, m)
	if err != nil {
		return nil, err
	}
	if body.empties(m) {
		return nil, mistake(http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	if err := s.filesAllowed(ch, len(c.files)); err != nil {
		return nil, err
	}
	s.fill(m, body, c.files, true)
	m.EditedAt = s.clock.Now()
	in.originalID = m.ID
	s.messageChanged(ch, m)
	return m, nil
}

func (c *call) answerChoices(f *form, in *interaction, data any) ([]Choice, *apiError) {
	o := c.emptyData(f, data, "choices")
	if o == nil {
		return nil, c.finish(f)
	}
	o.require("choices")
	list, _ := o.array("choices", 0, maxChoices)
	o.done()
	for i, v := range list {
		checkChoice(f, o.at(fmt.Sprintf("choices.%d", i)), v, in.focusType)
	}
	if err := c.finish(f); err != nil {
		return nil, err
	}
	out, err := convert[[]Choice](list)
	if err != nil {
		f.fail("data.choices", "MODEL_TYPE_CONVERT", "%v", err)
		return nil, c.finish(f)
	}
	return out, nil
}

// checkChoice checks a choice of an option or autocomplete answer.
func checkChoice(f *form, place string, v any, optionType int) {
	o, ok := f.object(place, v)
	if !ok {
		return
	}
	o.require("name")
	if name, ok := o.str("name", 1, 100); ok && strings.TrimSpace(name) == "" {
		f.fail(o.at("name"), "BASE_TYPE_REQUIRED", "This field is required")
	}
	localizations(o, "name_localizations", func(place, text string) { f.length(place, text, 1, 100) })
	if o.require("value") {
		value, _ := o.get("value")
		switch optionType {
		case IntegerOption:
			if n, ok := value.(json.Number); !ok || strings.ContainsAny(n.String(), ".eE") {
				f.fail(o.at("value"), "NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(value))
			}
		case NumberOption:
			if _, ok := value.(json.Number); !ok {
				f.fail(o.at("value"), "NUMBER_TYPE_COERCE", "Value %q is not float.", fmt.Sprint(value))
			}
		default:
			text, ok := value.(string)
			if !ok {
				f.fail(o.at("value"), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
			} else if n := utf8.RuneCountInString(text); n < 1 || n > 100 {
				f.fail(o.at("value"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
			}
		}
	}
	o.done()
}

func (c *call) answerModal(f *form, in *interaction, data any) (*Modal, *apiError) {
	o := c.emptyData(f, data, "custom_id", "title", "components")
	if o == nil {
		return nil, c.finish(f)
	}
	o.require("custom_id")
	o.require("title")
	o.require("components")
	m := &Modal{channelID: in.channelID, userID: in.userID, messageID: in.messageID}
	m.CustomID, _ = o.str("custom_id", 1, 100)
	m.Title, _ = o.str("title", 1, 45)
	if list, ok := o.array("components", 1, 5); ok {
		check := &componentCheck{f: f, modal: true}
		m.Components = check.components(o.at("components"), list)
	}
	o.done()
	return m, c.finish(f)
}
