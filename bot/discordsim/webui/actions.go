package webui

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/check"
)

const (
	// maxBody is more than the longest message or command needs, in bytes.
	maxBody = 256 << 10
	// maxForm is the same of a form, which may have ten files, written with a third
	// more characters.
	maxForm = maxBody + 10*check.MaxFileSize*4/3
)

// actionView is the answer to an action: the messages that it touched, as the
// user sees them now, a form to fill in, or suggestions.
type actionView struct {
	Messages []messageView `json:"messages"`
	Modal    *modalView    `json:"modal,omitempty"`
	Choices  []choiceView  `json:"choices,omitempty"`
}

type modalView struct {
	Token string            `json:"token"`
	Form  *discordsim.Modal `json:"form"`
}

// action reads a JSON body and answers with what do returns.
func action[T any](do func(context.Context, userView, T) (any, error)) func(http.ResponseWriter, *http.Request, userView) {
	return func(w http.ResponseWriter, r *http.Request, me userView) {
		var body T
		if err := readJSON(w, r, &body); err != nil {
			writeError(w, err)
			return
		}
		answer, err := do(r.Context(), me, body)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, answer)
	}
}

func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	// Only JSON: another site's form cannot send it without a preflight request.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &apiError{http.StatusUnsupportedMediaType, CodeBadRequest, "send the body as Content-Type: application/json"}
	}
	limit := int64(maxBody)
	if _, form := v.(*modalBody); form {
		limit = maxForm
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if err := decoder.Decode(v); err != nil {
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			return &apiError{http.StatusRequestEntityTooLarge, CodeBadRequest, "the body is too long"}
		}
		return badRequest("the body is not the JSON expected: " + err.Error())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return badRequest("the body holds more than one JSON value")
	}
	return nil
}

type sayBody struct {
	Channel string `json:"channel"`
	Text    string `json:"text"`
}

func (u *ui) say(ctx context.Context, me userView, body sayBody) (any, error) {
	message, err := u.sim.As(me.ID).Say(ctx, body.Channel, body.Text)
	if err != nil {
		return nil, err
	}
	view := actionView{Messages: []messageView{}}
	if said, ok := u.readMessage(me, body.Channel, message.ID); ok {
		view.Messages = append(view.Messages, said)
	}
	return view, nil
}

type commandBody struct {
	Channel string         `json:"channel"`
	Command string         `json:"command"`
	Options map[string]any `json:"options"`
}

func (u *ui) command(ctx context.Context, me userView, body commandBody) (any, error) {
	for name, value := range body.Options {
		switch value.(type) {
		case string, bool, json.Number:
		default:
			return nil, badRequest("option " + name + " must be a text, a number, true or false")
		}
	}
	reply, err := u.sim.As(me.ID).Slash(ctx, body.Channel, body.Command, body.Options)
	return u.answer(me, body.Channel, "", reply, err)
}

type clickBody struct {
	Channel   string `json:"channel"`
	Message   string `json:"message"`
	Component string `json:"component"` // its custom ID
}

func (u *ui) click(ctx context.Context, me userView, body clickBody) (any, error) {
	reply, err := u.sim.As(me.ID).Click(ctx, body.Channel, body.Message, body.Component)
	return u.answer(me, body.Channel, body.Message, reply, err)
}

type selectBody struct {
	clickBody
	Values []string `json:"values"`
}

func (u *ui) selectValues(ctx context.Context, me userView, body selectBody) (any, error) {
	reply, err := u.sim.As(me.ID).Select(ctx, body.Channel, body.Message, body.Component, body.Values...)
	return u.answer(me, body.Channel, body.Message, reply, err)
}

type userCommandBody struct {
	Channel string `json:"channel"`
	Command string `json:"command"`
	User    string `json:"user"` // ID of the person it is about
}

func (u *ui) userCommand(ctx context.Context, me userView, body userCommandBody) (any, error) {
	reply, err := u.sim.As(me.ID).UserCommand(ctx, body.Channel, body.Command, body.User)
	return u.answer(me, body.Channel, "", reply, err)
}

type modalBody struct {
	Modal string `json:"modal"` // the token
	// Values are by custom ID: a text, true or false, a list of texts, or a list of
	// files.
	Values map[string]fieldValue `json:"values"`
}

// fieldValue is what a form's input holds, as [discordsim.Actor.Submit] wants it.
type fieldValue struct{ v any }

