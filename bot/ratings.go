package bot

import (
	"bytes"
	"context"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
)

// The answers about ratings. They are for the person who asks; a button shows them to
// everybody, in the language of the place.

// showing returns the language of an answer, or the refusal of one person's too many
// messages for everybody.
func (b *Bot) showing(c *call, show bool) (i18n.Lang, error) {
	if !show {
		return c.lang, nil
	}
	if b.public.Take(c.who.ID, b.now()) > 0 {
		return c.lang, errTooFast
	}
	return i18n.For(c.who.Place.Locale), nil
}

func (b *Bot) stats(ctx context.Context, c *call, in intent.Stats) answer {
	show := in.Show && in.User == ""
	l, err := b.showing(c, show)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	st, err := b.service.Stats(ctx, c.who, in)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	msg, graph := view.Stats(l, c.look, st, show)
	a := answer{msg: msg}
	switch {
	case msg.File == nil:
	case !c.req.CanAttach():
		a.msg.File = nil
		a.msg.Text += "\n-# " + l.T(i18n.ErrNoGraph)
	default:
		a.file = func(context.Context) ([]byte, error) {
			var buf bytes.Buffer
			err := b.renderer.Ratings(&buf, graph)
			return buf.Bytes(), err
		}
	}
	return a
}

func (b *Bot) leaderboard(ctx context.Context, c *call, in intent.Leaderboard) answer {
	l, err := b.showing(c, in.Show)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	page, err := b.service.Leaderboard(ctx, c.who, in.Page)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	msg := view.Leaderboard(l, page, c.who.Place.Guild != "", in.Show)
	if !msg.Private {
		return answer{msg: msg}
	}
	return c.private(msg)
}
