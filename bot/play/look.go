package play

import (
	"context"

	"github.com/lascabot/lascabot/bot/intent"
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
	if set == (storage.Settings{}) && at.Guild != "" {
		set = s.settings(ctx, guildKey(at.Guild))
	}
	return set
}

// PublicLook returns how a game's message looks: as the server wants it, in
// direct messages as the person does.
func (s *Service) PublicLook(ctx context.Context, r *storage.Record) storage.Settings {
	if r.Place.Guild != "" {
		return s.settings(ctx, guildKey(r.Place.Guild))
	}
	for _, seat := range r.Match.Seats {
		if seat.User != "" {
			return s.lookOf(ctx, seat.User, r.Place)
		}
	}
	return storage.Settings{}
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
// The error wraps [ErrNotManager] or is the store's.
func (s *Service) SetLook(ctx context.Context, who Caller, in intent.Look) (storage.Settings, error) {
	key := personKey(who.ID)
	if in.Everyone {
		if !who.Manages {
			return storage.Settings{}, ErrNotManager
		}
		key = guildKey(who.Place.Guild)
	}
	unlock, err := s.lockPeople(ctx, who.ID)
	if err != nil {
		return storage.Settings{}, err
	}
	defer unlock()
	if err := s.notLeaving(ctx, who.ID); err != nil {
		return storage.Settings{}, err
	}
	set, err := s.opt.Store.Settings(ctx, key)
	if err != nil {
		return set, err
	}
	if in.Theme != "" {
		set.Theme = in.Theme
		set.Text = false // whoever picks a theme wants to see it
	}
	if in.Text != "" {
		set.Text = in.Text == "on"
	}
	return set, s.opt.Store.SaveSettings(ctx, key, set)
}
