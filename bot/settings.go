package bot

import (
	"context"
	"slices"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// The answers about settings. They are for the person alone.

func (b *Bot) settings(ctx context.Context, c *call, in intent.Settings) answer {
	set, err := b.service.SettingsOf(ctx, c.who, in.Server)
	if err != nil {
		return c.private(b.problem(c, err, nil))
	}
	return c.private(b.settingsShown(c, in, &set))
}

func (b *Bot) settingsShown(c *call, in intent.Settings, set *storage.Settings) view.Message {
	at := c.who.Place
	if c.who.Parent != "" { // what is allowed in a channel is allowed in its threads
		at.Channel = c.who.Parent
	}
	return view.Settings(c.lang, in, set, at, c.who.Manages)
}

func (b *Bot) set(ctx context.Context, c *call, in intent.Set) answer {
	if !settable(in) {
		return b.refuse(c, play.ErrNoSuchSetting, nil)
	}
	set, err := b.service.Set(ctx, c.who, in)
	if err != nil {
		return b.refuse(c, err, nil)
	}
	if in.Name == intent.SetLanguage {
		b.locale(ctx, c)
	}
	return c.private(b.settingsShown(c, in.Settings(), &set))
}

// settable reports whether the application has the language or the theme that a setting
// names. Package play knows neither.
func settable(in intent.Set) bool {
	if in.Value == "" {
		return true
	}
	switch in.Name {
	case intent.SetLanguage, intent.SetServerLanguage:
		return slices.Contains(i18n.Locales(), in.Value)
	case intent.SetTheme, intent.SetServerTheme:
		_, err := render.ParseTheme(in.Value)
		return err == nil
	}
	return true
}

// locale makes a call speak the languages that the person and the server have chosen:
// Discord's own where they have not, and when the store does not answer in time.
func (b *Bot) locale(ctx context.Context, c *call) {
	c.lang = i18n.For(b.service.LocaleOf(ctx, c.who.ID, c.req.Locale))
	c.who.Place.Locale = b.service.Locale(ctx, c.who.Place)
}
