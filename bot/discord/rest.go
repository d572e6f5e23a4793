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
	// Base is the server in place of https://discord.com, as a scheme and a
	// host; "" is the real one. No other host is then ever reached.
	Base string
	// Transport carries the requests; nil is one of our own.
	Transport http.RoundTripper
	Log       *slog.Logger // nil discards
	// Called, if not nil, is told of each request of a [REST]: its method and
	// route with names for IDs, the answer's status, 0 when there was none, and
	// how long it took.
	Called func(route string, status int, took time.Duration)
	// Waited, if not nil, is told how long a request waited for its turn within
	// Discord's rate limits, also when the turn did not come.
	Waited func(time.Duration)
}

func (s Settings) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

// session makes a session of discordgo's that neither waits, tries again nor
// follows anything by itself.
func (s Settings) session(t *transport) (*discordgo.Session, error) {
	if s.Token == "" {
		return nil, fmt.Errorf("%w: there is none", ErrBadToken)
	}
	d, err := discordgo.New("Bot " + s.Token)
	if err != nil {
		return nil, err
	}
	d.Client = &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       2 * callTime, // contexts come first; the gateway's calls have none
	}
	d.ShouldRetryOnRateLimit = false
	d.MaxRestRetries = 0
	d.ShouldReconnectOnError = false
	d.ShouldReconnectVoiceOnSessionError = false
	d.StateEnabled = false
	d.LogLevel = -1 // its log prints addresses with tokens in them
	return d, nil
}

// REST makes the calls to Discord's HTTP interface. It is safe for concurrent use.
//
// Each method takes the context's deadline, or 15 s if it has none, and fails
// with an [*Error]. It waits for rate limits and tries again after faults of
// Discord's where that is harmless, never beyond the deadline. A message that
// breaks one of Discord's limits is mended, and what was wrong is logged.
//
// Where a method takes a picture, that is the drawn [view.Picture] of the message; with
// none, the message goes without. A file of an earlier version of the message is
// always replaced by what is given, or removed.
type REST struct {
	session *discordgo.Session
	token   string
	limits  limits
	log     *slog.Logger
	called  func(route string, status int, took time.Duration)
	waited  func(time.Duration)
	skew    atomic.Pointer[time.Duration]
}

// NewREST makes a REST. It talks to nobody yet. Errors wrap [ErrBadToken] for an
// empty token or say what is wrong with the base address.
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
// ID, or "" if Discord did not say it. It is the first answer: there can be
// only one, within 3 s of the interaction. An [ErrUnknownInteraction] leaves
// open whether the person saw it.
func (r *REST) Respond(ctx context.Context, req Request, m view.Message, picture []byte) (string, error) {
	msg, files := r.encode(m, picture)
	body, twice, err := r.callback(ctx, req, answer{answerMessage, msg}, files)
	if err != nil {
		return "", err
	}
	if twice {
		// The first try may have got through, so that this one's answer tells
		// nothing.
		id, err := r.original(ctx, req)
		if err != nil {
			r.log.WarnContext(ctx, "answered, but the message's ID is unknown", "interaction", req.ID, "err", err)
		}
		return id, nil
	}
	var got struct {
		Interaction struct {
			MessageID string `json:"response_message_id"`
		} `json:"interaction"`
		Resource struct {
			Message struct {
				ID string `json:"id"`
			} `json:"message"`
		} `json:"resource"`
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return "", nil // 204: done, with nothing said
	}
	if got.Resource.Message.ID != "" {
		return got.Resource.Message.ID, nil
	}
	return got.Interaction.MessageID, nil
}

// Update answers a button with a new version of its message. It is a first
// answer, as in [REST.Respond].
func (r *REST) Update(ctx context.Context, req Request, m view.Message, picture []byte) error {
	msg, files := r.encode(m, picture)
	msg.Flags = 0 // a message cannot change who sees it
	_, _, err := r.callback(ctx, req, answer{answerUpdate, msg}, files)
	return err
}

// Defer answers an interaction with the promise of a message, private or not;
// [REST.EditOriginal] keeps it. It is a first answer, as in [REST.Respond].
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

// DeferUpdate answers a button with nothing to see yet; [REST.EditOriginal]
// then changes the button's message. It is a first answer, as in [REST.Respond].
func (r *REST) DeferUpdate(ctx context.Context, req Request) error {
	_, _, err := r.callback(ctx, req, answer{Type: answerDeferUpdate}, nil)
	return err
}

// Choices answers an autocompletion. Discord takes 25 suggestions; more, and
// those that are blank or too long, are left out.
func (r *REST) Choices(ctx context.Context, req Request, list []view.Choice) error {
	data := struct {
		Choices []choice `json:"choices"`
	}{encodeChoices(list)}
	_, _, err := r.callback(ctx, req, answer{answerAutocompleted, data}, nil)
	return err
}

