package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// How people are told of something as they, or their server, want to be told.

// shownGames are the games as a screen.Keeper sees them.
type shownGames struct {
	*play.Service
	bot *Bot
}

// Reach implements [screen.Games].
func (g shownGames) Reach(ctx context.Context, r *storage.Record) (left []match.UserID, err error) {
	for _, u := range r.Unaware() {
		switch g.MentionOf(ctx, u, r.Place.Guild) {
		case storage.MentionQuiet:
			continue
		case storage.MentionDM:
			lang := i18n.For(g.LocaleOf(ctx, u, r.Place.Locale))
			told, err := g.bot.direct(ctx, u, view.Direct(lang, r, u), nonceOf(u, r.Match.ID, r.Match.Version))
			switch {
			case err != nil:
				return nil, err
			case told:
				continue
			}
		}
		left = append(left, u)
	}
	return left, nil
}

// tell delivers a notice: in direct messages, or where the most urgent game is played.
func (b *Bot) tell(ctx context.Context, n play.Notice) error {
	first := &n.Games[0]
	how := b.service.MentionOf(ctx, n.To, first.Place.Guild)
	if how == storage.MentionDM {
		lang := i18n.For(b.service.LocaleOf(ctx, n.To, first.Place.Locale))
		told, err := b.direct(ctx, n.To, view.Notice(lang, &n, true), nonceOf(n.To, first.Match.ID, first.Match.Version, n.Kind, n.Step, first.Ends.Unix()))
		if told || err != nil {
			return err
		}
	}
	// In a server, only its own games are named.
	for len(n.Games) > 0 {
		rest := n
		at := n.Games[0].Place
		elsewhere := func(r storage.Record) bool { return r.Place.Guild != at.Guild }
		rest.Games = slices.DeleteFunc(slices.Clone(n.Games), func(r storage.Record) bool { return !elsewhere(r) })
		n.Games = slices.DeleteFunc(slices.Clone(n.Games), elsewhere)
		if err := b.post(ctx, &n, how != storage.MentionQuiet); err != nil {
			return err
		}
		n = rest
	}
	return nil
}

// post posts a notice where its first game is played.
func (b *Bot) post(ctx context.Context, n *play.Notice, ping bool) error {
	r := &n.Games[0]
	nonce := nonceOf(n.To, r.Match.ID, r.Match.Version, n.Kind, n.Step, r.Ends.Unix())
	_, err := b.rest.Post(ctx, r.Place.Channel, view.Notice(i18n.For(r.Place.Locale), n, ping), nil, nonce)
	if errors.Is(err, discord.ErrUnavailable) || errors.Is(err, discord.ErrRateLimited) {
		return err
	}
	if err != nil { // the game's board cannot be shown there either: nobody is to blame
		b.log.WarnContext(ctx, "could not post about the time of a game", "game", r.Match.ID, "err", err)
	}
	return nil
}

// nonceOf names a message by what it is about, so that it is not posted twice.
func nonceOf(about ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, about...))
	return hex.EncodeToString(sum[:12])
}

// direct sends a direct message. It returns false if the person takes none from the
// application; with an error, it may work later.
func (b *Bot) direct(ctx context.Context, to match.UserID, m view.Message, nonce string) (told bool, err error) {
	channel, err := b.dms.open(ctx, b.rest, to)
	if err == nil {
		_, err = b.rest.Post(ctx, channel, m, nil, nonce)
	}
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, discord.ErrUnavailable), errors.Is(err, discord.ErrRateLimited), ctx.Err() != nil:
		return false, err
	}
	b.log.DebugContext(ctx, "somebody takes no direct messages", "err", err)
	return false, nil
}

// maxDMs is how many people's direct messages are known at a time.
const maxDMs = 10_000

// dms knows the channels of direct messages that have been opened: they never change,
// and Discord does not want them to be opened often. The zero value is ready.
type dms struct {
	mu sync.Mutex
	of map[match.UserID]string
}

func (d *dms) open(ctx context.Context, rest *discord.REST, to match.UserID) (string, error) {
	d.mu.Lock()
	channel, ok := d.of[to]
	d.mu.Unlock()
	if ok {
		return channel, nil
	}
	channel, err := rest.OpenDM(ctx, to)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil || len(d.of) >= maxDMs {
		d.of = map[match.UserID]string{}
	}
	d.of[to] = channel
	return channel, nil
}
