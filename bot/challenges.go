package bot

import (
	"context"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
)

// The answers about challenges to whoever comes first, the list of challenges, and the
// games that moderators end.

func (b *Bot) open(ctx context.Context, c *call, in intent.Open) answer {
	r, err := b.service.Open(ctx, c.who, in)
	return b.shown(ctx, c, r, err)
}

func (b *Bot) join(ctx context.Context, c *call, in intent.Join) answer {
	r, err := b.service.Join(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	a := b.screen(ctx, c, r, nil, false).of(&r)
	a.acted = r.Match.Version
	return a
}

func (b *Bot) challenges(ctx context.Context, c *call, _ intent.Challenges) answer {
	received, made, err := b.service.Challenges(ctx, c.who.ID)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	return c.private(view.Challenges(c.lang, received, made))
}

func (b *Bot) askStop(ctx context.Context, c *call, in intent.AskStop) answer {
	list, err := b.service.Stoppable(ctx, c.who, in.Ref)
	switch {
	case err != nil:
		return c.private(b.problem(c, err, nil))
	case len(list) == 1:
		return c.private(view.AskStop(c.lang, &list[0].Match)).of(&list[0])
	}
	return c.private(view.WhichStop(c.lang, list))
}

// stop ends a game, and shows its end in a new message, which tells its players.
func (b *Bot) stop(ctx context.Context, c *call, in intent.Stop) answer {
	r, err := b.service.Stop(ctx, c.who, in.Ref)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	a := b.screen(ctx, c, r, nil, true).of(&r)
	a.acted = r.Match.Version
	return a
}

func (b *Bot) letBe(_ context.Context, c *call, _ intent.LetBe) answer {
	return c.private(view.Said(c.lang, i18n.StopKept))
}

// gameChoices suggests games while somebody types which one is meant: the person's own
// or, where stop is set, those of the channel that the person may end.
func (b *Bot) gameChoices(ctx context.Context, c *call, stop bool, typed string) ([]view.Choice, error) {
	if stop {
		list, err := b.service.Stoppable(ctx, c.who, intent.Ref{})
		return view.StopChoices(c.lang, list, typed), err
	}
	games, err := b.service.Games(ctx, c.who.ID)
	return view.GameChoices(c.lang, c.who.ID, hereFirst(c, games), typed), err
}
