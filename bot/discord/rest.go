package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// Settings say which Discord to talk to and as whom.
type Settings struct {
	Token string // of the bot, without "Bot "
	// Base is the scheme and host of the server that stands in for
	// https://discord.com; "" is the real one. No other host is ever contacted.
	Base string
	// Transport carries the HTTP requests; nil uses one of our own.
	Transport http.RoundTripper
	Log       *slog.Logger // nil discards
	// Called, if not nil, is called after each request of a [REST] with its method
	// and route (names in place of IDs), the answer's status (0 if there was none)
	// and how long it took.
	Called func(route string, status int, took time.Duration)
	// Waited, if not nil, is called with how long a request waited for its turn
	// within Discord's rate limits, even if the turn never came.
	Waited func(time.Duration)
}

func (s Settings) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

// session makes a discordgo session that does not wait, retry or follow
// redirections by itself.
func (s Settings) session(t *transport) (*discordgo.Session, error) {
	if s.Token == "" {
		return nil, fmt.Errorf("%w: it is empty", ErrBadToken)
	}
	d, err := discordgo.New("Bot " + s.Token)
	if err != nil {
		return nil, err
	}
	d.Client = &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       2 * callTime, // for the calls of the gateway, which have no context
	}
	d.ShouldRetryOnRateLimit = false
	d.MaxRestRetries = 0
	d.ShouldReconnectOnError = false
	d.ShouldReconnectVoiceOnSessionError = false
	d.StateEnabled = false
	d.LogLevel = -1 // its log prints addresses with tokens in them
	return d, nil
}

// REST makes the calls to Discord's HTTP interface. It is safe for concurrent
// use.
//
// Each method keeps to the context's deadline, or 15 s if it has none, and fails
// with an [*Error]. It waits for rate limits, and tries again when Discord fails
// if that is harmless, never beyond the deadline. A message that breaks one of
// Discord's limits is mended, and what was wrong is logged.
//
// The picture that a method takes is the drawn [view.Picture] of the message;
// without one, the message has no picture. Files of an earlier version of the
// message are always replaced by those given, or removed.
type REST struct {
	session *discordgo.Session
	token   string
	limits  limits
	log     *slog.Logger
	called  func(route string, status int, took time.Duration)
	waited  func(time.Duration)
	skew    atomic.Pointer[time.Duration]
}

// NewREST makes a REST and contacts nobody yet. The error wraps [ErrBadToken] if
// the token is empty, or says what is wrong with the base address.
func NewREST(s Settings) (*REST, error) {
	t, err := newTransport(s.Base, s.Transport)
	if err != nil {
		return nil, err
	}
	d, err := s.session(t)
	if err != nil {
		return nil, err
	}
	r := &REST{session: d, token: s.Token, log: s.log(), called: s.Called, waited: s.Waited}
	if r.called == nil {
		r.called = func(string, int, time.Duration) {}
	}
	if r.waited == nil {
		r.waited = func(time.Duration) {}
	}
	return r, nil
}

// Answer types.
const (
	answerMessage       = 4
	answerDefer         = 5
	answerDeferUpdate   = 6
	answerUpdate        = 7
	answerAutocompleted = 8
)

// answer is the body of a callback.
type answer struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// Respond answers an interaction with a new message and returns the message's
// ID, or "" if Discord did not say it. This is the first answer: there can be
// only one, within 3 s of the interaction, and it fails after 5 s. After an
// [ErrUnknownInteraction], the person may or may not have seen it.
func (r *REST) Respond(ctx context.Context, req Request, m view.Message, picture []byte) (string, error) {
	msg, files := r.encode(m, picture)
	body, twice, err := r.callback(ctx, req, answer{answerMessage, msg}, files)
	if err != nil {
		return "", err
	}
	if twice {
		// An earlier try may have got through, so this answer does not tell the ID.
		id, err := r.Original(ctx, req)
		if err != nil {
			r.log.WarnContext(ctx, "could not learn the ID of the answer's message", "interaction", req.ID, "err", err)
		}
		return id, nil
	}
	var got struct {
		Interaction struct {
			MessageID string `json:"response_message_id"`
		} `json:"interaction"`
		Resource struct {
			Message sentMessage `json:"message"`
		} `json:"resource"`
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return "", nil // 204: done, without a body
	}
	noteForced(ctx, m.Private, got.Resource.Message.Flags)
	if got.Resource.Message.ID != "" {
		return got.Resource.Message.ID, nil
	}
	return got.Interaction.MessageID, nil
}

// Update answers a button with a new version of its message. This is a first
// answer, as with [REST.Respond].
func (r *REST) Update(ctx context.Context, req Request, m view.Message, picture []byte) error {
	msg, files := r.encode(m, picture)
	msg.Flags = 0 // a message cannot change who sees it
	_, _, err := r.callback(ctx, req, answer{answerUpdate, msg}, files)
	return err
}

