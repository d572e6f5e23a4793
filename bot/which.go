package bot

import (
	"context"
	"slices"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// reply finds out which game a command means, where it names none, and has the
// intent's handler answer. Where that is open, it asks the person instead.
func (b *Bot) reply(ctx context.Context, c *call, row row) answer {
	if c.req.GameName != "" && c.named == nil {
		if err := b.findNamed(ctx, c); err != nil {
			return b.refuse(c, err, nil)
		}
	}
	if a, ok := b.setBack(ctx, c, row); ok {
		return a
	}
	if game, ok := b.overtaken(ctx, c, row); ok {
		c.stale, c.in = true, intent.Board{Ref: intent.Ref{Game: game}}
		return b.answerHeld(ctx, c, rowOf(c.in))
	}
	if _, ok := c.in.(intent.AskStop); ok || !intent.LacksGame(c.in) {
		return b.answerHeld(ctx, c, row)
	}
	if in, ok := c.in.(intent.Move); ok {
		if c.in = b.placed(ctx, c, in); !intent.LacksGame(c.in) {
			return b.reply(ctx, c, row)
		}
	}
	meant, err := b.service.Mean(ctx, c.who, c.in, c.named)
	switch {
	case err != nil:
		return b.refuse(c, err, nil)
	case len(meant.Several) > 0:
		return c.private(view.Which(c.lang, c.who.ID, meant.Several))
	case meant.Game == "":
		if _, ok := c.in.(intent.Board); ok {
			if r, _, err := b.service.Board(ctx, c.who, intent.Ref{}); err == nil { // it has just ended
				c.in = intent.InGame(c.in, intent.Ref{Game: r.Match.ID})
				return b.answerHeld(ctx, c, row)
			}
		}
		return c.private(view.NoGameHere(c.lang, c.who.ID, meant.Elsewhere))
	}
	c.in = intent.InGame(c.in, intent.Ref{Game: meant.Game})
	a := b.answerHeld(ctx, c, row)
	if a.msg.Private {
		b.place(ctx, c, meant, &a.msg)
	}
	return a
}

// gamesNamed returns the games of the person, or those that a moderator may stop, that
// are shown by the name that they wrote.
func (b *Bot) gamesNamed(ctx context.Context, c *call) (ids []match.ID, err error) {
	_, stop := c.req.Intent.(intent.AskStop)
	list, err := b.gameChoices(ctx, c, stop, c.req.GameName)
	for _, g := range list {
		ids = append(ids, match.ID(g.Value))
	}
	return ids, err
}

// findNamed gives a command that names its game the one that has the name; where
// several have it, they are candidates. The error wraps storage.ErrNotFound where none
// has.
func (b *Bot) findNamed(ctx context.Context, c *call) (err error) {
	c.named, err = b.gamesNamed(ctx, c)
	switch {
	case err != nil:
		return err
	case len(c.named) == 0:
		return storage.ErrNotFound
	case len(c.named) == 1:
		c.in = intent.InGame(c.in, intent.Ref{Game: c.named[0]})
	}
	return nil
}

// placed returns a typed move with its game, where the text is the name of a
// suggestion that names one.
func (b *Bot) placed(ctx context.Context, c *call, in intent.Move) intent.Intent {
	games, err := b.service.Typing(ctx, c.who, "")
	if err != nil {
		return in
	}
	game, text := intent.ReadMove(view.MoveNamed(c.lang, games, in.Text))
	return intent.Move{Ref: intent.Ref{Game: game}, Text: text}
}

// place says in a private message which game it is about, where the person has
// several here, and where else the command is possible if it is not here.
func (b *Bot) place(ctx context.Context, c *call, meant play.Meant, msg *view.Message) {
	if meant.Others {
		if r, err := b.service.Load(ctx, meant.Game); err == nil {
			view.InGame(c.lang, &r.Match, msg)
		}
	}
	if !meant.Fits && len(meant.Elsewhere) > 0 {
		view.Elsewhere(c.lang, c.who.ID, meant.Elsewhere, msg)
	}
}

// hereFirst puts the games in the person's channel before the others.
func hereFirst(c *call, games []storage.Record) []storage.Record {
	away := func(r storage.Record) int {
		if r.Place.Channel == c.req.Channel {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(games, func(a, b storage.Record) int { return away(a) - away(b) })
	return games
}
