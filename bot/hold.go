package bot

import (
	"context"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/intent"
)

const (
	// pressPatience is how long a button waits for the screen that it is about. After
	// that it is decided anyway, and who holds the screen leaves it to be refreshed.
	// holdTime is how long commands and choices wait, which the store does not keep.
	pressPatience = time.Second
	holdTime      = 20 * time.Second
)

// hold keeps others from changing the screen that an interaction is about to
// change, until release is called. Others who hold the screen have sent something
// that is not confirmed, and what comes after it must be sent after it; held is
// false if they have held it for the whole patience.
func (b *Bot) hold(ctx context.Context, c *call, row row, patience time.Duration) (release func(), held bool) {
	id := row.screen(c)
	if in, ok := c.in.(intent.Rematch); ok {
		id = b.service.RematchID(ctx, c.who, in.Ref)
	}
	if id == "" {
		return func() {}, true
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if unlock := b.screens.Lock(ctx, id); unlock != nil {
		return unlock, true
	}
	return func() { b.screens.Refresh(id) }, false
}

// answerHeld makes the answer of a handler, which may be sent: to a screen only by
// who holds it. A press that has waited in vain is decided and leaves the screen to
// a refresh; a choice waits on, since nothing else shows it.
func (b *Bot) answerHeld(ctx context.Context, c *call, row row) answer {
	patience := holdTime
	if c.req.Kind == discord.Button {
		patience = pressPatience
	}
	release, held := b.hold(ctx, c, row, patience)
	c.release, c.held = release, held
	a := row.answer(b, ctx, c, c.in)
	if held || a.game == nil || c.req.Kind != discord.Button {
		return a
	}
	if a.choice {
		if release, held = b.hold(ctx, c, row, holdTime); held {
			c.release = release
			return row.answer(b, ctx, c, c.in) // the game may have gone on
		}
	}
	return answer{later: true}
}
