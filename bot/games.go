package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/screen"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// The answers about one game.

// shown answers with a game's board in a new message.
func (b *Bot) shown(ctx context.Context, c *call, r storage.Record, err error) answer {
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return b.screen(ctx, c, r, nil, true)
}

func (b *Bot) play(ctx context.Context, c *call, in intent.Play) answer {
	r, err := b.service.Play(ctx, c.who, in)
	return b.shown(ctx, c, r, err)
}

func (b *Bot) challenge(ctx context.Context, c *call, in intent.Challenge) answer {
	r, err := b.service.Challenge(ctx, c.who, in)
	return b.shown(ctx, c, r, err)
}

func (b *Bot) rematch(ctx context.Context, c *call, in intent.Rematch) answer {
	r, err := b.service.Rematch(ctx, c.who, in.Ref)
	return b.shown(ctx, c, r, err)
}

// block declines a challenge and keeps its challenger from others. The message of
// the challenge says that it was declined; of the block, the person alone hears.
func (b *Bot) block(ctx context.Context, c *call, in intent.Block) answer {
	r, err := b.service.DeclineAndBlock(ctx, c.who, in)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	r, _, err = b.service.Act(ctx, c.who, in)
	if err == nil {
		b.screens.Refresh(r.Match.ID)
	}
	return answer{msg: view.Said(c.lang, i18n.Blocked)}
}

func (b *Bot) board(ctx context.Context, c *call, in intent.Board) answer {
	if c.stale {
		r, err := b.service.Load(ctx, in.Game)
		if err != nil {
			return b.refuse(c, err, nil)
		}
		return b.screen(ctx, c, r, nil, false)
	}
	r, _, err := b.service.Board(ctx, c.who, in.Ref)
	return b.shown(ctx, c, r, err)
}

// act answers all intents that change a game.
func act[I intent.Intent](b *Bot, ctx context.Context, c *call, in I) answer {
	r, rest, err := b.service.Act(ctx, c.who, in)
	switch {
	case errors.Is(err, play.ErrStale) && c.onCopy():
		return b.copied(ctx, c, &r, nil) // what there is now
	case err != nil:
		if errors.Is(err, match.ErrNotTold) || errors.Is(err, play.ErrBoardGone) {
			b.screens.Refresh(r.Match.ID)
		}
		return c.private(b.problem(c, err, &r)).of(&r)
	}
	// Whoever claims a win has been told of it in a message that may be about others.
	_, claims := intent.Intent(in).(intent.Claim)
	a := b.screen(ctx, c, r, rest, c.req.Kind == discord.Command || claims && !c.onPrivate())
	if a.copied == nil { // a copy stays, since one goes on playing on it
		a = a.of(&r)
	}
	if len(rest) == 0 {
		a.acted = r.Match.Version
	}
	return a
}

// claim is act for a claimed win. Whether the board is still there is found out by an
// edit of it, which nobody else may cross.
func (b *Bot) claim(ctx context.Context, c *call, in intent.Claim) answer {
	if !c.held {
		return c.private(b.problem(c, play.ErrUnsure, nil))
	}
	return act(b, ctx, c, in)
}

// screen shows a game where it belongs: in the message that the button is on; in
// a new one when fresh asks for it or an edit would not reach the person to act;
// and, after a press on a private message, in the game's own message. Elsewhere than
// where the game is played the person gets a private copy, since the opponent may not
// be able to look there; and whoever presses on a copy goes on with it.
func (b *Bot) screen(ctx context.Context, c *call, r storage.Record, rest []engine.Square, fresh bool) answer {
	if !at(c, &r) || c.onCopy() && !fresh || c.who.Alone && (fresh || c.req.MessagePrivate) {
		return b.copied(ctx, c, &r, rest)
	}
	if c.onPrivate() && !fresh && b.screens.Reaches(&r) {
		b.screens.Refresh(r.Match.ID)
		msg := view.Done(c.lang, c.in, &r.Match)
		b.offerNext(ctx, c.lang, c.who.ID, &r.Match, false, &msg)
		return answer{msg: msg, update: true}
	}
	if r.ToThread() && !fresh && c.req.Message == r.Screen.Message {
		b.screens.Refresh(r.Match.ID) // which starts it from that message, and shows the board there
		return answer{later: true}
	}
	b.complete(ctx, &r)
	look := b.publicLook(ctx, &r)
	lang := i18n.For(r.Place.Locale)
	notes := c.boardNote(lang, &r)
	if look.Boards == view.InPictures && !c.req.CanAttach() {
		look = look.WithoutFiles()
		key := i18n.ErrNoAttach
		if c.req.Outside {
			key = i18n.ErrNoAttachYours
		}
		notes = "\n-# " + lang.T(key) + notes
	}
	if notes == "" && c.makes && b.service.LacksThread(ctx, c.who, &r) {
		notes = "\n-# " + lang.T(i18n.ErrNoThread)
	}
	m := view.GameOf(lang, look, &r, rest)
	if !m.Note(notes) { // no room: letters take less than emoji
		look.Boards = view.InLetters
		m = view.GameOf(lang, look, &r, rest)
		m.Note(notes)
	}
	fresh = fresh || c.onPrivate()
	pinged := b.pinged(ctx, &r)
	switch {
	case r.Place.Outside != "" && fresh:
		m = view.Only(view.News(lang, &r, m), pinged)
	case r.Place.Outside != "": // every press changes the message that it is on
	case len(rest) == 0:
		m = view.Only(m, pinged)
		if told := view.Only(view.News(lang, &r, m), pinged); screen.Silent(&r.Match, c.who.ID, told.Notify, b.now()) {
			m = told // whoever is here sees it without a mention
		}
		fresh = fresh || screen.PostAgain(&r.Match, c.who.ID, m.Notify, c.req.MessageCreated, b.now())
	}
	return answer{msg: m, update: !fresh, game: &r, choice: len(rest) > 0}
}

