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
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// deferAfter is how long an interaction may take, the wait for its screen
	// included, before it is deferred; Discord allows three seconds in all.
	deferAfter = 1500 * time.Millisecond
	// answerTime bounds a whole interaction, deferred or not.
	answerTime = 2 * time.Minute
	// lookTime is how long an answer waits to know how its person likes boards.
	lookTime = 500 * time.Millisecond
)

// answer is what a handler wants to be shown.
type answer struct {
	msg    view.Message
	update bool // change the message that the button is on, rather than post one
	// game is the record that the message shows as the game's screen, nil when
	// it is not a screen.
	game *storage.Record
	// copied is the record that the message shows as a private copy of the game's
	// board, nil when it is not one.
	copied *storage.Record
	// watch says that the copy is for somebody who only watches, from a side.
	watch bool
	side  engine.Color
	// choice says that the message shows what has been chosen of a move, which is
	// nowhere else.
	choice bool
	// later says that there is nothing to send: the screen follows.
	later bool
	file  func(context.Context) ([]byte, error) // makes msg.File's data, where it takes long
	// fileKey names the same file whoever asks for it; "" for a file that is not
	// kept.
	fileKey string

	picture []byte // msg.Picture, drawn

	// about is the game that a private message is about, or that a public one has
	// changed; see privates. acted is the version of it that the person made.
	// version is the one that the message is about, 0 if that does not matter.
	about          match.ID
	acted, version uint64
}

// call is one interaction on its way.
type call struct {
	req   discord.Request
	log   *slog.Logger
	began time.Time // when the interaction came
	who   play.Caller
	lang  i18n.Lang     // the person's
	look  view.Look     // the person's
	in    intent.Intent // the request's, about the game that it turned out to mean
	named []match.ID    // the games that have the name that the person wrote
	makes bool          // a game, if all goes well
	stale bool          // pressed on a board that shows less than there is; see overtaken
	// unsure says that the deferral may come into effect later than it was given up.
	unsure bool
	// release gives back the screen that the call holds, once it is answered; held is
	// false if it could not get it.
	release func()
	held    bool
}

// onPrivate reports whether the interaction is a button on a message that the
// person alone sees, which is then changed rather than followed by another.
func (c *call) onPrivate() bool { return c.req.Kind == discord.Button && c.req.MessagePrivate }

// onCopy reports whether the interaction is a button on a private copy of a board.
func (c *call) onCopy() bool { return c.onPrivate() && c.in != nil && c.in.About().Copy }

// private answers the person alone.
func (c *call) private(m view.Message) answer {
	return answer{msg: m, update: c.onPrivate() && !c.req.Intent.About().Copy}
}

// of says which game a private answer is about.
func (a answer) of(r *storage.Record) answer {
	a.about = r.Match.ID
	return a
}

// refuse says what went wrong, in a message of its own.
func (b *Bot) refuse(c *call, err error, r *storage.Record) answer {
	a := answer{msg: b.problem(c, err, r)}
	if r != nil {
		a.about = r.Match.ID
	}
	return a
}

