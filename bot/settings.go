package bot

import (
	"context"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
)

// The answers about settings. They are for the person alone.

func (b *Bot) settings(ctx context.Context, c *call, in intent.Settings) answer {
	set, err := b.service.SettingsOf(ctx, c.who, in.Server)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	return c.private(view.Settings(c.lang, &set, in.Server, c.who.Place, c.who.Manages))
}

func (b *Bot) set(ctx context.Context, c *call, in intent.Set) answer {
	set, err := b.service.Set(ctx, c.who, in)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	if in.Name == intent.SetLanguage {
		c.lang = i18n.For(b.service.LocaleOf(ctx, c.who.ID, c.req.Locale))
	}
	return c.private(view.Settings(c.lang, &set, in.Name.Server(), c.who.Place, c.who.Manages))
}
