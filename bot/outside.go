package bot

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Where the bot is not (discord.Request.Outside), in direct messages among people and on
// servers that have not added it, there are only answers to interactions.

// placeOf returns where an interaction comes from.
func placeOf(req discord.Request) storage.Place {
	p := storage.Place{Guild: req.Guild, Channel: req.Channel, Locale: i18n.For(req.PlaceLocale).Tag()}
	if req.Outside {
		p.Guild, p.Outside = "", cmp.Or(req.Guild, storage.OutsideDM)
	}
	return p
}

// overtaken finds the game of a press on a board that shows less than there is: nothing
// else could bring such a board up to date where the bot is not. A press on a screen that
// has to be right, since the bot refreshes it, is answered as usual.
func (b *Bot) overtaken(ctx context.Context, c *call, row row) (match.ID, bool) {
	ref := c.in.About()
	if c.who.Place.Outside == "" || c.req.Kind != discord.Button || c.req.MessagePrivate || row.is(slow) || ref.Game == "" || ref.Version == 0 {
		return "", false
	}
	r, err := b.service.Load(ctx, ref.Game)
	return ref.Game, err == nil && at(c, &r) && r.Match.Version > ref.Version
}

// boardNote says below a board what is different about it in its place, "" if nothing is.
func (c *call) boardNote(l i18n.Lang, r *storage.Record) string {
	var key i18n.Key
	switch {
	case r.Place.Outside != "" && c.makes: // once, to whoever starts the game
		key = i18n.BoardOutside
	case r.Place.Outside != "" || c.req.Outside:
		return ""
	case !c.req.CanSee():
		key = i18n.ErrNoView
	case c.req.CanPost() || !c.makes:
		return ""
	case c.req.Thread:
		key = i18n.ErrNoPostThread
	default:
		key = i18n.ErrNoPost
	}
	return "\n-# " + l.T(key)
}

// unseen deals with a game's message that was for everybody and that Discord has shown to
// the person alone, for a reason that could not be known beforehand: a challenge that
// nobody else sees is withdrawn, and any other message becomes a private copy.
func (b *Bot) unseen(ctx context.Context, c *call, a answer, how deferral, message string) {
	if how == deferredUpdate {
		return // a message of its own, which nothing here can change; nobody was told anything
	}
	r := a.game
	next := b.copied(ctx, c, r, nil)
	if r.Match.Phase == match.Proposed && c.makes {
		_, _, err := b.service.Act(ctx, c.who, intent.Withdraw{Ref: intent.Ref{Game: r.Match.ID}})
		if err != nil && !errors.Is(err, match.ErrNotProposed) {
			c.log.WarnContext(ctx, "could not withdraw a challenge that nobody sees", "game", r.Match.ID, "err", err)
		}
		next = b.refuse(c, play.ErrAlone, nil)
	}
	var err error
	if next.picture, err = b.draw(ctx, next.msg); err == nil {
		_, err = b.rest.EditOriginal(ctx, c.req, next.msg, next.picture)
	}
	if err != nil {
		c.log.WarnContext(ctx, "could not say that Discord shows an answer to the person alone", "err", err)
		return
	}
	b.keepCopy(c, next, how, message)
}

// toldAnew notes on a game that another message shows it from now on, after an interaction of
// a person's. Where the bot is not, nobody can be asked whether the message that has told
// of the turn is still there. So the time counts anew from the new one, unless the person
// to move has asked for it.
func toldAnew(r storage.Record, message string, who match.UserID) storage.Record {
	if r.Place.Outside != "" && message != r.Screen.Message && r.Match.Seats[r.Match.Turn()].User != who {
		r.Screen.Turn, r.Screen.Told, r.Screen.Teller = time.Time{}, time.Time{}, ""
	}
	return r
}

// outsideNote says on a person's copy of a board that the opponent does not see on the
// board where the game is played what has happened, "" where they do.
func (b *Bot) outsideNote(l i18n.Lang, who match.UserID, r *storage.Record) string {
	m := &r.Match
	seat, err := m.SeatOf(who)
	if err != nil || r.Screen.Message == "" || !r.Behind() || b.screens.Reaches(r) || m.Seats[seat.Other()].Machine() {
		return ""
	}
	return "\n-# " + view.Unseen(l, m, seat.Other())
}
