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
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// deferAfter is how long an interaction may take, the wait for its screen
	// included, before it is deferred; Discord allows three seconds in all.
	deferAfter = 1500 * time.Millisecond
	// answerTime bounds a whole interaction, deferred or not.
	answerTime = 2 * time.Minute
	// laterTime bounds one try to deliver an answer after a deferral, and laterTries
	// says how many there are.
	laterTime  = 10 * time.Second
	laterTries = 3
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
	// unsure says that the deferral may come into effect later than it was given up.
	unsure bool
	// release gives back the screen that the call holds, once it is answered.
	release func()
}

// onPrivate reports whether the interaction is a button on a message that the
// person alone sees, which is then changed rather than followed by another.
func (c *call) onPrivate() bool { return c.req.Kind == discord.Button && c.req.MessagePrivate }

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
	if req.Guild != "" {
		b.service.Seen(req.Guild)
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c := &call{
		req: req, log: log, began: began, in: req.Intent, lang: i18n.For(req.Locale), release: func() {},
		who: play.Caller{
			ID: req.User.ID, Name: req.User.Name, Manages: req.CanManage(), Request: match.ID(req.ID),
			Place: storage.Place{Guild: req.Guild, Channel: req.Channel, Locale: i18n.For(req.PlaceLocale).Tag()},
		},
	}
	b.serve(ctx, c, err)
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
	if errors.Is(decodeErr, discord.ErrGameName) {
		decodeErr = storage.ErrNotFound
		if c.named = b.gamesNamed(ctx, c); len(c.named) > 0 {
			decodeErr = nil
		}
		if len(c.named) == 1 {
			c.req.Intent = intent.InGame(c.req.Intent, intent.Ref{Game: c.named[0]})
			c.in = c.req.Intent
		}
	}
	if decodeErr != nil {
		c.log.WarnContext(ctx, "could not read an interaction", "err", decodeErr)
		b.send(ctx, c, b.refuse(c, decodeErr, nil), notDeferred)
		return
	}
	row := rowOf(c.req.Intent)
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
			return b.rest.Defer(ctx, c.req, !row.is(public) || b.elsewhere(ctx, c))
		})
		b.first(ctx, c, true, err)
		b.send(ctx, c, <-result, how)
	}
}

// deferral defers the answer, and remembers if that may come into effect later.
func (c *call) deferral(ctx context.Context, f func(context.Context) error) error {
	var doubt discord.Doubt
	err := f(discord.WithDoubt(ctx, &doubt))
	c.unsure = err != nil && doubt.Any()
	return err
}

// lookOf returns how the person sees boards here.
func (b *Bot) lookOf(ctx context.Context, c *call) view.Look {
	look := view.LookFrom(b.service.LookOf(ctx, c.who))
	look.Letters = look.Letters || !c.req.CanAttach()
	return look
}

// first measures the first answer to an interaction, a deferral or the answer
// itself, and reports whether it was delivered.
func (b *Bot) first(ctx context.Context, c *call, deferred bool, err error) bool {
	b.measures.FirstAnswer(c.req.Kind, time.Since(c.began), deferred, err)
	if err != nil && deferred {
		c.log.WarnContext(ctx, "could not defer an answer", "err", err)
	}
	return err == nil
}

// gamesNamed returns the games of the person that are shown by the name that they
// wrote.
func (b *Bot) gamesNamed(ctx context.Context, c *call) (ids []match.ID) {
	games, err := b.service.Games(ctx, c.who.ID)
	if err != nil {
		return nil
	}
	for _, g := range view.GameChoices(c.lang, c.who.ID, games, c.req.GameName) {
		ids = append(ids, match.ID(g.Value))
	}
	return ids
}

