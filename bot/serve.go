package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// deferAfter is how long an interaction may take, the wait for its screen
	// included, before it is deferred; Discord allows three seconds in all.
	deferAfter = 1500 * time.Millisecond
	// answerTime bounds a whole interaction, deferred or not.
	answerTime = 2 * time.Minute
	// lockPatience is how long a click waits for the screen it is about. After
	// that it is decided all the same; the screen is refreshed later.
	lockPatience = time.Second
)

// answer is what a handler wants to be shown.
type answer struct {
	msg    view.Message
	update bool // change the message that the button is on, rather than post one
	// game is the record that the message shows as the game's screen, nil when
	// it is no screen.
	game *storage.Record
	film func(context.Context) ([]byte, error) // makes msg.File's data, where it takes long

	picture []byte // msg.Picture, drawn
}

// call is one interaction on its way.
type call struct {
	req   discord.Request
	log   *slog.Logger
	began time.Time // when the interaction came
	lang  i18n.Lang // the person's
	look  view.Look // the person's
	place storage.Place
}

// serve answers a decoded interaction, or says what was wrong with it.
func (b *Bot) serve(ctx context.Context, log *slog.Logger, began time.Time, req discord.Request, decodeErr error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c := &call{
		req: req, log: log, began: began, lang: i18n.For(req.Locale),
		place: storage.Place{Guild: req.Guild, Channel: req.Channel, Locale: i18n.For(req.PlaceLocale).Tag()},
	}
	if req.Kind == discord.Autocomplete {
		var list []view.Choice
		if decodeErr == nil {
			list = b.suggest(ctx, c)
		}
		err := b.rest.Choices(ctx, req, list)
		b.measures.firstAnswer(&req, began, false, err)
		if err != nil {
			log.WarnContext(ctx, "suggestions not delivered", "err", err)
		}
		return
	}
	c.look = b.lookOf(ctx, c.place, req.User.ID)
	if !req.CanAttach() {
		c.look.Letters = true
	}
	if decodeErr != nil {
		log.WarnContext(ctx, "interaction not understood", "err", decodeErr)
		b.send(ctx, c, answer{msg: b.problem(c, decodeErr, nil)}, notDeferred)
		return
	}
	if id, ok := screenOf(req); ok {
		patience, cancel := context.WithTimeout(ctx, lockPatience)
		if unlock := b.screens.lock(patience, id); unlock != nil {
			defer unlock()
		} else {
			// The screen may now be shown out of order: look at it again.
			defer b.screens.Refresh(id)
		}
		cancel()
	}

	if slow(req.Intent) {
		err := b.rest.Defer(ctx, req, true)
		b.measures.firstAnswer(&req, began, true, err)
		if err != nil {
			log.WarnContext(ctx, "not deferred", "err", err)
			return
		}
		b.send(ctx, c, b.decide(ctx, c), deferredPrivate)
		return
	}
	result := make(chan answer, 1)
	go func() { result <- b.decide(ctx, c) }()
	timer := time.NewTimer(b.deferAfter - time.Since(began))
	defer timer.Stop()
	select {
	case a := <-result:
		b.send(ctx, c, a, notDeferred)
	case <-timer.C:
		how := deferredUpdate
		var err error
		if req.Kind == discord.Button {
			err = b.rest.DeferUpdate(ctx, req)
		} else {
			how = deferredPost
			err = b.rest.Defer(ctx, req, !forAll(req.Intent))
		}
		b.measures.firstAnswer(&req, began, true, err)
		if err != nil {
			log.WarnContext(ctx, "not deferred", "err", err)
		}
		b.send(ctx, c, <-result, how)
	}
}

// errPanic stands for a fault of this program.
var errPanic = errors.New("panic in a handler")

// decide makes the whole answer, pictures included, so that all of it counts
// against the deadline. A panic becomes a sentence.
func (b *Bot) decide(ctx context.Context, c *call) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			c.log.ErrorContext(ctx, "panic in a handler", "panic", r, "stack", string(debug.Stack()))
			a = answer{msg: b.problem(c, errPanic, nil)}
		}
	}()
	a = b.handle(ctx, c)
	var err error
	if a.film != nil {
		a.msg.File.Data, err = a.film(ctx)
	}
	if err == nil {
		a.picture, err = b.draw(ctx, a.msg)
	}
	if err != nil {
		if a.game != nil {
			b.screens.Refresh(a.game.Match.ID)
		}
		a = answer{msg: b.problem(c, fmt.Errorf("drawing the answer: %w", err), nil)}
	}
	return a
}