// callback sends a first answer. Discord takes one for each interaction, so
// that another try does no harm: where an earlier one got through, the refusal
// of the later is a success.
func (r *REST) callback(ctx context.Context, req Request, a answer, files []file) (body []byte, twice bool, err error) {
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

// EditOriginal changes the first answer to an interaction, or the message of
// the button after [REST.DeferUpdate], and returns the message's ID. It works for 15 min
// after the interaction.
func (r *REST) EditOriginal(ctx context.Context, req Request, m view.Message, picture []byte) (string, error) {
	msg, files := r.encode(m, picture)
	msg.Flags = 0
	return r.message(ctx, call{
		method: http.MethodPatch, op: "/webhooks/{app}/{token}/messages/@original",
		path:    webhookPath(req) + "/messages/@original",
		payload: msg, files: files, again: true, secret: req.Token,
	})
}

// original asks for the ID of the first answer.
func (r *REST) original(ctx context.Context, req Request) (string, error) {
	return r.message(ctx, call{
		method: http.MethodGet, op: "/webhooks/{app}/{token}/messages/@original",
		path:  webhookPath(req) + "/messages/@original",
		again: true, secret: req.Token,
	})
}

// FollowUp sends one more message after the first answer, within 15 min of the
// interaction, and returns its ID.
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

// Post sends a message to a channel and returns its ID. The nonce, of at most
// 25 bytes, makes it harmless to send the same again for some minutes: Discord
// then returns the first message. With "" it is sent at most once. A private
// message is refused with [ErrPrivate].
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

// Edit changes a message of ours in a channel, however old. A private message
// is refused with [ErrPrivate]: use [REST.EditOriginal].
func (r *REST) Edit(ctx context.Context, channel, message string, m view.Message, picture []byte) error {
	if m.Private {
		return ErrPrivate
	}
	msg, files := r.encode(m, picture)
	_, err := r.message(ctx, editCall(channel, message, msg, files))
	return err
}

// StripButtons takes the buttons off a message of ours in a channel and leaves
// the rest as it is.
func (r *REST) StripButtons(ctx context.Context, channel, message string) error {
	_, err := r.message(ctx, editCall(channel, message, struct {
		Components      []actionRow     `json:"components"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{[]actionRow{}, nobody()}, nil))
	return err
}

func editCall(channel, message string, payload any, files []file) call {
	return call{
		method: http.MethodPatch, op: "/channels/{channel}/messages/{message}",
		path:   "channels/" + url.PathEscape(channel) + "/messages/" + url.PathEscape(message),
		bucket: "edit " + channel, payload: payload, files: files, again: true,
	}
}

// message makes a call that is answered with a message and returns its ID.
func (r *REST) message(ctx context.Context, c call) (string, error) {
	var got struct {
		ID string `json:"id"`
	}
	return got.ID, r.get(ctx, c, &got)
}

// get makes a call that is answered with JSON.
func (r *REST) get(ctx context.Context, c call, to any) error {
	body, _, err := r.do(ctx, c)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, to); err != nil {
		// Something between us and Discord answered in its place.
		return &Error{Op: c.method + " " + c.op, Status: http.StatusOK, kind: ErrUnavailable, Text: "answer is not what it should be"}
	}
	return nil
}

// encode writes a message and logs what had to be mended.
func (r *REST) encode(m view.Message, picture []byte) (message, []file) {
	msg, files, faults := encode(m, picture)
	if faults != nil {
		r.log.Error("message mended before it was sent", "faults", faults)
	}
	return msg, files
}

// Account is who the token belongs to.
type Account struct {
	App  string       // the application's ID
	User match.UserID // the bot's
	Name string       // the bot's
	// Endpoint is where the application has Discord send interactions in place
	// of the gateway, "" for the gateway.
	Endpoint string
}

// Self asks who the token belongs to.
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
	if a.User == "" { // an answer without the bot: it has the application's ID
		a.User = match.UserID(got.ID)
	}
	if a.Name == "" {
		a.Name = got.Name
	}
	return a, nil
}

// InGuild asks whether the application is in a guild. False is certain: Discord
// has said that it knows of no such guild or lets us see nothing of it. Anything
// else that is no yes is an error.
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
		return false, &Error{Op: c.method + " " + c.op, Status: http.StatusOK, kind: ErrUnavailable, Text: "answer is about another guild"}
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

// RegisterCommands replaces all global commands of the application. Discord
// shows them at once and counts new ones: 200 a day.
func (r *REST) RegisterCommands(ctx context.Context, app string, list []CommandSpec) error {
	if list == nil {
		list = []CommandSpec{}
	}
	var got json.RawMessage
	return r.get(ctx, call{
		method: http.MethodPut, op: "/applications/{app}/commands",
		path:   "applications/" + url.PathEscape(app) + "/commands",
		bucket: "commands", payload: list, again: true,
	}, &got)
}