// suggest offers values for the option that is being typed. Where nothing fits,
// nothing is suggested.
func (b *Bot) suggest(ctx context.Context, c *call, decodeErr error) {
	var list []view.Choice
	if decodeErr == nil {
		switch c.req.Option {
		case discord.OptionGame:
			if games, err := b.service.Games(ctx, c.who.ID); err == nil {
				list = view.GameChoices(c.lang, c.who.ID, hereFirst(c, games), c.req.Typed)
			}
		case discord.OptionPath:
			game := c.req.Game
			if c.req.GameName != "" {
				named := b.gamesNamed(ctx, c)
				if len(named) != 1 {
					break // not the channel's game, which is not meant
				}
				game = named[0]
			}
			if games, err := b.service.Typing(ctx, c.who, game); err == nil {
				list = view.MoveChoices(c.lang, games, c.req.Typed)
			}
		}
	}
	err := b.rest.Choices(ctx, c.req, list)
	if !b.first(ctx, c, false, err) {
		c.log.WarnContext(ctx, "could not deliver suggestions", "err", err)
	}
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
	c.lang = i18n.For(b.service.LocaleOf(ctx, c.who.ID, c.req.Locale))
	c.who.Place.Locale = b.service.Locale(ctx, c.who.Place)
	c.look = b.lookOf(ctx, c)
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

// deferral says how an interaction has been answered for the time being.
type deferral uint8

const (
	notDeferred     deferral = iota
	deferredPost             // a message "is thinking", for everybody or the person alone
	deferredPrivate          // the same, known beforehand to be slow and for the person alone
	deferredUpdate           // the button's message stays as it is for now
)

// send delivers an answer and records what the screen shows. When Discord does
// not take it, or may take it later, a screen stays behind and is refreshed.
func (b *Bot) send(ctx context.Context, c *call, a answer, how deferral) {
	var doubt discord.Doubt
	ctx = discord.WithDoubt(ctx, &doubt)
	message, err := b.deliver(ctx, c, a, how)
	if errors.Is(err, discord.ErrForbidden) && (a.picture != nil || a.msg.File != nil) {
		// The permission was taken away just now. The person is told; the screen is
		// refreshed, in letters.
		if a.game != nil {
			b.screens.Refresh(a.game.Match.ID)
		}
		a = answer{msg: view.Said(c.lang, i18n.ErrNoFiles)}
		message, err = b.deliver(ctx, c, a, how)
	}
	if how == notDeferred {
		b.first(ctx, c, false, err)
	} else {
		b.measures.LaterAnswer(err)
	}
	if err == nil {
		b.tidy(c, a, how, message)
		b.keepCopy(c, a, how, message)
	} else {
		// The game is saved. What everybody should see is brought about by the
		// refresh; a private sentence is lost.
		c.log.WarnContext(ctx, "could not deliver an answer", "err", err)
	}
	if a.game == nil {
		return
	}
	b.copies.follow(a.game.Match.ID)
	if doubt.Any() {
		b.screens.Unclear(a.game.Match.ID)
	}
	if err != nil || message == "" {
		b.screens.Refresh(a.game.Match.ID)
		return
	}
	if how != deferredUpdate || a.update {
		b.screens.Remember(message, c.req) // not of a follow-up, which is another message than the original
	}
	// What has happened is recorded in any case.
	by := storage.Screen{Channel: c.req.Channel, Message: message, Version: a.game.Match.Version}
	if a.update || how == deferredPost {
		by.Quiet = b.now() // an edit notifies nobody
	}
	b.service.Shown(context.WithoutCancel(ctx), *a.game, by)
}

// deliver sends an answer and returns the ID of the message that it is now, "" if
// Discord did not say it.
func (b *Bot) deliver(ctx context.Context, c *call, a answer, how deferral) (message string, err error) {
	switch {
	case how == notDeferred && a.later:
		return "", b.rest.DeferUpdate(ctx, c.req)
	case a.later:
		return "", nil
	case how == notDeferred && a.update:
		err = b.rest.Update(ctx, c.req, a.msg, a.picture)
		if !errors.Is(err, discord.ErrMessageGone) {
			return c.req.Message, err
		}
		// The message went while its button was pressed; the press is not answered yet.
		return b.rest.Respond(ctx, c.req, a.msg, a.picture)
	case how == notDeferred:
		message, err = b.rest.Respond(ctx, c.req, a.msg, a.picture)
		if a.game != nil && errors.Is(err, discord.ErrUnavailable) {
			// It may have got through all the same.
			ctx, cancel := context.WithTimeout(ctx, laterTime)
			defer cancel()
			if id, unknown := b.rest.Original(ctx, c.req); unknown == nil {
				return id, nil
			}
		}
		return message, err
	case how == deferredUpdate && !a.update:
		ctx, cancel := context.WithTimeout(ctx, laterTime)
		defer cancel()
		return b.rest.FollowUp(ctx, c.req, a.msg, a.picture)
	}
	// Otherwise the message goes on thinking.
	for try := 1; ; try++ {
		once, cancel := context.WithTimeout(ctx, laterTime)
		message, err = b.rest.EditOriginal(once, c.req, a.msg, a.picture)
		cancel()
		again := errors.Is(err, discord.ErrUnavailable) || c.unsure && errors.Is(err, discord.ErrTokenExpired)
		if !again || try == laterTries || !wait(ctx, laterPause) {
			return message, err
		}
	}
}

// laterPause is the pause between two tries to deliver an answer.
const laterPause = 2 * time.Second

// wait reports whether it could wait so long.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// draw makes a message's picture, nil when it has none.
func (b *Bot) draw(ctx context.Context, m view.Message) ([]byte, error) {
	if m.Picture == nil {
		return nil, nil
	}
	select {
	case b.pictures <- struct{}{}:
		defer func() { <-b.pictures }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	begin := time.Now()
	data, err := b.renderer.PNG(ctx, m.Picture.Scene)
	b.measures.Drawn(time.Since(begin), err)
	return data, err
}

// problem says what went wrong, to the person alone, and logs what has no
// sentence of its own.
func (b *Bot) problem(c *call, err error, r *storage.Record) view.Message {
	switch {
	case errors.Is(err, discord.ErrOptions), errors.Is(err, discord.ErrUnsupported):
		return view.Said(c.lang, i18n.ErrOptions)
	case errors.Is(err, errTooFast):
		return view.Said(c.lang, i18n.ErrTooFast)
	}
	if !view.Known(err) || errors.Is(err, storage.ErrDamaged) || errors.Is(err, storage.ErrNotWritten) ||
		errors.Is(err, storage.ErrBroken) || errors.Is(err, storage.ErrReplaced) {
		c.log.Error("an interaction failed", "err", err)
	}
	return view.Problem(c.lang, err, r)
}
