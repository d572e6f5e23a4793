package screen

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// oldMessage is the age from which a board is posted again; Discord limits
	// edits of messages older than an hour.
	oldMessage = 50 * time.Minute
)

// PostAgain reports whether a game is better shown in a new message than in the
// one that was made at a time: that one is old, or somebody of those whom a new one
// would notify, other than the one who acted, has been silent for so long that an edit
// would go unnoticed.
func PostAgain(m *match.Match, actor match.UserID, notify []match.UserID, made, now time.Time) bool {
	return now.Sub(made) > oldMessage || Silent(m, actor, notify, now)
}

// Silent reports whether one of those whom a message would notify, other than the one
// who acted, has been silent for so long that an edit would go unnoticed.
func Silent(m *match.Match, actor match.UserID, notify []match.UserID, now time.Time) bool {
	for _, u := range notify {
		if seat, err := m.SeatOf(u); err == nil && u != actor && now.Sub(m.Seen[seat]) > match.Away {
			return true
		}
	}
	return false
}

// The pauses after refusals: the first, which doubles, and the longest. A part of
// each is random, so that many screens are not tried at the same moment.
const (
	firstPause = time.Minute
	maxPause   = 6 * time.Hour
)

// pause returns how long to wait after so many refusals in a row.
func pause(refused int) time.Duration {
	d := maxPause
	if refused < 16 {
		d = min(firstPause<<max(refused-1, 0), maxPause)
	}
	return d + rand.N(d/5)
}

// refusals are Discord's decisions about this message or its channel, which a try
// soon after would not change.
var refusals = []error{
	discord.ErrChannelGone, discord.ErrForbidden, discord.ErrLocked, discord.ErrArchived, discord.ErrTooManyThreads, discord.ErrDMClosed,
	discord.ErrMessageGone, discord.ErrTooManyEdits, discord.ErrTokenExpired, discord.ErrRejected,
}

func refusal(err error) bool {
	return slices.ContainsFunc(refusals, func(r error) bool { return errors.Is(err, r) })
}

