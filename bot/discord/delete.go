package discord

import (
	"context"
	"net/http"
	"net/url"
)

// Delete removes a message that an interaction made: its first answer, or the
// follow-up of that ID if followUp is not "". It is the only way to remove a
// private message, and works for 15 minutes after the interaction. A message that
// is gone already fails with [ErrMessageGone].
func (r *REST) Delete(ctx context.Context, req Request, followUp string) error {
	c := call{
		method: http.MethodDelete, op: "/webhooks/{app}/{token}/messages/@original",
		path:  webhookPath(req) + "/messages/@original",
		again: true, secret: req.Token,
	}
	if followUp != "" {
		c.op, c.path = "/webhooks/{app}/{token}/messages/{message}", webhookPath(req)+"/messages/"+url.PathEscape(followUp)
	}
	_, _, err := r.do(ctx, c)
	return err
}