// UnmarshalJSON tells the kinds of values apart.
func (f *fieldValue) UnmarshalJSON(data []byte) error {
	var (
		text  string
		on    bool
		list  []string
		files []struct {
			Name string `json:"name"`
			Data []byte `json:"data"` // in base64
		}
	)
	switch {
	case json.Unmarshal(data, &text) == nil:
		f.v = text
	case json.Unmarshal(data, &on) == nil:
		f.v = on
	case json.Unmarshal(data, &list) == nil:
		f.v = list
	case json.Unmarshal(data, &files) == nil:
		uploads := []discordsim.Upload{}
		for _, file := range files {
			uploads = append(uploads, discordsim.Upload{Filename: file.Name, Data: file.Data})
		}
		f.v = uploads
	default:
		return errors.New("a value is a text, true or false, a list of texts, or a list of files")
	}
	return nil
}

func (u *ui) modal(ctx context.Context, me userView, body modalBody) (any, error) {
	modal, ok := u.modals.get(me.ID, body.Modal)
	if !ok {
		return nil, notFound("this form is no longer open")
	}
	values := map[string]any{}
	for id, value := range body.Values {
		values[id] = value.v
	}
	reply, err := u.sim.As(me.ID).Submit(ctx, modal, values)
	if err == nil {
		u.modals.drop(body.Modal)
	}
	return u.answer(me, "", "", reply, err)
}

type dismissBody struct {
	Channel string `json:"channel"`
	Message string `json:"message"`
}

func (u *ui) dismiss(_ context.Context, me userView, body dismissBody) (any, error) {
	return actionView{Messages: []messageView{}}, u.sim.As(me.ID).Dismiss(body.Channel, body.Message)
}

type dmBody struct {
	User string `json:"user"` // ID of the other side
}

// openDM gives the channel of the user's direct messages with the bot or a person.
func (u *ui) openDM(_ context.Context, me userView, body dmBody) (any, error) {
	channel := u.sim.As(me.ID).OpenDMWith(body.User)
	if channel == "" {
		return nil, notFound("there is nobody to write to")
	}
	return map[string]string{"channel": channel}, nil
}

type switchBody struct {
	Installed *bool `json:"installed"`
	DMClosed  *bool `json:"dmClosed"`
}

// setSwitches changes what the user decides about the application.
func (u *ui) setSwitches(_ context.Context, me userView, body switchBody) (any, error) {
	if body.Installed != nil {
		u.sim.SetInstalled(me.ID, *body.Installed)
	}
	if body.DMClosed != nil {
		u.sim.SetDMClosed(me.ID, *body.DMClosed)
	}
	return actionView{Messages: []messageView{}}, nil
}

// answer shows the bot's first answer and the message whose component was
// pressed, as they are now.
func (u *ui) answer(me userView, channel, carrier string, reply *discordsim.Reply, err error) (any, error) {
	if errors.Is(err, discordsim.ErrNoAnswer) && !u.sim.BotOnline() {
		return nil, &apiError{http.StatusServiceUnavailable, CodeBotOffline, "the bot is not connected"}
	}
	if err != nil {
		return nil, err
	}
	view := actionView{Messages: []messageView{}}
	add := func(channel, id string) {
		if message, ok := u.readMessage(me, channel, id); ok {
			view.Messages = append(view.Messages, message)
		}
	}
	if carrier != "" {
		add(channel, carrier)
	}
	if reply.MessageID != "" && reply.MessageID != carrier {
		add(reply.ChannelID, reply.MessageID)
	}
	if reply.Modal != nil {
		view.Modal = &modalView{u.modals.put(me.ID, reply.Modal), reply.Modal}
	}
	return view, nil
}

type autocompleteBody struct {
	Channel string         `json:"channel"`
	Command string         `json:"command"`
	Options map[string]any `json:"options"` // those filled in already
	Option  string         `json:"option"`  // the one being typed
	Text    string         `json:"text"`
}

func (u *ui) autocomplete(ctx context.Context, me userView, body autocompleteBody) (any, error) {
	choices, err := u.sim.As(me.ID).Complete(ctx, body.Channel, body.Command, body.Options, body.Option, body.Text)
	if err != nil {
		return nil, err
	}
	return actionView{Choices: viewChoices(choices, me.Locale)}, nil
}