// refresh makes a game's screen show the newest version. What Discord refuses is
// tried again after pauses that grow, and whenever somebody asks for it; other
// failures are tried again soon, and then left to the sweeps.
func (k *Keeper) refresh(ctx context.Context, games Games, id match.ID) (err error) {
	defer func() {
		if p := recover(); p != nil { // one game that cannot be shown must not stop the others
			err = fmt.Errorf("panic while refreshing: %v\n%s", p, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	unlock := k.tryLock(id)
	if unlock == nil {
		return nil // it is queued again
	}
	defer unlock()
	again := k.redrawn(id)
	r, err := games.Held(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	write, later := k.toWrite(id)
	if !k.Reaches(&r) {
		return nil
	}
	remind := r.Place.Outside == "" && (k.remind(&r) || untold(&r))
	if !r.Behind() && !remind && !write && (later || r.Screen.Again.IsZero()) {
		if again {
			k.editAgain(ctx, games, &r)
		}
		return nil
	}
	_, token := k.token(r.Screen.Message)
	l := lane{token, r.Place.Channel}
	if !k.enterLane(l, id) {
		k.written(id, false, write)
		return nil // it is queued again
	}
	defer k.leaveLane(l)

	var doubt discord.Doubt
	message := ""
	found, err := k.adopt(ctx, games, &r)
	next := storage.Screen{Channel: r.Place.Channel, Message: r.Screen.Message, Version: r.Match.Version, Quiet: k.opt.Now()}
	if err == nil {
		message, err = k.show(discord.WithDoubt(ctx, &doubt), &found, k.opt.Look(games.PublicLook(ctx, &found)), remind)
	}
	if doubt.Any() {
		k.Unclear(id)
	}
	ctx = context.WithoutCancel(ctx) // what has happened is recorded in any case
	switch {
	case err == nil:
		k.written(id, false, false)
		r.Screen.Turn, r.Screen.Told, r.Screen.Teller = found.Screen.Turn, found.Screen.Told, found.Screen.Teller // as show leaves them
		next.Message = message
		if message != found.Screen.Message {
			next.Quiet = time.Time{} // posted, which notifies
		}
		games.Shown(ctx, r, next)
		return nil
	case errors.Is(err, errOtherRoute):
		k.written(id, false, write)
		k.Refresh(id)
		return nil
	case refusal(err) && r.Place.Outside != "":
		k.written(id, false, false)
		k.opt.Log.DebugContext(ctx, "a board where the bot is not stays as it is until somebody presses a button on it", "game", id, "err", err)
		return nil
	case refusal(err):
		k.written(id, false, false)
		wait := pause(r.Screen.Refused + 1)
		k.opt.Log.WarnContext(ctx, "Discord refuses to show a game; will retry", "game", id, "wait", wait.Round(time.Second), "err", err)
		games.Refused(ctx, r, k.opt.Now().Add(wait))
		return nil
	}
	k.written(id, true, write)
	return err
}

// errOtherRoute says that a message's token does not work, and has been forgotten:
// the channel's route may.
var errOtherRoute = errors.New("the interaction's token does not work")

// editAgain shows a game as it looks now in the message that shows it already. What
// goes wrong is not tried again: the board is right, only not as somebody likes it.
func (k *Keeper) editAgain(ctx context.Context, games Games, r *storage.Record) {
	_, token := k.token(r.Screen.Message)
	l := lane{token, r.Screen.Channel}
	if !k.enterLane(l, r.Match.ID) {
		k.Redraw(r.Match.ID)
		return
	}
	defer k.leaveLane(l)
	var doubt discord.Doubt
	look := k.opt.Look(games.PublicLook(ctx, r))
	err := withoutFilesIfForbidden(look, func(look view.Look) error { return k.edit(discord.WithDoubt(ctx, &doubt), r, look) })
	if doubt.Any() {
		k.Unclear(r.Match.ID)
	}
	if err != nil && ctx.Err() == nil {
		k.opt.Log.DebugContext(ctx, "could not redraw a board", "game", r.Match.ID, "err", err)
	}
}

// errNoMessage says that a game has no message yet.
var errNoMessage = errors.New("no message shows the game")

// remind reports whether an edit alone has told somebody something for so long that
// the game is to be posted anew, with a mention.
func (k *Keeper) remind(r *storage.Record) bool {
	_, waits := r.Due(storage.DueReminder)
	return waits && k.opt.Now().Sub(r.Screen.Quiet) >= match.Away
}

// untold reports whether nothing in the place of a game between two people has shown
// whose turn it is, although a message is recorded as showing it: it was elsewhere, or
// this was not recorded then.
func untold(r *storage.Record) bool {
	m := &r.Match
	return m.Phase == match.Playing && m.Seats[0].User != "" && m.Seats[1].User != "" &&
		r.Screen.Version >= m.Version && r.Told().IsZero()
}

// show edits the game's message, or posts a new one where there is none that can
// be edited or a fresh one is wanted, and returns which message shows the game.
func (k *Keeper) show(ctx context.Context, r *storage.Record, look view.Look, fresh bool) (string, error) {
	err := errNoMessage
	if !fresh && r.Screen.Channel == r.Place.Channel { // a message elsewhere is replaced by one in the game's place
		err = withoutFilesIfForbidden(look, func(look view.Look) error { return k.edit(ctx, r, look) })
	}
	switch {
	case r.Place.Outside != "": // nothing can be posted there
	case errors.Is(err, errNoMessage), errors.Is(err, discord.ErrMessageGone), errors.Is(err, discord.ErrTooManyEdits),
		errors.Is(err, discord.ErrArchived):
		if errors.Is(err, discord.ErrMessageGone) { // nobody knows since when: the new message tells of the turn
			r.Screen.Turn, r.Screen.Told, r.Screen.Teller = time.Time{}, time.Time{}, ""
		}
		message := ""
		err = withoutFilesIfForbidden(look, func(look view.Look) (err error) {
			message, err = k.post(ctx, r, look)
			return err
		})
		return message, err
	}
	return r.Screen.Message, err
}

// withoutFilesIfForbidden sends a board as it should look and, where that is
// forbidden, without a picture: perhaps only files are.
func withoutFilesIfForbidden(look view.Look, send func(view.Look) error) error {
	err := send(look)
	if errors.Is(err, discord.ErrForbidden) && look.Boards == view.InPictures {
		err = send(look.WithoutFiles())
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
		if errors.Is(err, discord.ErrTokenExpired) || errors.Is(err, discord.ErrRateLimited) || hung(err) {
			k.forgetToken(r.Screen.Message)
			return errOtherRoute
		}
		return err
	}
	return k.opt.Poster.Edit(ctx, r.Screen.Channel, r.Screen.Message, m, picture)
}

// hung reports whether a call failed without any answer.
func hung(err error) bool {
	var e *discord.Error
	return errors.Is(err, discord.ErrUnavailable) && !(errors.As(err, &e) && e.Status != 0)
}

// post shows the game in a new message. One that was posted before without an
// answer has the same nonce, so that there are not two; it may show less.
func (k *Keeper) post(ctx context.Context, r *storage.Record, look view.Look) (string, error) {
	m, picture, err := k.board(ctx, r, look)
	if err != nil {
		return "", err
	}
	m = view.News(i18n.For(r.Place.Locale), r, m)
	version := r.Match.Version
	before := k.posting(r.Match.ID, version)
	if before != 0 {
		k.posting(r.Match.ID, before)
		version = before
	}
	nonce := fmt.Sprintf("%s.%s", r.Match.ID, strconv.FormatUint(version, 36))
	if k.remind(r) {
		nonce += "!" // not the message that it replaces
	}
	message, err := k.opt.Poster.Post(ctx, r.Place.Channel, m, picture, nonce)
	if err == nil && version != r.Match.Version {
		err = k.opt.Poster.Edit(ctx, r.Place.Channel, message, m, picture)
	}
	if err == nil || refusal(err) {
		k.posting(r.Match.ID, 0)
	}
	return message, err
}

func (k *Keeper) board(ctx context.Context, r *storage.Record, look view.Look) (view.Message, []byte, error) {
	m := view.GameOf(i18n.For(r.Place.Locale), look, r, nil)
	picture, err := k.opt.Draw(ctx, m)
	return m, picture, err
}
