package bot

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
)

// The answers about if-then lines. They are for the person alone: the opponent must
// not learn that there are any before one comes into effect.

func (b *Bot) plan(ctx context.Context, c *call, in intent.Plan) answer {
	p, err := b.service.Plan(ctx, c.who, in)
	return b.planned(ctx, c, p, err)
}

func (b *Bot) dropPlan(ctx context.Context, c *call, in intent.DropPlan) answer {
	p, err := b.service.DropPlan(ctx, c.who, in)
	return b.planned(ctx, c, p, err)
}

// planned shows a plan. A button that was drawn for an older version of the game
// leads to what can be planned now.
func (b *Bot) planned(ctx context.Context, c *call, p play.Plan, err error) answer {
	if errors.Is(err, play.ErrStale) {
		if now, again := b.service.Plan(ctx, c.who, intent.Plan{Ref: intent.Ref{Game: p.Record.Match.ID}}); again == nil {
			p, err = now, nil
		}
	}
	if err != nil {
		return c.private(b.problem(c, err, &p.Record)).of(&p.Record)
	}
	return c.private(view.Planning(c.lang, c.look, &p)).of(&p.Record)
}

// leftLines tells a person who has just been seen in a game that it has left the
// lines that they stored.
func (b *Bot) leftLines(ctx context.Context, c *call) {
	if c.in == nil || c.in.About().Game == "" || c.req.Kind == discord.Autocomplete {
		return
	}
	r, left := b.service.LeftLines(ctx, c.who, c.in.About().Game)
	if !left {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, laterTime)
	defer cancel()
	if _, err := b.rest.FollowUp(ctx, c.req, view.LeftLines(c.lang, &r), nil); err != nil {
		c.log.WarnContext(ctx, "could not say that a game has left the stored lines", "err", err)
	}
}
