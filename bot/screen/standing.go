package screen

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

// standingTime bounds how long somebody waits to know whether a message is there.
const standingTime = 5 * time.Second

// Standing returns nil if a message that shows a game, or has shown it, is still there,
// and else Discord's error: discord.ErrMessageGone if it is not. It makes the message
// say what it should say anyhow: to read one, the application would need a permission
// that it does not ask for. The caller holds the game's screen.
func (k *Keeper) Standing(ctx context.Context, r *storage.Record, set storage.Settings, message string) error {
	ctx, cancel := context.WithTimeout(ctx, standingTime)
	defer cancel()
	err := k.sayAgain(ctx, r, set, message)
	switch {
	case errors.Is(err, errNoMessage):
		return discord.ErrMessageGone
	case errors.Is(err, discord.ErrTooManyEdits): // it is there
		return nil
	}
	return err
}

// sayAgain edits a message so that it says what it should say.
func (k *Keeper) sayAgain(ctx context.Context, r *storage.Record, set storage.Settings, message string) error {
	if message != r.Screen.Message {
		return k.opt.Poster.EditText(ctx, r.Place.Channel, message, view.Replaced(i18n.For(r.Place.Locale), r))
	}
	var doubt discord.Doubt
	s := showing{Keeper: k, look: k.opt.Look(set)}
	ctx = discord.WithDoubt(ctx, &doubt)
	err := s.edit(ctx, r)
	if errors.Is(err, errOtherRoute) {
		err = s.edit(ctx, r)
	}
	if doubt.Any() {
		k.Unclear(r.Match.ID)
	}
	return err
}
