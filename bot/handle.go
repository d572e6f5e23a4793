package bot

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

const (
	// away is how long somebody has to be silent before a new message, which
	// notifies, is better than an edit, which does not.
	away = 3 * time.Minute
	// oldMessage is the age from which a board is posted afresh; Discord limits
	// edits of messages older than an hour.
	oldMessage = 50 * time.Minute
)

// handle decides what an interaction leads to. It never fails: what went wrong
// is an answer too.
func (b *Bot) handle(ctx context.Context, c *call) answer {
	who := play.Person{ID: c.req.User.ID, Name: c.req.User.Name}
	private := func(m view.Message) answer { return answer{msg: m, update: c.onPrivate()} }
	fresh := func(r storage.Record, err error) answer {
		if err != nil {
			return answer{msg: b.problem(c, err, &r)}
		}
		return b.screen(ctx, c, r, nil, true)
	}

	switch in := c.req.Intent.(type) {
	case intent.Help:
		return private(view.Help(c.lang, c.look))
	case intent.Rules:
		return private(view.Rules(c.lang, c.look, in.Page))
	case intent.Games:
		list, err := b.service.Games(ctx, who.ID)
		if err != nil {
			return answer{msg: b.problem(c, err, nil)}
		}
		return private(view.Games(c.lang, who.ID, list))
	case intent.Look:
		m, err := b.setLook(ctx, c, in)
		if err != nil {
			return answer{msg: b.problem(c, err, nil)}
		}
		return private(m)
	case intent.MyData, intent.ExportData, intent.AskDeleteData, intent.DeleteData, intent.KeepData:
		return b.data(ctx, c)
	case intent.Play:
		return fresh(b.service.Play(ctx, match.ID(c.req.ID), who, c.place, in))
	case intent.Challenge:
		return fresh(b.service.Challenge(ctx, match.ID(c.req.ID), who, c.place, in))
	case intent.Rematch:
		return fresh(b.service.Rematch(ctx, match.ID(c.req.ID), who, in.Ref))
	case intent.Step:
		r, rest, err := b.service.Step(ctx, who.ID, in)
		return b.acted(ctx, c, r, rest, err)
	case intent.Resign:
		// A resignation stands whatever has been moved since it was asked for.
		in.Version = 0
		r, err := b.service.Act(ctx, who.ID, in.Ref, commandOf(in))
		return b.acted(ctx, c, r, nil, err)
	}

	// The rest is about one game of the person.
	r, err := b.service.Find(ctx, who.ID, c.req.Channel, intent.RefOf(c.req.Intent))
	if err != nil {
		return answer{msg: b.problem(c, err, &r)}
	}
	m := &r.Match
	seat, err := m.SeatOf(who.ID)
	if err != nil {
		return answer{msg: b.problem(c, err, &r)}
	}
	switch in := c.req.Intent.(type) {
	case intent.Board:
		return b.screen(ctx, c, r, nil, true)
	case intent.More:
		return private(view.More(c.lang, c.look, m, seat, b.now()))
	case intent.MySide:
		return private(view.MySide(c.lang, c.look, m, seat))
	case intent.Keep:
		return private(view.Said(c.lang, i18n.ResignKept))
	case intent.AskResign:
		if m.Phase != match.Playing {
			return answer{msg: b.problem(c, match.ErrFinished, &r)}
		}
		return private(view.AskResign(c.lang, m, seat))
	case intent.GameText:
		return private(view.GameText(c.lang, m, b.gameText(c.lang, m)))
	case intent.Film:
		return answer{msg: view.Film(c.lang, m, nil), film: func(ctx context.Context) ([]byte, error) {
			look := render.Scene{Bottom: view.Bottom(m), Theme: c.look.Theme, Edge: filmEdge}
			frames, err := render.GameFrames(look, engine.Start(m.Rules), m.Moves, m.Result)
			return b.animate(ctx, frames, err)
		}}
	case intent.Replay:
		n := len(m.Moves) - 1
		if n < 0 {
			return answer{msg: b.problem(c, match.ErrNothingToUndo, &r)}
		}
		return answer{msg: view.Replay(c.lang, m), film: func(ctx context.Context) ([]byte, error) {
			g, err := engine.Replay(engine.Start(m.Rules), m.Moves[:n])
			if err != nil {
				return nil, err
			}
			frames, err := render.MoveFrames(render.Scene{Bottom: seat, Theme: c.look.Theme, Edge: filmEdge}, g.Position(), m.Moves[n])
			return b.animate(ctx, frames, err)
		}}
	case intent.Review:
		return b.review(ctx, c, r, seat)
	case intent.Hint:
		return b.hint(ctx, c, r, seat, in)
	case intent.Move:
		r, err = b.service.Act(ctx, who.ID, intent.Ref{Game: m.ID}, moveOf(in.Text))
	default:
		// A command names no game; by now it is known which one is meant.
		ref := intent.RefOf(in)
		ref.Game = m.ID
		r, err = b.service.Act(ctx, who.ID, ref, commandOf(in))
	}
	return b.acted(ctx, c, r, nil, err)
}

