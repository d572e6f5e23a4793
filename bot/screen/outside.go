package screen

import (
	"context"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

// Where the bot is not (storage.Place.Outside), a message can be changed by the token of
// an interaction whose answer it is, and nothing can be posted. Whatever else would be
// done there is dropped: the next press on a message shows the game in it.

// Reaches reports whether the message that shows a game can be changed now without a
// press on it: always, except where the bot is not and no token of the message lives.
func (k *Keeper) Reaches(r *storage.Record) bool {
	_, token := k.token(r.Screen.Message)
	return token || r.Place.Outside == ""
}

// replace says on a message where the game goes on.
func (k *Keeper) replace(ctx context.Context, r *storage.Record, old storage.Screen) error {
	m := view.Replaced(i18n.For(r.Place.Locale), r)
	if r.Place.Outside == "" && old.Channel != "" {
		return k.opt.Poster.EditText(ctx, old.Channel, old.Message, m)
	}
	if req, ok := k.token(old.Message); ok {
		return k.opt.Poster.EditOriginalText(ctx, req, m)
	}
	return nil
}