// interaction answers one interaction. The intake bounds how many run at a
// time, recovers from panics and drops repeated deliveries.
func (b *Bot) interaction(ctx context.Context, req discord.Request, err error) {
	began := time.Now()
	name := intentName(req.Intent)
	log := b.log.With("interaction", req.ID, "kind", req.Kind.String())
	if req.Intent != nil {
		log = log.With("intent", name)
		if game := req.Intent.About().Game; game != "" {
			log = log.With("game", game)
		}
	}
	b.measures.Interaction(req.Kind, name)
	defer b.service.Alive(req.Channel)
	if req.Guild != "" && !req.Outside {
		b.service.Seen(req.Guild)
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c := &call{
		req: req, log: log, began: began, in: req.Intent, lang: i18n.For(req.Locale), release: func() {},
		who: play.Caller{
			ID: req.User.ID, Name: req.User.Name, Manages: req.CanManage(), Moderates: req.CanModerate(), Request: match.ID(req.ID), Asked: req.Created,
			Place: placeOf(req), Parent: req.Parent, Threads: req.CanThread() && !req.Thread, Alone: req.OnlyPrivate(),
		},
	}
	b.serve(ctx, c, err)
	if errors.Is(err, discord.ErrCrowded) || errors.Is(err, discord.ErrUnclaimed) {
		return // it was told so, and is not to take up more
	}
	b.service.Called(req.User.ID, req.User.Name)
	b.noticed(ctx, req)
	b.leftLines(ctx, c)
	log.DebugContext(ctx, "interaction served", "took", time.Since(began))
}

// serve answers a decoded interaction, or says what was wrong with it.
func (b *Bot) serve(ctx context.Context, c *call, decodeErr error) {
	if c.req.Kind == discord.Autocomplete {
		b.suggest(ctx, c, decodeErr)
		return
	}
	switch {
	case errors.Is(decodeErr, discord.ErrCrowded):
		b.send(ctx, c, b.refuse(c, decodeErr, nil), notDeferred)
		return
	case errors.Is(decodeErr, discord.ErrUnclaimed):
		b.send(ctx, c, b.refuse(c, storage.ErrHangs, nil), notDeferred)
		return
	case decodeErr != nil && !errors.Is(decodeErr, discord.ErrGameName):
		c.log.WarnContext(ctx, "could not read an interaction", "err", decodeErr)
		b.send(ctx, c, b.refuse(c, decodeErr, nil), notDeferred)
		return
	}
	if b.lockedOut(ctx, c) {
		return
	}
	b.reopen(ctx, c)
	row := rowOf(c.req.Intent)
	c.makes = row.is(makes)
	if c.req.Kind == discord.Command && row.is(public) && b.public.Take(c.who.ID, b.now()) > 0 {
		b.send(ctx, c, b.refuse(c, errTooFast, nil), notDeferred)
		return
	}
	defer func() { c.release() }()
	if row.is(attaches) && !c.req.CanAttach() {
		b.send(ctx, c, answer{msg: view.Said(c.lang, i18n.ErrNoFiles)}, notDeferred)
		return
	}
	if row.is(slow) {
		done, ok := b.slow.enter(c.who.ID)
		if !ok {
			b.send(ctx, c, b.refuse(c, play.ErrTooManyQuestions, nil), notDeferred)
			return
		}
		defer done()
		if err := c.deferral(ctx, func(ctx context.Context) error { return b.rest.Defer(ctx, c.req, true) }); b.first(ctx, c, true, err) || c.unsure {
			b.send(ctx, c, b.decide(ctx, c, row), deferredPrivate)
		}
		return
	}
	if about := c.req.Intent.About(); about.Copy && c.onPrivate() {
		defer b.copies.hold(ctx, privateKey{c.who.ID, about.Game}, pressPatience)()
	}
	result := make(chan answer, 1)
	go func() { result <- b.decide(ctx, c, row) }()
	timer := time.NewTimer(b.deferAfter - time.Since(c.began))
	defer timer.Stop()
	select {
	case a := <-result:
		b.send(ctx, c, a, notDeferred)
	case <-timer.C:
		how := deferredUpdate
		err := c.deferral(ctx, func(ctx context.Context) error {
			if c.req.Kind == discord.Button {
				return b.rest.DeferUpdate(ctx, c.req)
			}
			how = deferredPost
			return b.rest.Defer(ctx, c.req, !row.is(public) || c.who.Alone || b.elsewhere(ctx, c))
		})
		b.first(ctx, c, true, err)
		b.send(ctx, c, <-result, how)
	}
}

// preferences learns which languages are spoken here and how the person sees boards;
// it is as for everybody when the store does not say so soon.
func (b *Bot) preferences(ctx context.Context, c *call) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	b.locale(ctx, c)
	c.look = c.withFiles(b.styled(b.service.LookOf(ctx, c.who)))
}

// withFiles returns a look, without pictures where none may be sent.
func (c *call) withFiles(look view.Look) view.Look {
	if !c.req.CanAttach() {
		return look.WithoutFiles()
	}
	return look
}