// Defer answers an interaction with the promise of a message, private or not.
// Keep it with [REST.EditOriginal]. This is a first answer, as with
// [REST.Respond].
func (r *REST) Defer(ctx context.Context, req Request, private bool) error {
	a := answer{Type: answerDefer}
	if private {
		a.Data = struct {
			Flags int `json:"flags"`
		}{flagEphemeral}
	}
	_, _, err := r.callback(ctx, req, a, nil)
	return err
}

// DeferUpdate answers a button and shows nothing yet. Change the button's message
// later with [REST.EditOriginal]. This is a first answer, as with [REST.Respond].
func (r *REST) DeferUpdate(ctx context.Context, req Request) error {
	_, _, err := r.callback(ctx, req, answer{Type: answerDeferUpdate}, nil)
	return err
}

// Choices answers an autocompletion with at most [view.MaxChoices] suggestions.
// It leaves out those that are blank or have too long a value.
func (r *REST) Choices(ctx context.Context, req Request, list []view.Choice) error {
	data := struct {
		Choices []choice `json:"choices"`
	}{encodeChoices(list)}
	_, _, err := r.callback(ctx, req, answer{answerAutocompleted, data}, nil)
	return err
}

// callback sends a first answer. Discord takes one for each interaction, so
// another try does no harm: if an earlier one got through, the refusal of the
// later one is a success.
func (r *REST) callback(ctx context.Context, req Request, a answer, files []file) (body []byte, twice bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, firstTime)
	defer cancel()
	body, twice, err = r.do(ctx, call{
		method: http.MethodPost, op: "/interactions/{id}/{token}/callback",
		path:    "interactions/" + url.PathEscape(req.ID) + "/" + url.PathEscape(req.Token) + "/callback?with_response=true",
		payload: a, files: files, again: true, secret: req.Token,
	})
	if twice && errors.Is(err, ErrAcknowledged) {
		return nil, true, nil
	}
	return body, twice && body == nil, err
}

// EditOriginal changes the first answer to an interaction or, after
// [REST.DeferUpdate], the message of the button. It returns the message's ID. It
// works for 15 minutes after the interaction.
func (r *REST) EditOriginal(ctx context.Context, req Request, m view.Message, picture []byte) (string, error) {
	msg, files := r.encode(m, picture)
	msg.Flags = 0
	got, err := r.sent(ctx, call{
		method: http.MethodPatch, op: "/webhooks/{app}/{token}/messages/@original",
		path:    webhookPath(req) + "/messages/@original",
		payload: msg, files: files, again: true, secret: req.Token,
	})
	noteForced(ctx, m.Private, got.Flags)
	return got.ID, err
}

// Original asks for the ID of the message that was the first answer to an
// interaction, which tells whether a lost answer got through. It fails with
// [ErrTokenExpired] if there was none.
func (r *REST) Original(ctx context.Context, req Request) (string, error) {
	return r.message(ctx, call{
		method: http.MethodGet, op: "/webhooks/{app}/{token}/messages/@original",
		path:  webhookPath(req) + "/messages/@original",
		again: true, secret: req.Token,
	})
}

// FollowUp sends one more message after the first answer and returns its ID. It
// works for 15 minutes after the interaction.
func (r *REST) FollowUp(ctx context.Context, req Request, m view.Message, picture []byte) (string, error) {
	msg, files := r.encode(m, picture)
	return r.message(ctx, call{
		method: http.MethodPost, op: "/webhooks/{app}/{token}",
		path:    webhookPath(req),
		payload: msg, files: files, secret: req.Token,
	})
}

func webhookPath(req Request) string {
	return "webhooks/" + url.PathEscape(req.App) + "/" + url.PathEscape(req.Token)
}

// Post sends a message to a channel and returns its ID. The nonce, of at most 25
// bytes, makes it harmless to send the message again within some minutes: Discord
// then returns the first one. With "", it is sent at most once. A private message
// fails with [ErrPrivate].
func (r *REST) Post(ctx context.Context, channel string, m view.Message, picture []byte, nonce string) (string, error) {
	if m.Private {
		return "", ErrPrivate
	}
	if len(nonce) > maxNonce {
		return "", &Error{Op: "POST /channels/{channel}/messages", kind: ErrRejected, Text: fmt.Sprintf("nonce of more than %d bytes", maxNonce)}
	}
	msg, files := r.encode(m, picture)
	msg.Nonce, msg.EnforceNonce = nonce, nonce != ""
	return r.message(ctx, call{
		method: http.MethodPost, op: "/channels/{channel}/messages",
		path:   "channels/" + url.PathEscape(channel) + "/messages",
		bucket: "post " + channel, payload: msg, files: files, again: nonce != "",
	})
}

