package bot

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/storage"
)

// hides are Discord's answers that say nothing about a message, and will not soon.
var hides = []error{discord.ErrForbidden, discord.ErrChannelGone, discord.ErrArchived, discord.ErrLocked}

// Standing implements [play.Screen].
func (s screens) Standing(ctx context.Context, r *storage.Record, look storage.Settings, message string) play.Standing {
	err := s.Keeper.Standing(ctx, r, look, message)
	switch {
	case err == nil:
		return play.Stands
	case errors.Is(err, discord.ErrMessageGone), errors.Is(err, discord.ErrNoChannel): // such as a thread
		return play.Gone
	}
	for _, h := range hides {
		if errors.Is(err, h) {
			return play.Hidden
		}
	}
	return play.Unknown
}
