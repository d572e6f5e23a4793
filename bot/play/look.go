package play

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// The settings of a person and of a server are stored under their IDs, behind
// these.
const (
	personPrefix = "person "
	guildPrefix  = "guild "
)

func personKey(u match.UserID) string { return personPrefix + string(u) }
func guildKey(guild string) string    { return guildPrefix + guild }

// LookOf returns how a person wants boards that nobody else sees: as the person
// has chosen, or as the server has.
func (s *Service) LookOf(ctx context.Context, who Caller) storage.Settings {
	return s.lookOf(ctx, who.ID, who.Place)
}

func (s *Service) lookOf(ctx context.Context, u match.UserID, at storage.Place) storage.Settings {
	set := s.settings(ctx, personKey(u))
	if set.IsZero() && at.Guild != "" {
		set = s.settings(ctx, guildKey(at.Guild))
	}
	return set
}

// PublicLook returns how a game's message looks. A game with one person looks as
// that person wants. One between people looks as the server wants, and as White's
// player does in direct messages; but its buttons are what the person to move
// wants, who alone can press them.
func (s *Service) PublicLook(ctx context.Context, r *storage.Record) storage.Settings {
	m := &r.Match
	if u, ok := onlyPerson(m); ok {
		return s.lookOf(ctx, u, r.Place)
	}
	var set storage.Settings
	if r.Place.Guild != "" {
		set = s.settings(ctx, guildKey(r.Place.Guild))
	} else {
		set = s.lookOf(ctx, m.Seats[engine.White].User, r.Place)
	}
	set.Buttons = s.lookOf(ctx, m.Seats[m.Turn()].User, r.Place).Buttons
	return set
}

// onlyPerson returns who plays against the machine, and false for a game between
// people.
func onlyPerson(m *match.Match) (match.UserID, bool) {
	for c, seat := range m.Seats {
		if seat.Machine() {
			return m.Seats[engine.Color(c).Other()].User, true
		}
	}
	return "", false
}

// settings reads a choice. One that cannot be read falls back to the default,
// since a game must not stop over it.
func (s *Service) settings(ctx context.Context, key string) storage.Settings {
	set, err := s.opt.Store.Settings(ctx, key)
	if err != nil {
		s.opt.Log.WarnContext(ctx, "could not read settings; using the defaults", "key", key, "err", err)
	}
	return set
}

// SetLook stores how boards are to look, to the person or on the whole server,
// and returns the choice as it then is. The theme's name is stored as it is given.
// The boards that a person's choice changes are redrawn; running counts the games
// against the machine among them. The error wraps [ErrNotManager] or is the
// store's.
func (s *Service) SetLook(ctx context.Context, who Caller, in intent.Look) (set storage.Settings, running int, err error) {
	key := personKey(who.ID)
	if in.Everyone {
		if !who.Manages {
			return set, 0, ErrNotManager
		}
		key = guildKey(who.Place.Guild)
	}
	unlock, err := s.lockPeople(ctx, who.ID)
	if err != nil {
		return storage.Settings{}, 0, err
	}
	defer unlock()
	set, changed, err := s.setLook(ctx, who, key, in)
	for errors.Is(err, storage.ErrConflict) { // a deletion has begun, or ended
		set, changed, err = s.setLook(ctx, who, key, in)
	}
	if err != nil || in.Everyone {
		return set, 0, err
	}
	return set, s.redraw(ctx, who.ID, changed), nil
}

// setLook is one try to store a choice under a key. It reports whether that changes
// anything. The error may wrap storage.ErrConflict.
func (s *Service) setLook(ctx context.Context, who Caller, key string, in intent.Look) (set storage.Settings, changed bool, err error) {
	d, err := s.departures(ctx)
	if err == nil {
		err = d.refuse(who.Asked, who.ID)
	}
	if err != nil {
		return set, false, err
	}
	set, err = s.opt.Store.Settings(ctx, key)
	if err != nil {
		return set, false, err
	}
	before := set
	if in.Theme != "" {
		set.Theme = in.Theme
		set.Text, set.Emoji = false, false // whoever picks a theme wants to see it
	}
	if in.Boards != "" {
		set.Text, set.Emoji = in.Boards == intent.Letters, in.Boards == intent.InEmoji
	}
	if in.Buttons != "" {
		set.Buttons = in.Buttons
	}
	if !in.Everyone && set.IsZero() {
		set.Buttons = storage.Columns // nothing chosen would mean the server's choice
	}
	return set, !set.Equal(before), s.opt.Store.SaveSettings(ctx, key, set, d.basis())
}

// redraw has the boards shown again whose look a person decides, if it has
// changed, and counts the running games against the machine.
func (s *Service) redraw(ctx context.Context, who match.UserID, changed bool) (running int) {
	list, err := s.Games(ctx, who)
	if err != nil {
		s.opt.Log.WarnContext(ctx, "could not find the boards to redraw; they change with the next move", "err", err)
		return 0
	}
	for i := range list {
		m := &list[i].Match
		_, alone := onlyPerson(m)
		if alone {
			running++
		}
		if changed && (alone || m.Phase == match.Playing && m.Seats[m.Turn()].User == who) {
			s.opt.Screen.Redraw(m.ID)
		}
	}
	return running
}
