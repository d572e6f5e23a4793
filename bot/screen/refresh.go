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
	remind, notify := r.Place.Outside == "" && k.remind(&r), games.Pinged(ctx, &r)
	if remind {
		if notify, err = games.Reach(ctx, &r); err != nil {
			return err
		}
		if remind = len(notify) > 0; !remind {
			told := r.Screen
			told.Quiet = time.Time{}
			games.Shown(ctx, r, told)
		}
	}
	reminded := remind
	remind = remind || r.Place.Outside == "" && untold(&r)
	if !r.Behind() && !remind && !write && (later || r.Screen.Again.IsZero()) {
		if again {
			k.editAgain(ctx, games, &r)
		}
		if at, ok := r.Archive(); ok && !k.opt.Now().Before(at) {
			return k.archive(ctx, games, &r)
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
	quiet, message := k.opt.Now(), ""
	found, err := k.adopt(ctx, games, &r)
	if err == nil {
		message, err = k.bring(discord.WithDoubt(ctx, &doubt), games, &found, remind, notify)
		r.Place = found.Place
	}
	if doubt.Any() {
		k.Unclear(id)
	}
	ctx = context.WithoutCancel(ctx) // what has happened is recorded in any case
	switch {
	case err == nil:
		k.written(id, false, false)
		r.Screen.Turn, r.Screen.Told, r.Screen.Teller = found.Screen.Turn, found.Screen.Told, found.Screen.Teller // as show leaves them
		next := storage.Screen{Channel: r.Place.Channel, Message: message, Version: r.Match.Version, Quiet: quiet}
		if message != found.Screen.Message {
			// Posted, which notifies.
			if reminded || all(r.Unaware(), notify) {
				next.Quiet = time.Time{}
			}
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

// all reports whether all of some people are among others.
func all(people, among []match.UserID) bool {
	return !slices.ContainsFunc(people, func(u match.UserID) bool { return !slices.Contains(among, u) })
}

// bring shows a game where it belongs: in its thread, which may have to be started first
// or be gone. A new message notifies nobody else than notify.
func (k *Keeper) bring(ctx context.Context, games Games, r *storage.Record, fresh bool, notify []match.UserID) (message string, err error) {
	s := showing{Keeper: k, look: k.opt.Look(games.PublicLook(ctx, r)), notify: notify}
	if s.words, err = k.intoThread(ctx, games, r); err != nil {
		return "", err
	}
	message, err = s.show(ctx, r, fresh)
	if k.outOfThread(ctx, games, r, err) {
		s.words = i18n.BoardBack
		message, err = s.show(ctx, r, fresh)
	}
	return message, err
}

// showing is how a game is shown: in a look, with mentions that notify some people and,
// where words is not "", with a note for people that appears this once.
type showing struct {
	*Keeper
	look   view.Look
	notify []match.UserID
	words  i18n.Key
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
	s := showing{Keeper: k, look: k.opt.Look(games.PublicLook(ctx, r))}
	err := s.edit(discord.WithDoubt(ctx, &doubt), r)
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
func (s showing) show(ctx context.Context, r *storage.Record, fresh bool) (string, error) {
	err := errNoMessage
	if !fresh && r.Screen.Channel == r.Place.Channel { // a message elsewhere is replaced by one in the game's place
		err = s.edit(ctx, r)
		if errors.Is(err, discord.ErrArchived) {
			if err = s.opt.Poster.ReopenThread(ctx, r.Place.Channel); err == nil {
				err = s.edit(ctx, r)
			}
		}
	}
	switch {
	case r.Place.Outside != "": // nothing can be posted there
	case errors.Is(err, errNoMessage), errors.Is(err, discord.ErrMessageGone), errors.Is(err, discord.ErrTooManyEdits):
		if errors.Is(err, discord.ErrMessageGone) { // nobody knows since when: the new message tells of the turn
			r.Screen.Turn, r.Screen.Told, r.Screen.Teller = time.Time{}, time.Time{}, ""
		}
		return s.post(ctx, r)
	}
	return r.Screen.Message, err
}

// withoutFilesIfForbidden sends a board as it should look and, where that is
// forbidden, without a picture: perhaps only files are.
func (s showing) withoutFilesIfForbidden(send func(showing) error) error {
	err := send(s)
	if errors.Is(err, discord.ErrForbidden) && s.look.Boards == view.InPictures {
		s.look = s.look.WithoutFiles()
		err = send(s)
	}
	return err
}

// edit brings the present message up to date.
func (s showing) edit(ctx context.Context, r *storage.Record) error {
	return s.withoutFilesIfForbidden(func(s showing) error { return s.tryEdit(ctx, r) })
}

func (s showing) tryEdit(ctx context.Context, r *storage.Record) error {
	if r.Screen.Message == "" {
		return errNoMessage
	}
	m, picture, err := s.board(ctx, r)
	if err != nil {
		return err
	}
	// An answer to an interaction can be edited for a while wherever it is, also
	// where the bot itself cannot look, and outside of the limit on all of a
	// bot's calls together.
	if req, ok := s.token(r.Screen.Message); ok {
		_, err = s.opt.Poster.EditOriginal(ctx, req, m, picture)
		if errors.Is(err, discord.ErrTokenExpired) || errors.Is(err, discord.ErrRateLimited) || hung(err) {
			s.forgetToken(r.Screen.Message)
			return errOtherRoute
		}
		return err
	}
	return s.opt.Poster.Edit(ctx, r.Screen.Channel, r.Screen.Message, m, picture)
}

// hung reports whether a call failed without any answer.
func hung(err error) bool {
	var e *discord.Error
	return errors.Is(err, discord.ErrUnavailable) && !(errors.As(err, &e) && e.Status != 0)
}

// post shows the game in a new message. One that was posted before without an
// answer has the same nonce, so that there are not two; it may show less.
func (s showing) post(ctx context.Context, r *storage.Record) (message string, err error) {
	err = s.withoutFilesIfForbidden(func(s showing) (err error) {
		message, err = s.tryPost(ctx, r)
		return err
	})
	return message, err
}

func (s showing) tryPost(ctx context.Context, r *storage.Record) (string, error) {
	m, picture, err := s.board(ctx, r)
	if err != nil {
		return "", err
	}
	lang := i18n.For(r.Place.Locale)
	m = view.News(lang, r, m)
	if r.Place.Thread == storage.ThreadOpen && r.Screen.Channel == r.Place.Parent {
		m = view.Invite(lang, r, m)
	}
	m = view.Only(m, s.notify)
	version := r.Match.Version
	before := s.posting(r.Match.ID, version)
	if before != 0 {
		s.posting(r.Match.ID, before)
		version = before
	}
	nonce := fmt.Sprintf("%s.%s", r.Match.ID, strconv.FormatUint(version, 36))
	if s.remind(r) {
		nonce += "!" // not the message that it replaces
	}
	message, err := s.opt.Poster.Post(ctx, r.Place.Channel, m, picture, nonce)
	if err == nil && version != r.Match.Version {
		err = s.opt.Poster.Edit(ctx, r.Place.Channel, message, m, picture)
	}
	if err == nil || refusal(err) {
		s.posting(r.Match.ID, 0)
	}
	return message, err
}

func (s showing) board(ctx context.Context, r *storage.Record) (view.Message, []byte, error) {
	lang := i18n.For(r.Place.Locale)
	m := view.GameOf(lang, s.look, r, nil)
	if s.words != "" {
		m.Note("\n-# " + lang.T(s.words)) // where there is room
	}
	picture, err := s.opt.Draw(ctx, m)
	return m, picture, err
}
