package screen

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// away is how long somebody has to be silent before a new message, which
	// notifies, is better than an edit, which does not.
	away = 3 * time.Minute
	// oldMessage is the age from which a board is posted again; Discord limits
	// edits of messages older than an hour.
	oldMessage = 50 * time.Minute
)

// PostAgain reports whether a game is better shown in a new message than in the
// one that was made at a time: that one is old, or somebody whom the message is
// for, other than the one who acted, has been silent for so long that an edit
// would go unnoticed.
func PostAgain(m *match.Match, actor match.UserID, notify []match.UserID, made, now time.Time) bool {
	if now.Sub(made) > oldMessage {
		return true
	}
	for _, u := range notify {
		if seat, err := m.SeatOf(u); err == nil && u != actor && now.Sub(m.Seen[seat]) > away {
			return true
		}
	}
	return false
}

// refresh makes a game's screen show the newest version. A channel that is
// closed to the bot is given up until somebody there uses the bot again; other
// failures are left to the next sweep.
func (k *Keeper) refresh(ctx context.Context, games Games, id match.ID) error {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	unlock := k.tryLock(id)
	if unlock == nil {
		return nil // it is queued again
	}
	defer unlock()
	r, err := games.Load(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	if r.Screen.Version >= r.Match.Version {
		return nil
	}
	next := storage.Screen{Channel: r.Place.Channel, Message: r.Screen.Message, Version: r.Match.Version}
	if r.Screen.Channel != "" {
		next.Channel = r.Screen.Channel
	}
	message, err := k.show(ctx, &r, view.LookFrom(games.PublicLook(ctx, &r)))
	switch {
	case err == nil:
		next.Message = message
	case errors.Is(err, discord.ErrChannelGone), errors.Is(err, discord.ErrForbidden), errors.Is(err, discord.ErrLocked),
		errors.Is(err, discord.ErrDMClosed), errors.Is(err, discord.ErrRejected):
		k.opt.Log.WarnContext(ctx, "the channel is closed to the bot; the game waits until somebody asks for its board", "game", id, "err", err)
	default:
		return err
	}
	games.Shown(ctx, r, next)
	return nil
}

// errNoMessage says that a game has no message yet.
var errNoMessage = errors.New("no message shows the game")

// show edits the game's message, or posts a new one where there is none that can
// be edited, and returns which message shows the game.
func (k *Keeper) show(ctx context.Context, r *storage.Record, look view.Look) (string, error) {
	err := inLettersIfForbidden(look, func(look view.Look) error { return k.edit(ctx, r, look) })
	switch {
	case errors.Is(err, errNoMessage), errors.Is(err, discord.ErrMessageGone), errors.Is(err, discord.ErrTooManyEdits),
		errors.Is(err, discord.ErrArchived):
		message := ""
		err = inLettersIfForbidden(look, func(look view.Look) (err error) {
			message, err = k.post(ctx, r, look)
			return err
		})
		return message, err
	}
	return r.Screen.Message, err
}

// inLettersIfForbidden sends a board as it should look and, where that is
// forbidden, in letters: perhaps only pictures are.
func inLettersIfForbidden(look view.Look, send func(view.Look) error) error {
	err := send(look)
	if errors.Is(err, discord.ErrForbidden) && !look.Letters {
		look.Letters = true
		err = send(look)
	}
	return err
}

// edit brings the present message up to date.
func (k *Keeper) edit(ctx context.Context, r *storage.Record, look view.Look) error {
	if r.Screen.Message == "" {
		return errNoMessage
	}
	m, picture, err := k.board(ctx, r, look)
	if err != nil {
		return err
	}
	// An answer to an interaction can be edited for a while wherever it is, also
	// where the bot itself cannot look, and outside of the limit on all of a
	// bot's calls together.
	if req, ok := k.token(r.Screen.Message); ok {
		_, err = k.opt.Poster.EditOriginal(ctx, req, m, picture)
		if !errors.Is(err, discord.ErrTokenExpired) && !errors.Is(err, discord.ErrRateLimited) {
			return err
		}
	}
	return k.opt.Poster.Edit(ctx, r.Screen.Channel, r.Screen.Message, m, picture)
}

// post shows the game in a new message.
func (k *Keeper) post(ctx context.Context, r *storage.Record, look view.Look) (string, error) {
	m, picture, err := k.board(ctx, r, look)
	if err != nil {
		return "", err
	}
	nonce := fmt.Sprintf("%s.%d", r.Match.ID, r.Match.Version) // a repeated attempt is the same message
	return k.opt.Poster.Post(ctx, r.Place.Channel, m, picture, nonce)
}

func (k *Keeper) board(ctx context.Context, r *storage.Record, look view.Look) (view.Message, []byte, error) {
	m := view.Game(i18n.For(r.Place.Locale), look, &r.Match, nil)
	picture, err := k.opt.Draw(ctx, m)
	return m, picture, err
}
