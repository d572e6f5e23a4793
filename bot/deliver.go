package bot

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/trace"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

const (
	// laterTime bounds one try to deliver an answer after a deferral, laterTries says
	// how many there are, and laterPause how long the pause between two is.
	laterTime  = 10 * time.Second
	laterTries = 3
	laterPause = 2 * time.Second
)

// deferral says how an interaction has been answered for the time being.
type deferral uint8

const (
	notDeferred     deferral = iota
	deferredPost             // a message "is thinking", for everybody or the person alone
	deferredPrivate          // the same, known beforehand to be slow and for the person alone
	deferredUpdate           // the button's message stays as it is for now
)

// deferral defers the answer, and remembers if that may come into effect later.
func (c *call) deferral(ctx context.Context, f func(context.Context) error) error {
	var doubt discord.Doubt
	err := f(discord.WithDoubt(ctx, &doubt))
	c.unsure = err != nil && doubt.Any()
	return err
}

// first measures the first answer to an interaction, a deferral or the answer
// itself, and reports whether it was delivered.
func (b *Bot) first(ctx context.Context, c *call, deferred bool, err error) bool {
	b.measures.FirstAnswer(c.req.Kind, time.Since(c.began), deferred, err)
	if err != nil && deferred {
		c.log.WarnContext(ctx, "could not defer an answer", "err", err)
	}
	return err == nil
}

// send delivers an answer and records what the screen shows. When Discord does
// not take it, or may take it later, a screen stays behind and is refreshed.
func (b *Bot) send(ctx context.Context, c *call, a answer, how deferral) {
	var doubt discord.Doubt
	var forced discord.Forced
	ctx = discord.WithForced(discord.WithDoubt(ctx, &doubt), &forced)
	message, err := b.deliver(ctx, c, a, how)
	if errors.Is(err, discord.ErrForbidden) && (a.picture != nil || a.msg.File != nil) {
		// The permission was taken away just now. The person is told; the screen is
		// refreshed, in letters.
		if a.game != nil {
			b.screens.Refresh(a.game.Match.ID)
		}
		a = answer{msg: view.Said(c.lang, i18n.ErrNoFiles)}
		message, err = b.deliver(ctx, c, a, how)
	}
	if how == notDeferred {
		b.first(ctx, c, false, err)
	} else {
		b.measures.LaterAnswer(err)
	}
	if err == nil {
		b.measures.Answered(ctx)
		b.tidy(c, a, how, message)
		b.keepCopy(c, a, how, message)
	} else {
		// The game is saved. What everybody should see is brought about by the
		// refresh; a private sentence is lost.
		c.log.WarnContext(ctx, "could not deliver an answer", "err", err)
	}
	if a.game == nil {
		return
	}
	b.copies.follow(a.game.Match.ID)
	if err == nil && forced.Any() {
		b.unseen(ctx, c, a, how, message)
		return
	}
	if doubt.Any() {
		b.screens.Unclear(a.game.Match.ID)
	}
	if err != nil || message == "" {
		b.screens.Refresh(a.game.Match.ID)
		return
	}
	if how != deferredUpdate || a.update {
		b.screens.Remember(message, c.req) // not of a follow-up, which is another message than the original
	}
	// What has happened is recorded in any case.
	by := storage.Screen{Channel: c.req.Channel, Message: message, Version: a.game.Match.Version}
	if a.update || how == deferredPost || !view.Tells(a.game, a.msg) {
		by.Quiet = b.now() // an edit notifies nobody
	}
	b.service.Shown(context.WithoutCancel(ctx), toldAnew(*a.game, message, c.who.ID), by)
}

// deliver sends an answer and returns the ID of the message that it is now, "" if
// Discord did not say it.
func (b *Bot) deliver(ctx context.Context, c *call, a answer, how deferral) (message string, err error) {
	switch {
	case how == notDeferred && a.later:
		return "", b.rest.DeferUpdate(ctx, c.req)
	case a.later:
		return "", nil
	case how == notDeferred && a.update:
		err = b.rest.Update(ctx, c.req, a.msg, a.picture)
		if !errors.Is(err, discord.ErrMessageGone) && !errors.Is(err, discord.ErrTooManyEdits) {
			return c.req.Message, err
		}
		// The message went while its button was pressed, or cannot be changed any more; the
		// press is not answered yet.
		return b.rest.Respond(ctx, c.req, a.msg, a.picture)
	case how == notDeferred:
		message, err = b.rest.Respond(ctx, c.req, a.msg, a.picture)
		if a.game != nil && errors.Is(err, discord.ErrUnavailable) {
			// It may have got through all the same.
			ctx, cancel := context.WithTimeout(ctx, laterTime)
			defer cancel()
			if id, unknown := b.rest.Original(ctx, c.req); unknown == nil {
				return id, nil
			}
		}
		return message, err
	case how == deferredUpdate && !a.update:
		ctx, cancel := context.WithTimeout(ctx, laterTime)
		defer cancel()
		return b.rest.FollowUp(ctx, c.req, a.msg, a.picture)
	}
	// Otherwise the message goes on thinking.
	for try := 1; ; try++ {
		once, cancel := context.WithTimeout(ctx, laterTime)
		message, err = b.rest.EditOriginal(once, c.req, a.msg, a.picture)
		cancel()
		again := errors.Is(err, discord.ErrUnavailable) || c.unsure && errors.Is(err, discord.ErrTokenExpired)
		if !again || try == laterTries || !wait(ctx, laterPause) {
			return message, err
		}
	}
}

// wait reports whether it could wait so long.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// draw makes a message's picture, nil when it has none.
func (b *Bot) draw(ctx context.Context, m view.Message) ([]byte, error) {
	if m.Picture == nil {
		return nil, nil
	}
	select {
	case b.pictures <- struct{}{}:
		defer func() { <-b.pictures }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ctx, span := trace.Start(ctx, trace.Draw, "")
	begin := time.Now()
	data, err := b.renderer.PNG(ctx, m.Picture.Scene)
	b.measures.Drawn(time.Since(begin), err)
	span.End(err)
	return data, err
}
