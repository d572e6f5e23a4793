package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/render"
)

const (
	// emojiEvery is the time between two uploads, which leaves most of Discord's
	// budget to the games. All of them take some three minutes, once.
	emojiEvery = 500 * time.Millisecond
	// emojiWait is how long the bot waits before it tries again after a failure; it
	// doubles, up to emojiLongest.
	emojiWait    = time.Minute
	emojiLongest = time.Hour
	// emojiStep is how many uploads make a new set: boards use them as they come.
	emojiStep = 20
)

// emojiRoutes are Discord's routes for an application's emoji; discord.REST has them.
type emojiRoutes interface {
	Self(ctx context.Context) (discord.Account, error)
	AppEmoji(ctx context.Context, app string) ([]discord.AppEmoji, error)
	CreateAppEmoji(ctx context.Context, app, name string, png []byte) (discord.AppEmoji, error)
	DeleteAppEmoji(ctx context.Context, app, id string) error
}

// emojis keeps the application's emoji. Those of this version that are missing are
// uploaded, the ones that boards need most often first; then those of earlier versions
// are removed. Processes do not fight about them: the name says the version, a name
// that is taken meanwhile is used, and what is newer than one's own is left alone.
type emojis struct {
	rest emojiRoutes
	wait func(context.Context, time.Duration) bool // false when ctx has ended
	log  *slog.Logger
	set  atomic.Pointer[view.EmojiSet]
}

func newEmojis(rest emojiRoutes, log *slog.Logger) *emojis {
	e := &emojis{rest: rest, wait: wait, log: log}
	e.set.Store(view.NewEmojiSet(nil))
	return e
}

// run has the emoji uploaded and the old ones removed. It returns when that is done,
// when ctx ends, or when Discord refuses for good; boards that lack an emoji are in
// letters.
func (e *emojis) run(ctx context.Context) error {
	for pause := emojiWait; ; pause = min(2*pause, emojiLongest) {
		err := e.sync(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			return nil
		case Refused(err) || errors.Is(err, discord.ErrRejected) || errors.Is(err, discord.ErrForbidden):
			return fmt.Errorf("emoji for boards: %w", err)
		}
		var limited *discord.Error
		if errors.As(err, &limited) {
			pause = max(pause, limited.RetryAfter)
		}
		e.log.WarnContext(ctx, "could not upload the emoji for boards; will retry", "err", err, "wait", pause)
		if !e.wait(ctx, pause) {
			return nil
		}
	}
}

// sync compares the application's emoji with those that this version needs, once.
func (e *emojis) sync(ctx context.Context) error {
	me, err := e.rest.Self(ctx)
	if err != nil {
		return err
	}
	ids, list, err := e.have(ctx, me.App)
	if err != nil {
		return err
	}
	uploaded := 0
	for _, tile := range render.Tiles() {
		name := view.EmojiName(tile)
		if ids[name] != "" {
			continue
		}
		if !e.wait(ctx, emojiEvery) {
			return ctx.Err()
		}
		got, err := e.rest.CreateAppEmoji(ctx, me.App, name, tile.PNG())
		if errors.Is(err, discord.ErrRejected) { // perhaps another process was faster
			again, _, listErr := e.have(ctx, me.App)
			if listErr != nil {
				return listErr
			}
			if again[name] == "" {
				return err
			}
			ids = again
			continue
		}
		if err != nil {
			return err
		}
		ids[name] = got.ID
		if uploaded++; uploaded%emojiStep == 0 {
			e.set.Store(view.NewEmojiSet(ids))
		}
	}
	if uploaded > 0 {
		e.log.InfoContext(ctx, "uploaded the emoji for boards", "count", uploaded)
	}
	e.set.Store(view.NewEmojiSet(ids))
	return e.tidy(ctx, me.App, ids, list)
}

// have lists the application's emoji, and publishes those that boards can use. Of two
// with one name all processes use the older.
func (e *emojis) have(ctx context.Context, app string) (ids map[string]string, list []discord.AppEmoji, err error) {
	if list, err = e.rest.AppEmoji(ctx, app); err != nil {
		return nil, nil, err
	}
	ids = map[string]string{}
	for _, have := range list {
		if id := ids[have.Name]; id == "" || age(have.ID) < age(id) {
			ids[have.Name] = have.ID
		}
	}
	e.set.Store(view.NewEmojiSet(ids))
	return ids, list, nil
}

// tidy removes the emoji of earlier versions: those that are older than all of this
// version's. Emoji with other names, which the operator has uploaded, stay.
func (e *emojis) tidy(ctx context.Context, app string, ids map[string]string, list []discord.AppEmoji) error {
	var oldest uint64
	for _, tile := range render.Tiles() {
		if at := age(ids[view.EmojiName(tile)]); oldest == 0 || at < oldest {
			oldest = at
		}
	}
	for _, have := range list {
		if !view.OldEmoji(have.Name) || age(have.ID) > oldest {
			continue
		}
		if !e.wait(ctx, emojiEvery) {
			return ctx.Err()
		}
		// One that another process has removed meanwhile is refused as unknown.
		if err := e.rest.DeleteAppEmoji(ctx, app, have.ID); err != nil && !errors.Is(err, discord.ErrRejected) {
			return err
		}
	}
	return nil
}

// age orders Discord's IDs by when they were given; smaller is older.
func age(id string) uint64 {
	n, _ := strconv.ParseUint(id, 10, 64)
	return n
}
