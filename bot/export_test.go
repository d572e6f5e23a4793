package bot

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
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

// RemembersPrivate waits until the bot has recorded a private message about a game, which
// it does after its reader has it.
func (b *Bot) RemembersPrivate(who match.UserID, game match.ID) {
	for {
		b.privates.mu.Lock()
		m := b.privates.by[privateKey{who, game}]
		b.privates.mu.Unlock()
		if m.req.ID != "" {
			return
		}
		runtime.Gosched()
	}
}

// Refresh has a game's screen and its copies looked at.
func (b *Bot) Refresh(id match.ID) { b.screens.Refresh(id) }

// Settled waits until no screen and no copy waits to be brought up to date.
func (b *Bot) Settled() {
	b.screens.Drain(context.Background())
	for {
		b.copies.mu.Lock()
		n := b.copies.workers
		for _, list := range b.copies.by {
			for _, c := range list {
				n += c.held
			}
		}
		b.copies.mu.Unlock()
		if n == 0 {
			return
		}
		runtime.Gosched()
	}
}

// Uploads makes a bot upload its emoji without waits, or never. Call it before Run.
func (b *Bot) Uploads(on bool) {
	b.emojis.wait = func(ctx context.Context, _ time.Duration) bool { return on && ctx.Err() == nil }
}

// EmojiUsed waits until boards are made of all emoji.
func (b *Bot) EmojiUsed() {
	for {
		if _, ok := b.emojis.set.Load().Emoji(i18n.For("en"), render.Scene{Board: engine.StartSetup(engine.Kawu)}); ok {
			return
		}
		runtime.Gosched()
	}
}

// Intents returns the names of all kinds of intent that are answered, as metrics name
// them.
func Intents() (list []string) {
	for t := range rows {
		list = append(list, strings.ToLower(t.Name()))
	}
	slices.Sort(list)
	return list
}