// onPrivate reports whether the interaction is a button on a message that the
// person alone sees, which is then changed rather than followed by another.
func (c *call) onPrivate() bool { return c.req.Kind == discord.Button && c.req.MessagePrivate }

// acted answers after a command on a game.
func (b *Bot) acted(ctx context.Context, c *call, r storage.Record, rest []engine.Square, err error) answer {
	if err != nil {
		return answer{msg: b.problem(c, err, &r), update: c.onPrivate()}
	}
	return b.screen(ctx, c, r, rest, c.req.Kind == discord.Command)
}

// screen shows a game where it belongs: in the message that the button is on, in
// a new one when fresh is asked for or an edit would not reach the person to act,
// and after a press on a private message in the game's own message.
func (b *Bot) screen(ctx context.Context, c *call, r storage.Record, rest []engine.Square, fresh bool) answer {
	look := b.publicLook(ctx, &r)
	lang := i18n.For(r.Place.Locale)
	plain := !look.Letters && !c.req.CanAttach()
	look.Letters = look.Letters || plain
	m := view.Game(lang, look, &r.Match, rest)
	if plain {
		m.Text += "\n-# " + lang.T(i18n.ErrNoAttach)
	}
	if c.onPrivate() && !fresh {
		b.screens.Refresh(r.Match.ID)
		return answer{msg: view.Said(c.lang, i18n.Done), update: true}
	}
	if !fresh && len(rest) == 0 {
		fresh = b.now().Sub(snowflakeTime(c.req.Message)) > oldMessage || b.unreached(&r.Match, c.req.User.ID, m.Notify)
	}
	return answer{msg: m, update: !fresh, game: &r}
}

// unreached reports whether somebody whom a message is for, other than the one
// who acted, has been silent for so long that an edit would go unnoticed.
func (b *Bot) unreached(m *match.Match, actor match.UserID, notify []match.UserID) bool {
	for _, u := range notify {
		if seat, err := m.SeatOf(u); err == nil && u != actor && b.now().Sub(m.Seen[seat]) > away {
			return true
		}
	}
	return false
}

// commandOf makes the command behind an intent that changes a game.
func commandOf(in intent.Intent) func(*match.Match, engine.Color) (match.Command, error) {
	return func(m *match.Match, by engine.Color) (match.Command, error) {
		switch in.(type) {
		case intent.Accept:
			return match.Accept{By: by}, nil
		case intent.Decline:
			return match.Decline{By: by}, nil
		case intent.Withdraw:
			return match.Withdraw{By: by}, nil
		case intent.Undo:
			to, _ := m.UndoPly(by)
			return match.RequestUndo{By: by, To: to}, nil
		case intent.AllowUndo:
			return match.AcceptUndo{By: by}, nil
		case intent.RefuseUndo:
			return match.DeclineUndo{By: by}, nil
		case intent.Draw:
			return match.OfferDraw{By: by}, nil
		case intent.AcceptDraw:
			return match.AcceptDraw{By: by}, nil
		case intent.DeclineDraw:
			return match.DeclineDraw{By: by}, nil
		case intent.Resign:
			return match.Resign{By: by}, nil
		case intent.Abort:
			return match.Abort{By: by}, nil
		case intent.Claim:
			return match.Claim{By: by}, nil
		}
		return nil, fmt.Errorf("no command for %T", in)
	}
}

// moveOf makes the command of a typed move.
func moveOf(text string) func(*match.Match, engine.Color) (match.Command, error) {
	return func(m *match.Match, by engine.Color) (match.Command, error) {
		if m.Phase == match.Playing && m.Turn() != by {
			return nil, match.ErrNotYourTurn
		}
		g := m.Game()
		pos := g.Position()
		mv, err := notation.FindMove(&pos, text)
		if err != nil && m.Phase == match.Playing {
			return nil, err
		}
		return match.Play{By: by, Move: mv}, nil
	}
}

// hint asks the strongest level. Only the person to move may ask, or a hint
// would be one for the opponent.
func (b *Bot) hint(ctx context.Context, c *call, r storage.Record, seat engine.Color, in intent.Hint) answer {
	m := &r.Match
	var err error
	switch {
	case m.Phase == match.Proposed:
		err = match.ErrNotAccepted
	case m.Phase == match.Finished:
		err = match.ErrFinished
	case in.Version != 0 && in.Version != m.Version:
		err = play.ErrStale
	case m.Turn() != seat:
		err = match.ErrNotYourTurn
	}
	if err != nil {
		return answer{msg: b.problem(c, err, &r)}
	}
	rep, err := b.service.Hint(ctx, r)
	if err != nil {
		return answer{msg: b.problem(c, err, &r)}
	}
	return answer{msg: view.Hint(c.lang, c.look, m, rep)}
}