// deferral says how an interaction has been answered for the time being.
type deferral uint8

const (
	notDeferred     deferral = iota
	deferredPost             // a message "is thinking", for everybody or the person alone
	deferredPrivate          // the same, known beforehand to be slow and for the person alone
	deferredUpdate           // the button's message stays as it is for now
)

// send delivers an answer and records what the screen shows. When Discord does
// not take it, a screen stays behind and is refreshed by a channel's route.
func (b *Bot) send(ctx context.Context, c *call, a answer, how deferral) {
	message := c.req.Message
	var err error
	switch {
	case how == notDeferred && a.update:
		err = b.rest.Update(ctx, c.req, a.msg, a.picture)
	case how == notDeferred:
		message, err = b.rest.Respond(ctx, c.req, a.msg, a.picture)
	case how == deferredUpdate && !a.update:
		message, err = b.rest.FollowUp(ctx, c.req, a.msg, a.picture)
	default:
		message, err = b.rest.EditOriginal(ctx, c.req, a.msg, a.picture)
	}
	if how == notDeferred {
		b.measures.firstAnswer(&c.req, c.began, false, err)
	} else {
		b.measures.count("lascabot_later_answers_total", "outcome", outcome(err))
	}
	if err != nil {
		// Unknown outcome or too late: the game is saved. What everybody should
		// see is brought about by the refresh; a private sentence is lost.
		c.log.WarnContext(ctx, "answer not delivered", "err", err)
		if a.game != nil {
			b.screens.Refresh(a.game.Match.ID)
		}
		return
	}
	if a.game != nil {
		if how != deferredUpdate || a.update {
			b.screens.remember(message, c.req) // not of a follow-up, which is another message than the original
		}
		b.shown(ctx, *a.game, storage.Screen{Channel: c.req.Channel, Message: message, Version: a.game.Match.Version})
	}
}

// shown records that a message shows a game, and takes the buttons off the
// message that showed it before.
func (b *Bot) shown(ctx context.Context, r storage.Record, s storage.Screen) {
	if s == r.Screen {
		return // squares were chosen on a screen that showed this version already
	}
	if err := b.opt.Store.Shown(ctx, r.Match.ID, s); err != nil {
		b.log.WarnContext(ctx, "what the screen shows was not recorded", "game", r.Match.ID, "err", err)
		return
	}
	if old := r.Screen; old.Message != "" && old.Message != s.Message {
		b.screens.retire(old)
	}
}

// draw makes a message's picture, nil when it has none.
func (b *Bot) draw(ctx context.Context, m view.Message) ([]byte, error) {
	if m.Picture == nil {
		return nil, nil
	}
	begin := time.Now()
	data, err := b.renderer.PNG(ctx, m.Picture.Scene)
	b.measures.drawn(time.Since(begin), err)
	return data, err
}

// problem says what went wrong, to the person alone, and logs what has no
// sentence of its own.
func (b *Bot) problem(c *call, err error, r *storage.Record) view.Message {
	if errors.Is(err, discord.ErrOptions) || errors.Is(err, discord.ErrUnsupported) {
		return view.Said(c.lang, i18n.ErrOptions)
	}
	if !view.Known(err) || errors.Is(err, storage.ErrDamaged) || errors.Is(err, storage.ErrNotWritten) {
		c.log.Error("an interaction failed", "err", err)
	}
	return view.Problem(c.lang, err, r)
}

// screenOf returns the game whose screen an interaction is about to change. A new
// game has the interaction's ID.
func screenOf(req discord.Request) (match.ID, bool) {
	switch in := req.Intent.(type) {
	case intent.Play, intent.Challenge, intent.Rematch:
		return match.ID(req.ID), true
	case intent.Help, intent.Games, intent.Rules, intent.Look, intent.Hint, intent.Film, intent.Replay, intent.Review, intent.GameText,
		intent.More, intent.MySide, intent.AskResign, intent.Keep:
		return "", false
	default:
		id := intent.RefOf(in).Game
		return id, id != ""
	}
}

// forAll reports whether the answer to a command is for everybody if all goes
// well. A deferral has to say so before it is known.
func forAll(in intent.Intent) bool {
	switch in.(type) {
	case intent.Play, intent.Challenge, intent.Board, intent.Move, intent.Undo, intent.Draw:
		return true
	}
	return false
}

// slow reports whether an answer takes so long that it is deferred at once. All
// such answers are for the person alone.
func slow(in intent.Intent) bool {
	switch in.(type) {
	case intent.Hint, intent.Film, intent.Replay, intent.Review:
		return true
	}
	return false
}
