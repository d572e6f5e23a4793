package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/render"
)

// The answers about a person rather than one game. All are for that person alone.

func (b *Bot) help(_ context.Context, c *call, _ intent.Help) answer {
	return c.private(view.Help(c.lang, c.look))
}

func (b *Bot) rules(_ context.Context, c *call, in intent.Rules) answer {
	return c.private(view.Rules(c.lang, c.look, in.Page))
}

func (b *Bot) games(ctx context.Context, c *call, in intent.Games) answer {
	list, err := b.service.Games(ctx, c.who.ID)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	return c.private(view.Games(c.lang, c.who.ID, list, in.Page))
}

func (b *Bot) look(ctx context.Context, c *call, in intent.Look) answer {
	if in.Theme != "" {
		if _, err := render.ParseTheme(in.Theme); err != nil {
			return b.refuse(c, fmt.Errorf("%w: theme: %w", discord.ErrOptions, err), nil)
		}
	}
	set, running, err := b.service.SetLook(ctx, c.who, in)
	switch {
	case errors.Is(err, play.ErrNotManager):
		return c.private(b.problem(c, err, nil))
	case err != nil:
		return b.refuse(c, err, nil)
	}
	return c.private(view.Sample(c.lang, c.withFiles(b.styled(set)), in.Everyone, running))
}

func (b *Bot) setBlock(ctx context.Context, c *call, in intent.SetBlock) answer {
	if err := b.service.Block(ctx, c.who, in.User, in.On); err != nil {
		return b.refuse(c, err, nil)
	}
	key := i18n.Unblocked
	if in.On {
		key = i18n.Blocked
	}
	return c.private(view.Said(c.lang, key))
}

func (b *Bot) keeping() view.Keeping {
	return view.Keeping{Finished: b.opt.KeepFinished, Removed: b.opt.KeepRemoved, Copies: b.opt.KeepCopies}
}

func (b *Bot) myData(ctx context.Context, c *call, _ intent.MyData) answer {
	d, err := b.service.Stored(ctx, c.who.ID)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	return c.private(view.MyData(c.lang, d, b.keeping()))
}

func (b *Bot) exportData(ctx context.Context, c *call, _ intent.ExportData) answer {
	file, left, err := b.service.Export(ctx, c.who.ID)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	return c.private(view.ExportData(c.lang, file, left))
}

func (b *Bot) askDeleteData(_ context.Context, c *call, _ intent.AskDeleteData) answer {
	return c.private(view.AskDeleteData(c.lang, c.who.ID, false))
}

func (b *Bot) keepData(_ context.Context, c *call, _ intent.KeepData) answer {
	return c.private(view.Said(c.lang, i18n.DataKept))
}

func (b *Bot) deleteData(ctx context.Context, c *call, in intent.DeleteData) answer {
	b.copies.forget(c.who.ID) // before a deletion that ends games shows them there
	defer b.copies.forget(c.who.ID)
	defer b.privates.forget(c.who.ID)
	any, err := b.service.DeleteData(ctx, c.who.ID, in, c.req.MessageCreated)
	switch {
	case errors.Is(err, play.ErrAskedLongAgo):
		// In a new message, or its age would be the old one's.
		return answer{msg: view.AskDeleteData(c.lang, c.who.ID, true)}
	case errors.Is(err, play.ErrNotAsked):
		return b.refuse(c, err, nil)
	case err != nil:
		return c.private(b.problem(c, err, nil))
	}
	return c.private(view.DataDeleted(c.lang, any, b.keeping()))
}