// gameText writes a game as text for other programs.
func (b *Bot) gameText(l i18n.Lang, m *match.Match) string {
	name := func(s match.Seat) string {
		if s.Machine() {
			return "Lasca level " + strconv.Itoa(s.Level)
		}
		return view.PlayerName(l, s)
	}
	return notation.FormatGame(notation.Game{
		Tags: []notation.Tag{
			{Name: "Event", Value: "Lasca on Discord"},
			{Name: "Date", Value: m.Created.UTC().Format("2006.01.02")},
			{Name: "White", Value: name(m.Seats[engine.White])},
			{Name: "Black", Value: name(m.Seats[engine.Black])},
			{Name: "Termination", Value: string(m.Ending)},
		},
		Start: engine.StartSetup(m.Rules), Moves: m.Moves, Result: m.Result,
	})
}

// animate writes frames as an animation.
func (b *Bot) animate(ctx context.Context, frames []render.Frame, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := b.renderer.GIF(ctx, &buf, frames, nil); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// review shows where a finished game turned. While a game goes on that would be
// a hint for both sides.
func (b *Bot) review(ctx context.Context, c *call, r storage.Record, seat engine.Color) answer {
	if r.Match.Phase != match.Finished {
		return answer{msg: b.problem(c, play.ErrStale, &r)}
	}
	v, err := b.service.Review(ctx, r)
	if err != nil {
		return answer{msg: b.problem(c, err, &r)}
	}
	msg, graph := view.Review(c.lang, c.look, &r.Match, v)
	return answer{msg: msg, film: func(context.Context) ([]byte, error) {
		var buf bytes.Buffer
		err := b.renderer.Graph(&buf, graph)
		return buf.Bytes(), err
	}}
}

// filmEdge is the width of animations in pixels.
const filmEdge = 480

// snowflakeTime returns when Discord made something, by its ID; the zero time's
// year 2015 for what is no ID.
func snowflakeTime(id string) time.Time {
	const discordEpoch = 1420070400000 // the first second of 2015, in ms
	n, _ := strconv.ParseInt(id, 10, 64)
	return time.UnixMilli(n>>22 + discordEpoch)
}

// lookFrom makes a look of a stored choice.
func lookFrom(s storage.Settings) view.Look {
	theme, err := render.ParseTheme(s.Theme)
	if err != nil {
		theme = render.Wood
	}
	return view.Look{Theme: theme, Letters: s.Text}
}

// settings reads a choice; what cannot be read is the default, since a game must
// not stop at it.
func (b *Bot) settings(ctx context.Context, key string) storage.Settings {
	s, err := b.opt.Store.Settings(ctx, key)
	if err != nil {
		b.log.WarnContext(ctx, "settings not read", "key", key, "err", err)
	}
	return s
}

// lookOf returns how a person wants boards: as chosen, or as the server has it.
func (b *Bot) lookOf(ctx context.Context, at storage.Place, u match.UserID) view.Look {
	s := b.settings(ctx, play.PersonKey(u))
	if s == (storage.Settings{}) && at.Guild != "" {
		s = b.settings(ctx, play.GuildKey(at.Guild))
	}
	return lookFrom(s)
}

// publicLook returns how a game's message looks: as the server wants it, in
// direct messages as the person does.
func (b *Bot) publicLook(ctx context.Context, r *storage.Record) view.Look {
	if r.Place.Guild != "" {
		return lookFrom(b.settings(ctx, play.GuildKey(r.Place.Guild)))
	}
	for _, s := range r.Match.Seats {
		if s.User != "" {
			return b.lookOf(ctx, r.Place, s.User)
		}
	}
	return view.Look{}
}

// setLook stores how boards are to look and shows a sample.
func (b *Bot) setLook(ctx context.Context, c *call, in intent.Look) (view.Message, error) {
	key := play.PersonKey(c.req.User.ID)
	if in.Everyone {
		if !c.req.CanManage() {
			return view.Said(c.lang, i18n.ErrManage), nil
		}
		key = play.GuildKey(c.place.Guild)
	}
	s, err := b.opt.Store.Settings(ctx, key)
	if err != nil {
		return view.Message{}, err
	}
	if in.Theme != "" {
		theme, err := render.ParseTheme(in.Theme)
		if err != nil {
			return view.Message{}, fmt.Errorf("%w: theme: %w", discord.ErrOptions, err)
		}
		s.Theme = theme.String()
		s.Text = false // who picks a theme wants to see it
	}
	if in.Text != "" {
		s.Text = in.Text == "on"
	}
	if err := b.opt.Store.SaveSettings(ctx, key, s); err != nil {
		return view.Message{}, err
	}
	return view.Sample(c.lang, lookFrom(s), in.Everyone), nil
}