// Edit changes a message of the bot in a channel, however old it is. A private
// message fails with [ErrPrivate]: use [REST.EditOriginal].
func (r *REST) Edit(ctx context.Context, channel, message string, m view.Message, picture []byte) error {
	if m.Private {
		return ErrPrivate
	}
	msg, files := r.encode(m, picture)
	_, err := r.message(ctx, editCall(channel, message, msg, files))
	return err
}

func editCall(channel, message string, payload any, files []file) call {
	return call{
		method: http.MethodPatch, op: "/channels/{channel}/messages/{message}",
		path:   "channels/" + url.PathEscape(channel) + "/messages/" + url.PathEscape(message),
		bucket: "edit " + channel, payload: payload, files: files, again: true,
	}
}

// sentMessage is what is read of a message that Discord has taken.
type sentMessage struct {
	ID    string `json:"id"`
	Flags int    `json:"flags"`
}

// sent makes a call whose answer is a message.
func (r *REST) sent(ctx context.Context, c call) (got sentMessage, err error) {
	err = r.get(ctx, c, &got)
	return got, err
}

// message makes a call whose answer is a message and returns the message's ID.
func (r *REST) message(ctx context.Context, c call) (string, error) {
	got, err := r.sent(ctx, c)
	return got.ID, err
}

// get makes a call whose answer is JSON.
func (r *REST) get(ctx context.Context, c call, to any) error {
	body, _, err := r.do(ctx, c)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, to); err != nil {
		// Something between us and Discord answered in its place.
		doubted(ctx)
		return &Error{Op: c.method + " " + c.op, Status: http.StatusOK, kind: ErrUnavailable, Text: "the answer is not in Discord's form; look for a proxy in between"}
	}
	return nil
}

// encode writes a message and logs what it had to mend.
func (r *REST) encode(m view.Message, picture []byte) (message, []file) {
	msg, files, faults := encode(m, picture)
	if faults != nil {
		r.log.Error("mended a message that breaks Discord's limits", "faults", faults)
	}
	return msg, files
}

// Account is the application that the token belongs to.
type Account struct {
	App  string       // the application's ID
	User match.UserID // the bot's ID
	Name string       // the bot's name
	// Endpoint is the web address that Discord sends interactions to, or "" if it
	// sends them over the gateway.
	Endpoint string
}

// Self asks which application the token belongs to.
func (r *REST) Self(ctx context.Context) (Account, error) {
	var got struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Endpoint string `json:"interactions_endpoint_url"`
		Bot      struct {
			ID       match.UserID `json:"id"`
			Username string       `json:"username"`
		} `json:"bot"`
	}
	err := r.get(ctx, call{
		method: http.MethodGet, op: "/applications/@me", path: "applications/@me",
		bucket: "self", again: true,
	}, &got)
	if err != nil {
		return Account{}, err
	}
	a := Account{App: got.ID, User: got.Bot.ID, Name: got.Bot.Username, Endpoint: got.Endpoint}
	if a.User == "" { // the answer lacks the bot, which has the application's ID
		a.User = match.UserID(got.ID)
	}
	if a.Name == "" {
		a.Name = got.Name
	}
	return a, nil
}

// InGuild asks whether the application is in a guild. False is certain: Discord
// has said that there is no such guild or that we may not see it. If anything
// else goes wrong, it returns an error.
func (r *REST) InGuild(ctx context.Context, guild string) (bool, error) {
	var got struct {
		ID string `json:"id"`
	}
	c := call{
		method: http.MethodGet, op: "/guilds/{guild}", path: "guilds/" + url.PathEscape(guild),
		bucket: "guild", again: true,
	}
	switch err := r.get(ctx, c, &got); {
	case errors.Is(err, ErrChannelGone):
		return false, nil
	case err != nil:
		return false, err
	case got.ID != guild:
		return false, &Error{Op: c.method + " " + c.op, Status: http.StatusOK, kind: ErrUnavailable, Text: "the answer is about another guild"}
	}
	return true, nil
}

// RegisteredCommands returns the application's global commands.
func (r *REST) RegisteredCommands(ctx context.Context, app string) ([]CommandSpec, error) {
	var list []CommandSpec
	err := r.get(ctx, call{
		method: http.MethodGet, op: "/applications/{app}/commands",
		path:   "applications/" + url.PathEscape(app) + "/commands?with_localizations=true",
		bucket: "commands", again: true,
	}, &list)
	return list, err
}

// RegisterCommand adds a global command to the application's, in place of the one of
// the same type and name if there is one. Discord shows it at once, and allows 200
// new ones a day.
func (r *REST) RegisterCommand(ctx context.Context, app string, c CommandSpec) error {
	var got json.RawMessage
	return r.get(ctx, call{
		method: http.MethodPost, op: "/applications/{app}/commands",
		path:   "applications/" + url.PathEscape(app) + "/commands",
		bucket: "commands", payload: c, again: true,
	}, &got)
}
