package bot

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
)

// How long the bot waits before it tries again to register the commands. The
// wait doubles each time.
const (
	registerWait    = 15 * time.Second
	registerLongest = 10 * time.Minute
)

// Commands returns the program's commands in every language.
func Commands() []discord.CommandSpec {
	tr := func(locale, key string) string { return i18n.For(locale).T(i18n.Key(key)) }
	var locales []string
	for _, tag := range i18n.Locales()[1:] { // English, the first, is the base
		if tag == "es" { // Discord has two, and no other name for either
			locales = append(locales, "es-ES", "es-419")
			continue
		}
		locales = append(locales, tag)
	}
	return discord.Commands(tr, locales)
}

// Register makes Discord have the program's commands as this version has them,
// writing only those that differ. Commands of others in the application's list
// stay as they are. Run does it too; this is for those who want it done before.
// Of the options it uses Token, API, Transport and Log.
func Register(ctx context.Context, opt Options) error {
	rest, err := discord.NewREST(opt.discord())
	if err != nil {
		return err
	}
	return register(ctx, rest, opt.Log)
}

func register(ctx context.Context, rest *discord.REST, log *slog.Logger) error {
	me, err := rest.Self(ctx)
	if err != nil {
		return fmt.Errorf("asking Discord who we are: %w", err)
	}
	have, err := rest.RegisteredCommands(ctx, me.App)
	if err != nil {
		return fmt.Errorf("reading the registered commands: %w", err)
	}
	missing := discord.Missing(have, Commands())
	for _, c := range missing {
		if err := rest.RegisterCommand(ctx, me.App, c); err != nil {
			return fmt.Errorf("registering the command %q: %w", c.Name, err)
		}
	}
	if len(missing) > 0 {
		log.InfoContext(ctx, "registered the commands", "count", len(missing))
	}
	return nil
}

// registerLater tries again to register the commands until it is done, ctx ends
// or Discord refuses for good. Until then those registered before still work.
func registerLater(ctx context.Context, try func(context.Context) error, log *slog.Logger) {
	for wait := registerWait; ; wait = min(2*wait, registerLongest) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		err := try(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			return
		case Refused(err):
			log.ErrorContext(ctx, "could not register the commands; giving up", "err", err)
			return
		}
		log.WarnContext(ctx, "could not register the commands; will retry", "err", err, "wait", min(2*wait, registerLongest))
	}
}
