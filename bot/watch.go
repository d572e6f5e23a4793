package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// The answers that lead from one game to the next, and those for people who watch.

// ownBoard answers with a private copy of a game's board, also where it is played.
func (b *Bot) ownBoard(ctx context.Context, c *call, in intent.OwnBoard) answer {
	r, _, err := b.service.Find(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return b.copied(ctx, c, &r, nil)
}

// next answers with a private copy of the game that waits for the person after the one
// that they come from.
func (b *Bot) next(ctx context.Context, c *call, in intent.Next) answer {
	r, err := b.service.Next(ctx, c.who.ID, in.Game)
	if err != nil {
		a := c.private(b.problem(c, err, nil))
		a.about = in.Game
		return a
	}
	b.seen(ctx, c.req, &r)
	return b.copied(ctx, c, &r, nil)
}

// offerNext adds a button to a person's message about a game that leads on to the other
// games that wait for them, where there are any.
func (b *Bot) offerNext(ctx context.Context, l i18n.Lang, who match.UserID, m *match.Match, onCopy bool, msg *view.Message) {
	view.OfferNext(l, msg, intent.Ref{Game: m.ID, Version: m.Version, Copy: onCopy}, b.others(ctx, who, m.ID))
}

// copyOf returns a person's private copy of a game's board.
func (b *Bot) copyOf(ctx context.Context, l i18n.Lang, look view.Look, who match.UserID, r *storage.Record, path []engine.Square) view.Message {
	msg := view.Copy(l, look, r, path)
	msg.Text += b.outsideNote(l, who, r)
	b.offerNext(ctx, l, who, &r.Match, true, &msg)
	return msg
}

// others returns how many games wait for the person besides one.
func (b *Bot) others(ctx context.Context, who match.UserID, game match.ID) int {
	list, err := b.service.Waiting(ctx, who)
	if err != nil {
		return 0 // the button is a convenience
	}
	n := 0
	for _, r := range list {
		if r.Match.ID != game {
			n++
		}
	}
	return n
}

// watching lists the games of a channel. A command shows the only one at once.
func (b *Bot) watching(ctx context.Context, c *call, in intent.Watching) answer {
	list, err := b.service.Watched(ctx, c.who)
	switch {
	case err != nil:
		return b.refuse(c, err, nil)
	case len(list) == 1 && c.req.Kind == discord.Command:
		return b.watched(c, &list[0], view.SideOf(&list[0].Match, c.who.ID))
	}
	return c.private(view.Watching(c.lang, c.who.ID, list, in.Page))
}

func (b *Bot) watch(ctx context.Context, c *call, in intent.Watch) answer {
	r, _, err := b.service.Watch(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	return b.watched(c, &r, in.Side)
}

// watched answers with a view of a game that follows it; see copies.
func (b *Bot) watched(c *call, r *storage.Record, side engine.Color) answer {
	return answer{msg: view.Watch(c.lang, c.look, r, side), update: c.onPrivate(), copied: r, watch: true, side: side}
}

// mayShare reports whether a person may show everybody where they are what they see of
// a finished game.
func (b *Bot) mayShare(ctx context.Context, c *call, r *storage.Record) bool {
	_, err := b.service.Share(ctx, c.who, intent.Ref{Game: r.Match.ID})
	return err == nil
}

func (b *Bot) review(ctx context.Context, c *call, in intent.Review) answer {
	r, v, err := b.service.Review(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	msg, graph := view.Review(c.lang, c.look, &r.Match, v)
	if !c.req.CanAttach() {
		msg.File = nil
		msg.Text += "\n-# " + c.lang.T(i18n.ErrNoGraph)
		return answer{msg: msg, about: r.Match.ID}
	}
	if b.mayShare(ctx, c, &r) {
		view.OfferShare(c.lang, &msg, intent.ShareReview{Ref: intent.Ref{Game: r.Match.ID}})
	}
	return answer{msg: msg, about: r.Match.ID, file: b.graph(graph)}
}

// graph makes a file of a graph.
func (b *Bot) graph(spec render.GraphSpec) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) {
		var buf bytes.Buffer
		err := b.renderer.Graph(&buf, spec)
		return buf.Bytes(), err
	}
}

func (b *Bot) film(ctx context.Context, c *call, in intent.Film) answer {
	r, _, err := b.service.Watch(ctx, c.who, in.Ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	a := b.filmOf(c.lang, c.look, &r)
	if b.mayShare(ctx, c, &r) {
		view.OfferShare(c.lang, &a.msg, intent.ShareFilm{Ref: intent.Ref{Game: r.Match.ID}})
	}
	return a
}

func (b *Bot) filmOf(l i18n.Lang, look view.Look, r *storage.Record) answer {
	msg, frames := view.Film(l, look, &r.Match)
	return answer{msg: msg, about: r.Match.ID, file: b.animation(frames), fileKey: fmt.Sprintf("film %s %d %v", r.Match.ID, r.Match.Version, look.Theme)}
}

func (b *Bot) shareFilm(ctx context.Context, c *call, in intent.ShareFilm) answer {
	return b.share(ctx, c, in.Ref, "film", func(s *storage.Screen) *string { return &s.Film },
		func(l i18n.Lang, look view.Look, r *storage.Record) (answer, error) {
			return b.filmOf(l, look, r), nil
		})
}

func (b *Bot) shareReview(ctx context.Context, c *call, in intent.ShareReview) answer {
	return b.share(ctx, c, in.Ref, "rev", func(s *storage.Screen) *string { return &s.Review },
		func(l i18n.Lang, look view.Look, r *storage.Record) (answer, error) {
			_, v, err := b.service.Review(ctx, c.who, in.Ref)
			if err != nil {
				return answer{}, err
			}
			msg, graph := view.Review(l, look, &r.Match, v)
			return answer{msg: msg, file: b.graph(graph)}, nil
		})
}

// share shows everybody what a player has seen of a finished game, once: in a message
// whose ID is in a field of the game's screen afterwards.
func (b *Bot) share(ctx context.Context, c *call, ref intent.Ref, what string, field func(*storage.Screen) *string,
	of func(i18n.Lang, view.Look, *storage.Record) (answer, error),
) answer {
	r, err := b.service.Share(ctx, c.who, ref)
	if err != nil {
		return b.refuse(c, err, &r)
	}
	said := func(before bool) answer {
		return answer{msg: view.Shared(c.lang, &r, *field(&r.Screen), before), about: r.Match.ID}
	}
	switch {
	case *field(&r.Screen) != "":
		return said(true)
	case b.public.Take(c.who.ID, b.now()) > 0:
		return b.refuse(c, errTooFast, &r)
	}
	a, err := of(i18n.For(r.Place.Locale), b.styled(b.service.PublicLook(ctx, &r)), &r)
	if err == nil {
		a.msg.File.Data, err = b.drawFile(ctx, a)
	}
	if err != nil {
		return b.refuse(c, err, &r)
	}
	view.Share(i18n.For(r.Place.Locale), &a.msg, c.who.Name)
	unlock := b.screens.Lock(ctx, r.Match.ID)
	if unlock == nil {
		return b.refuse(c, ctx.Err(), &r)
	}
	defer unlock()
	if r, err = b.service.Share(ctx, c.who, ref); err != nil {
		return b.refuse(c, err, &r)
	}
	if *field(&r.Screen) != "" {
		return said(true) // the other player was faster
	}
	// The nonce is the same after a crash: what was posted just before it is not posted again.
	message, err := b.rest.Post(ctx, r.Place.Channel, a.msg, nil, what+string(r.Match.ID))
	switch {
	case errors.Is(err, discord.ErrForbidden):
		return answer{msg: view.Said(c.lang, i18n.ErrNoPosting), about: r.Match.ID}
	case err != nil:
		return b.refuse(c, err, &r)
	}
	*field(&r.Screen) = message
	b.service.Shared(context.WithoutCancel(ctx), r.Match.ID, r.Screen)
	return said(false)
}
