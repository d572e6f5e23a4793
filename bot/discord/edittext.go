package discord

import (
	"context"
	"net/http"

	"github.com/lascabot/lascabot/bot/view"
)

// EditText changes the text and the buttons of a message of the bot in a channel and
// leaves its files as they are. A private message fails with [ErrPrivate].
func (r *REST) EditText(ctx context.Context, channel, message string, m view.Message) error {
	if m.Private {
		return ErrPrivate
	}
	_, err := r.message(ctx, editCall(channel, message, r.textOnly(m), nil))
	return err
}

// EditOriginalText is [REST.EditText] for the message that [REST.EditOriginal] changes.
func (r *REST) EditOriginalText(ctx context.Context, req Request, m view.Message) error {
	_, err := r.message(ctx, call{
		method: http.MethodPatch, op: "/webhooks/{app}/{token}/messages/@original",
		path:    webhookPath(req) + "/messages/@original",
		payload: r.textOnly(m), again: true, secret: req.Token,
	})
	return err
}

// textOnly is the body of a call that leaves a message's files as they are.
func (r *REST) textOnly(m view.Message) any {
	msg, _ := r.encode(m, nil)
	return struct {
		Content         string          `json:"content"`
		Components      []actionRow     `json:"components"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{msg.Content, msg.Components, msg.AllowedMentions}
}
