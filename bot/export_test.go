package bot

import (
	"context"
	"time"
)

// DeferAfter makes a bot defer its answers after another time than in real life.
func (b *Bot) DeferAfter(d time.Duration) { b.deferAfter = d }

// Sweep does what the bot does every half minute with what is due.
func (b *Bot) Sweep(ctx context.Context) { b.service.Sweep(ctx) }

// DoneStays makes messages about what a press has done go after another time.
func (b *Bot) DoneStays(d time.Duration) {
	b.privates.mu.Lock()
	defer b.privates.mu.Unlock()
	b.privates.stays = d
}
