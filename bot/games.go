package bot

import (
	"bytes"
	"context"
	"fmt"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/screen"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// The answers about one game.

// shown answers with a game's board in a new message.
func (b *Bot) shown(ctx context.Context, c *call, r storage.Record, err error) answer {
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return b.screen(ctx, c, r, nil, true)
}

func (b *Bot) play(ctx context.Context, c *call, in intent.Play) answer {
	r, err := b.service.Play(ctx, c.who, in)
	return b.shown(ctx, c, r, err)
}

func (b *Bot) challenge(ctx context.Context, c *call, in intent.Challenge) answer {
	r, err := b.service.Challenge(ctx, c.who, in)
	return b.shown(ctx, c, r, err)
}

func (b *Bot) rematch(ctx context.Context, c *call, in intent.Rematch) answer {
	r, err := b.service.Rematch(ctx, c.who, in.Ref)
	return b.shown(ctx, c, r, err)
}

// block declines a challenge and keeps its challenger from others. The message of
// the challenge says that it was declined; of the block, the person alone hears.
func (b *Bot) block(ctx context.Context, c *call, in intent.Block) answer {
	r, err := b.service.DeclineAndBlock(ctx, c.who, in)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	r, _, err = b.service.Act(ctx, c.who, in)
	if err == nil {
		b.screens.Refresh(r.Match.ID)
	}
	return answer{msg: view.Said(c.lang, i18n.Blocked)}
}

func (b *Bot) board(ctx context.Context, c *call, in intent.Board) answer {
	r, _, err := b.service.Board(ctx, c.who, in.Ref)
	return b.shown(ctx, c, r, err)
}

// act answers all intents that change a game.
func act[I intent.Intent](b *Bot, ctx context.Context, c *call, in I) answer {
	r, rest, err := b.service.Act(ctx, c.who, in)
	if err != nil {
		return c.private(b.problem(c, err, &r))
	}
	return b.screen(ctx, c, r, rest, c.req.Kind == discord.Command)
}

// screen shows a game where it belongs: in the message that the button is on; in
// a new one when fresh asks for it or an edit would not reach the person to act;
// and, after a press on a private message, in the game's own message.
func (b *Bot) screen(ctx context.Context, c *call, r storage.Record, rest []engine.Square, fresh bool) answer {
	if c.onPrivate() && !fresh {
		b.screens.Refresh(r.Match.ID)
		return answer{msg: view.Said(c.lang, i18n.Done), update: true}
	}
	look := view.LookFrom(b.service.PublicLook(ctx, &r))
	lang := i18n.For(r.Place.Locale)
	plain := !look.Letters && !c.req.CanAttach()
	look.Letters = look.Letters || plain
	m := view.Game(lang, look, &r.Match, rest)
	if plain {
		m.Text += "\n-# " + lang.T(i18n.ErrNoAttach)
	}
	if !fresh && len(rest) == 0 {
		fresh = screen.PostAgain(&r.Match, c.who.ID, m.Notify, c.req.MessageCreated, b.now())
	}
	return answer{msg: m, update: !fresh, game: &r, choice: len(rest) > 0}
}

func (b *Bot) askResign(ctx context.Context, c *call, in intent.AskResign) answer {
	r, seat, err := b.service.MayResign(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.AskResign(c.lang, &r.Match, seat))
}

func (b *Bot) keepPlaying(ctx context.Context, c *call, in intent.Keep) answer {
	r, _, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.Said(c.lang, i18n.ResignKept))
}

func (b *Bot) more(ctx context.Context, c *call, in intent.More) answer {
	r, seat, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.More(c.lang, c.look, &r.Match, seat, b.now()))
}

func (b *Bot) mySide(ctx context.Context, c *call, in intent.MySide) answer {
	r, seat, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.MySide(c.lang, c.look, &r.Match, seat))
}

func (b *Bot) hint(ctx context.Context, c *call, in intent.Hint) answer {
	r, report, err := b.service.Hint(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return answer{msg: view.Hint(c.lang, c.look, &r.Match, report)}
}

func (b *Bot) review(ctx context.Context, c *call, in intent.Review) answer {
	r, v, err := b.service.Review(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg, graph := view.Review(c.lang, c.look, &r.Match, v)
	return answer{msg: msg, file: func(context.Context) ([]byte, error) {
		var buf bytes.Buffer
		err := b.renderer.Graph(&buf, graph)
		return buf.Bytes(), err
	}}
}

func (b *Bot) film(ctx context.Context, c *call, in intent.Film) answer {
	r, _, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg, frames := view.Film(c.lang, c.look, &r.Match)
	return answer{msg: msg, file: b.animation(frames), fileKey: fmt.Sprintf("film %s %d %v", r.Match.ID, r.Match.Version, c.look.Theme)}
}

func (b *Bot) replay(ctx context.Context, c *call, in intent.Replay) answer {
	r, seat, err := b.service.LastMove(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg, frames := view.Replay(c.lang, c.look, &r.Match, seat)
	return answer{msg: msg, file: b.animation(frames), fileKey: fmt.Sprintf("move %s %d %v %v", r.Match.ID, r.Match.Version, c.look.Theme, seat)}
}

func (b *Bot) gameText(ctx context.Context, c *call, in intent.GameText) answer {
	r, _, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.GameText(c.lang, &r.Match))
}

// animation makes a file of frames.
func (b *Bot) animation(frames func() ([]render.Frame, error)) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		list, err := frames()
		if err != nil {
			return nil, err
		}
		var buf bytes.Buffer
		err = b.renderer.GIF(ctx, &buf, list, nil)
		return buf.Bytes(), err
	}
}
