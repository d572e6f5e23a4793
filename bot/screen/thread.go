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

// threadTime bounds the start of a thread, which keeps a board waiting.
const threadTime = 5 * time.Second

// intoThread starts the thread that a game is to have, from the message that shows it,
// and moves the game there. A start that was cut short before that was stored gives the
// same thread again. Whatever else keeps Discord from starting one, the game stays where
// it is, and the words for people that say so are returned.
func (k *Keeper) intoThread(ctx context.Context, games Games, r *storage.Record) (words i18n.Key, err error) {
	channel, message := r.Screen.Channel, r.Screen.Message
	if !r.ToThread() || message == "" || channel != r.Place.Channel { // a message comes first
		return "", nil
	}
	once, cancel := context.WithTimeout(ctx, threadTime)
	id, err := k.opt.Poster.StartThreadFrom(once, channel, message, view.ThreadName(i18n.For(r.Place.Locale), &r.Match))
	cancel()
	to := storage.Place{Channel: id, Thread: storage.ThreadOpen, Parent: channel}
	switch {
	case err == nil:
	case ctx.Err() != nil: // the program stops
		return "", err
	default:
		k.opt.Log.WarnContext(ctx, "could not start a thread for a game, which stays in its channel", "game", r.Match.ID, "err", err)
		to, words = storage.Place{Channel: channel}, i18n.ErrNoThread
	}
	return words, games.Moved(ctx, r, to)
}

// outOfThread moves a game back to where it began if its thread is gone, as Discord's
// answer says, and reports whether it did.
func (k *Keeper) outOfThread(ctx context.Context, games Games, r *storage.Record, answer error) bool {
	parent := r.Place.Parent
	if !errors.Is(answer, discord.ErrNoChannel) || parent == "" || parent == r.Place.Channel {
		return false
	}
	if err := games.Moved(ctx, r, storage.Place{Channel: parent, Parent: parent}); err != nil {
		k.opt.Log.WarnContext(ctx, "could not record that a game's thread is gone; will retry", "game", r.Match.ID, "err", err)
		return false
	}
	r.Screen.Turn, r.Screen.Told, r.Screen.Teller = time.Time{}, time.Time{}, "" // nobody knows since when it is gone
	return true
}

// archive archives the thread of a game that ended a while ago, once: whoever opens it
// again finds it open. Where another game goes on in it, it stays as it is.
func (k *Keeper) archive(ctx context.Context, games Games, r *storage.Record) error {
	idle, err := games.Idle(ctx, r.Place.Channel)
	if err != nil {
		return err
	}
	if idle {
		err = k.opt.Poster.ArchiveThread(ctx, r.Place.Channel)
		if err != nil && !refusal(err) {
			return err
		}
	}
	return games.Moved(context.WithoutCancel(ctx), r, storage.Place{Channel: r.Place.Channel, Thread: storage.ThreadClosed, Parent: r.Place.Parent})
}