// styled turns a stored choice into a look.
func (b *Bot) styled(set storage.Settings) view.Look { return view.LookFrom(set, b.emojis.set.Load()) }

// publicLook returns how a game's message looks, as lookOf does for a person.
func (b *Bot) publicLook(ctx context.Context, r *storage.Record) view.Look {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return b.styled(b.service.PublicLook(ctx, r))
}

// suggest offers values for the option that is being typed. Where nothing fits, or
// the store takes too long, nothing is suggested.
func (b *Bot) suggest(ctx context.Context, c *call, decodeErr error) {
	var list []view.Choice
	if decodeErr == nil {
		soon, cancel := context.WithTimeout(ctx, b.deferAfter-time.Since(c.began))
		b.locale(soon, c)
		list = b.suggestions(soon, c)
		cancel()
	}
	err := b.rest.Choices(ctx, c.req, list)
	if !b.first(ctx, c, false, err) {
		c.log.WarnContext(ctx, "could not deliver suggestions", "err", err)
	}
}

func (b *Bot) suggestions(ctx context.Context, c *call) (list []view.Choice) {
	switch c.req.Option {
	case discord.OptionGame:
		list, _ = b.gameChoices(ctx, c, c.req.Typing == discord.CommandStop, c.req.Typed)
	case discord.OptionPath:
		game := c.req.Game
		if c.req.GameName != "" {
			named, err := b.gamesNamed(ctx, c)
			if err != nil || len(named) != 1 {
				return nil // not the channel's game, which is not meant
			}
			game = named[0]
		}
		if games, err := b.service.Typing(ctx, c.who, game); err == nil {
			list = view.MoveChoices(c.lang, games, c.req.Typed)
		}
	}
	return list
}

// errPanic stands for a bug in a handler.
var errPanic = errors.New("panic in a handler")

// decide makes the whole answer, pictures included, so that all of it counts
// against the deadline. A panic becomes a sentence.
func (b *Bot) decide(ctx context.Context, c *call, row row) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			c.log.ErrorContext(ctx, "a handler panicked", "panic", r, "stack", string(debug.Stack()))
			a = b.refuse(c, errPanic, nil)
		}
	}()
	b.preferences(ctx, c)
	a = b.reply(ctx, c, row)
	var err error
	if a.file != nil {
		a.msg.File.Data, err = b.drawFile(ctx, a)
	}
	if err == nil {
		a.picture, err = b.draw(ctx, a.msg)
	}
	if err != nil {
		if a.game != nil {
			b.screens.Refresh(a.game.Match.ID)
		}
		a = b.refuse(c, fmt.Errorf("drawing the answer: %w", err), nil)
	}
	return a
}

// problem says what went wrong, to the person alone, and logs what has no
// sentence of its own.
func (b *Bot) problem(c *call, err error, r *storage.Record) view.Message {
	switch {
	case errors.Is(err, discord.ErrOptions), errors.Is(err, discord.ErrUnsupported):
		return view.Said(c.lang, i18n.ErrOptions)
	case errors.Is(err, errTooFast):
		return view.Said(c.lang, i18n.ErrTooFast)
	case errors.Is(err, discord.ErrCrowded):
		return view.Said(c.lang, i18n.ErrCrowded)
	}
	if !view.Known(err) || errors.Is(err, storage.ErrDamaged) || errors.Is(err, storage.ErrNotWritten) ||
		errors.Is(err, storage.ErrHangs) || errors.Is(err, storage.ErrUnsure) || errors.Is(err, storage.ErrBroken) || errors.Is(err, storage.ErrReplaced) {
		c.log.Error("an interaction failed", "err", err)
	}
	msg := view.Problem(c.lang, err, r)
	if errors.Is(err, match.ErrNotAPlayer) && r != nil && r.Match.Phase != match.Proposed && at(c, r) {
		view.OfferWatch(c.lang, &msg, &r.Match)
	}
	return msg
}
