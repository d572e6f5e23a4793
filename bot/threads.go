package bot

import (
	"context"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

const (
	// reopenTime bounds how long an answer waits for its thread to be opened.
	reopenTime = time.Second
	// lockedEvery is how often a person hears of locked threads by a direct message.
	lockedEvery = 10 * time.Minute
)

// reopen opens the archived thread that an interaction comes from: nothing can be
// answered there before. A locked one stays as it is.
func (b *Bot) reopen(ctx context.Context, c *call) {
	if !c.req.Archived || c.req.Locked || c.req.Kind == discord.Autocomplete {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reopenTime)
	defer cancel()
	if err := b.rest.ReopenThread(ctx, c.req.Channel); err != nil {
		c.log.WarnContext(ctx, "could not open an archived thread for an answer", "err", err)
	}
}

// lockedOut reports whether an interaction comes from a locked thread, where nothing could
// be shown. Then nothing is done, and the person is told: there, where Discord takes that,
// and else by a direct message.
func (b *Bot) lockedOut(ctx context.Context, c *call) bool {
	if !c.req.Locked || c.req.CanManageThreads() || c.req.Kind == discord.Autocomplete {
		return false
	}
	msg := view.Locked(c.lang, c.req.Guild, c.req.Channel)
	if _, err := b.rest.Respond(ctx, c.req, msg, nil); b.first(ctx, c, false, err) || b.locked.Take(c.who.ID, b.now()) > 0 {
		return true
	}
	msg.Private = false
	if _, err := b.direct(ctx, c.who.ID, msg, c.req.ID); err != nil {
		c.log.WarnContext(ctx, "could not tell a person that a thread is locked", "err", err)
	}
	return true
}

// Shown implements [screen.Games]. Private copies say whether the board that everybody
// sees can be shown, so they follow when that changes.
func (g shownGames) Shown(ctx context.Context, r storage.Record, by storage.Screen) {
	g.Service.Shown(ctx, r, by)
	if r.Screen.Refused > 0 {
		g.bot.copies.follow(r.Match.ID)
	}
}

// Refused implements [screen.Games].
func (g shownGames) Refused(ctx context.Context, r storage.Record, again time.Time) {
	g.Service.Refused(ctx, r, again)
	g.bot.copies.follow(r.Match.ID)
}
