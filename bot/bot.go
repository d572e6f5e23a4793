package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// How the machine's pool is bounded.
const (
	waitingPerShare = 1000
	waitingTotal    = 10000
)

// How a stop proceeds. Together they stay below the twenty seconds that service
// managers allow.
const (
	drainHandlers = 8 * time.Second
	drainScreens  = 6 * time.Second
)

// Options are what a bot is made of. Token, Store and Log are required.
type Options struct {
	Token     string
	API       string            // scheme and host of a Discord-compatible server, "" for Discord
	Transport http.RoundTripper // nil for the default
	Store     storage.Store
	Renderer  *render.Renderer // nil for one with defaults
	Workers   int              // searches at the same time, at least 1
	HashBytes int              // size of each searcher's table
	Now       func() time.Time // nil for time.Now
	Log       *slog.Logger
}

// Bot is the bot. Make one with [New].
type Bot struct {
	opt      Options
	log      *slog.Logger
	rest     *discord.REST
	gateway  *discord.Gateway
	pool     *turns.Pool
	service  *play.Service
	screens  *screens
	renderer *render.Renderer
	now      func() time.Time
}

// New makes a bot; it does nothing until [Bot.Run]. The error is about the API's
// address.
func New(opt Options) (*Bot, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Renderer == nil {
		opt.Renderer = render.New(render.Options{})
	}
	settings := opt.discord()
	rest, err := discord.NewREST(settings)
	if err != nil {
		return nil, err
	}
	b := &Bot{opt: opt, log: opt.Log, rest: rest, renderer: opt.Renderer, now: opt.Now}
	b.gateway, err = discord.NewGateway(discord.GatewaySettings{Settings: settings, Drain: drainHandlers})
	if err != nil {
		return nil, err
	}
	b.pool = turns.New(turns.Options{
		Workers: opt.Workers, PerShare: waitingPerShare, Total: waitingTotal,
		NewThinker: func() turns.Thinker { return ai.NewSearcher(opt.HashBytes) },
	})
	b.screens = newScreens(b)
	b.service = play.New(play.Options{Store: opt.Store, Machine: b.pool, Screen: b.screens, Now: opt.Now, Log: opt.Log})
	return b, nil
}

// Run registers the commands when they differ, connects, and serves until ctx
// ends or the token is refused. Then it stops in order: no new interactions, wait
// for the running ones, stop thinking, bring the screens up to date. The store
// stays open.
func (b *Bot) Run(ctx context.Context) error {
	if err := register(ctx, b.rest, b.log); err != nil {
		if Refused(err) || ctx.Err() != nil {
			return err
		}
		// Discord may be out of order for a while; the commands registered
		// before still work.
		b.log.ErrorContext(ctx, "the commands could not be registered; trying again at the next start", "err", err)
	}

	// Work goes on while the handlers of a stopping gateway finish.
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.run(work)
	}()

	err := b.gateway.Run(ctx, b.interaction) // returns when its handlers have
	last, cancel := context.WithTimeout(work, drainScreens)
	b.screens.drain(last)
	cancel()
	stopWork()
	<-done
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// run does the work that is not tied to one interaction.
func (b *Bot) run(ctx context.Context) {
	parts := []func(context.Context) error{b.pool.Run, b.service.Run, b.screens.run}
	finished := make(chan struct{})
	for _, part := range parts {
		go func() {
			if err := part(ctx); err != nil {
				b.log.ErrorContext(ctx, "a part of the bot has stopped", "err", err)
			}
			finished <- struct{}{}
		}()
	}
	for range parts {
		<-finished
	}
}

// Ready reports whether the bot is connected to Discord.
func (b *Bot) Ready() bool { return b.gateway.Connected() }

// Register makes Discord's list of commands the program's own, writing it only
// when it differs. Run does it too; this is for those who want it done before. Of
// the options it uses Token, API, Transport and Log.
func Register(ctx context.Context, opt Options) error {
	rest, err := discord.NewREST(opt.discord())
	if err != nil {
		return err
	}
	return register(ctx, rest, opt.Log)
}

func (o *Options) discord() discord.Settings {
	return discord.Settings{Token: o.Token, Base: o.API, Transport: o.Transport, Log: o.Log}
}

func register(ctx context.Context, rest *discord.REST, log *slog.Logger) error {
	me, err := rest.Self(ctx)
	if err != nil {
		return fmt.Errorf("asking Discord who we are: %w", err)
	}
	wanted := Commands()
	have, err := rest.RegisteredCommands(ctx, me.App)
	if err != nil {
		return fmt.Errorf("reading the registered commands: %w", err)
	}
	if discord.Same(have, wanted) {
		return nil
	}
	if err := rest.RegisterCommands(ctx, me.App, wanted); err != nil {
		return fmt.Errorf("registering the commands: %w", err)
	}
	log.InfoContext(ctx, "commands registered", "count", len(wanted))
	return nil
}

// Refused reports whether an error of [Bot.Run] or [Register] is Discord's last
// word: starting again is of no use before the operator has changed something.
func Refused(err error) bool {
	for _, last := range []error{discord.ErrBadToken, discord.ErrIntents, discord.ErrSharding, discord.ErrVersion} {
		if errors.Is(err, last) {
			return true
		}
	}
	return false
}

// Commands returns the program's commands in every language.
func Commands() []discord.CommandSpec {
	tr := func(locale, key string) string { return i18n.For(locale).T(i18n.Key(key)) }
	return discord.Commands(tr, i18n.Locales()[1:]) // English, the first, is the base
}

// interaction answers one interaction. The gateway bounds how many run at a
// time, recovers from panics and drops repeated deliveries.
func (b *Bot) interaction(ctx context.Context, i *discordgo.InteractionCreate) {
	begin := b.now()
	req, err := discord.Decode(i.Interaction)
	log := b.log.With("interaction", req.ID, "kind", req.Kind.String())
	b.serve(ctx, log, req, err)
	log.DebugContext(ctx, "interaction served", "took", b.now().Sub(begin), "intent", fmt.Sprintf("%T", req.Intent))
}