// at reports whether an interaction is where a game is played.
func at(c *call, r *storage.Record) bool { return c.who.Place.Channel == r.Place.Channel }

// knowTime bounds how long a deferral waits to know whether its answer is public.
const knowTime = 200 * time.Millisecond

// elsewhere reports whether a command names a game that is played elsewhere, as far as
// that can be known at once.
func (b *Bot) elsewhere(ctx context.Context, c *call) bool {
	ctx, cancel := context.WithTimeout(ctx, knowTime)
	defer cancel()
	game := c.req.Intent.About().Game
	if c.req.GameName != "" {
		if named, err := b.gamesNamed(ctx, c); err == nil && len(named) == 1 {
			game = named[0]
		}
	}
	if game == "" {
		return false
	}
	r, err := b.service.Load(ctx, game)
	return err == nil && !at(c, &r)
}

// noticed takes back what is no longer needed once a person has been seen at a game's
// message: the reminder, and an old message that still looks alive.
func (b *Bot) noticed(ctx context.Context, req discord.Request) {
	if req.Intent == nil || req.Kind == discord.Autocomplete {
		return
	}
	game := req.Intent.About().Game
	if game == "" {
		return
	}
	r, err := b.service.Load(ctx, game)
	if err != nil {
		return
	}
	if req.Kind == discord.Button && !req.MessagePrivate && older(req.Message, r.Screen.Message) {
		b.screens.Retire(game, r.Place.Locale, storage.Screen{Channel: req.Channel, Message: req.Message})
	}
	b.seen(ctx, req, &r)
}

// seen takes back the reminder that waits for a person who has just seen a game.
func (b *Bot) seen(ctx context.Context, req discord.Request, r *storage.Record) {
	if seat, err := r.Match.SeatOf(req.User.ID); err != nil || r.Screen.Quiet.IsZero() || !req.Created.After(r.Screen.Quiet) || !r.Match.Unaware(seat) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pressPatience)
	defer cancel()
	if unlock := b.screens.Lock(ctx, r.Match.ID); unlock != nil {
		defer unlock()
		b.service.Noticed(ctx, r.Match.ID, req.User.ID)
	}
}

// older reports whether a message was made before another; both are Discord's numbers.
func older(message, than string) bool {
	if len(message) != len(than) {
		return len(message) < len(than)
	}
	return message < than
}

// copied answers with a copy of a game's board for one person alone. The public board
// follows where the game is played, and the copy follows the game; see copies.
func (b *Bot) copied(ctx context.Context, c *call, r *storage.Record, rest []engine.Square) answer {
	b.complete(ctx, r)
	b.screens.Refresh(r.Match.ID)
	if c.req.Kind == discord.Button && !c.req.MessagePrivate { // a board that was moved here once
		b.screens.Retire(r.Match.ID, r.Place.Locale, storage.Screen{Channel: c.req.Channel, Message: c.req.Message})
	}
	return answer{msg: b.copyOf(ctx, c.lang, c.look, c.who.ID, r, rest), update: c.onPrivate(), copied: r, choice: len(rest) > 0}
}

func (b *Bot) askResign(ctx context.Context, c *call, in intent.AskResign) answer {
	r, seat, err := b.service.MayResign(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.AskResign(c.lang, &r.Match, seat)).of(&r)
}

func (b *Bot) keepPlaying(ctx context.Context, c *call, in intent.Keep) answer {
	r, _, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.Said(c.lang, i18n.ResignKept)).of(&r)
}

func (b *Bot) more(ctx context.Context, c *call, in intent.More) answer {
	r, seat, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg := view.More(c.lang, c.look, &r, seat, b.now())
	message := c.req.Message
	if c.req.MessagePrivate {
		message = ""
	}
	if !play.Claimable(&r, message) {
		view.ClaimOnBoard(c.lang, &msg)
	}
	b.offerNext(ctx, c.lang, c.who.ID, &r.Match, false, &msg)
	return c.private(msg).of(&r)
}

func (b *Bot) mySide(ctx context.Context, c *call, in intent.MySide) answer {
	r, seat, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return c.private(view.MySide(c.lang, c.look, &r.Match, seat)).of(&r)
}

func (b *Bot) hint(ctx context.Context, c *call, in intent.Hint) answer {
	r, report, casual, err := b.service.Hint(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	if casual {
		b.screens.Refresh(r.Match.ID) // the board says that it counts no more
	}
	return answer{msg: view.Hint(c.lang, c.look, &r.Match, report, casual), about: r.Match.ID, version: r.Match.Version}
}

func (b *Bot) replay(ctx context.Context, c *call, in intent.Replay) answer {
	r, seat, err := b.service.LastMove(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg, frames := view.Replay(c.lang, c.look, &r.Match, seat)
	return answer{msg: msg, about: r.Match.ID, file: b.animation(frames), fileKey: fmt.Sprintf("move %s %d %v %v", r.Match.ID, r.Match.Version, c.look.Theme, seat)}
}

func (b *Bot) gameText(ctx context.Context, c *call, in intent.GameText) answer {
	r, _, err := b.service.Watch(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg := view.GameText(c.lang, &r.Match)
	if !c.req.CanAttach() && !msg.InText() {
		msg = view.Said(c.lang, i18n.ErrNoFiles)
	}
	return c.private(msg).of(&r)
}

// animation makes a file of frames.
func (b *Bot) animation(frames func() ([]render.Frame, error)) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		list, err := frames()
		if err != nil {
			return nil, err
		}
		var buf bytes.Buffer
		err = b.renderer.GIF(ctx, &buf, list, nil)
		return buf.Bytes(), err
	}
}
