package play

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// ErrNotHere says that the server does not allow games in this channel.
var ErrNotHere = errors.New("games are not allowed in this channel")

// ErrNoServer says that a setting is a server's, and asked for in direct messages.
var ErrNoServer = errors.New("there is no server here")

// ErrNoSuchSetting says that a setting does not have the value.
var ErrNoSuchSetting = errors.New("no such setting")

// on is the value of settings that are switched on.
const on = "yes"

// noLimit is the value of [intent.SetServerDays] for games without a clock.
const noLimit = "none"

// SettingsOf returns the settings of a person or, with server, of the server.
func (s *Service) SettingsOf(ctx context.Context, who Caller, server bool) (storage.Settings, error) {
	key := personKey(who.ID)
	if server {
		if who.Place.Guild == "" {
			return storage.Settings{}, ErrNoServer
		}
		key = guildKey(who.Place.Guild)
	}
	return s.opt.Store.Settings(ctx, key)
}

// Set changes a setting, and returns all of the person or the server. Boards that look
// different with it are shown again. The error wraps [ErrNotManager], [ErrNoServer] or
// [ErrNoSuchSetting], or is the store's.
func (s *Service) Set(ctx context.Context, who Caller, in intent.Set) (storage.Settings, error) {
	key := personKey(who.ID)
	if in.Name.Server() {
		switch {
		case who.Place.Guild == "":
			return storage.Settings{}, ErrNoServer
		case !who.Manages:
			return storage.Settings{}, ErrNotManager
		}
		key = guildKey(who.Place.Guild)
	}
	unlock, err := s.lockPeople(ctx, who.ID)
	if err != nil {
		return storage.Settings{}, err
	}
	defer unlock()
	if err := s.notLeaving(ctx, who.ID, who.Asked); err != nil {
		return storage.Settings{}, err
	}
	set, err := s.opt.Store.Settings(ctx, key)
	if err != nil {
		return set, err
	}
	before := set.Normal()
	if !change(&set, in, who.Place.Channel) {
		return before, ErrNoSuchSetting
	}
	if set.Equal(before) {
		return set, nil
	}
	if err := s.opt.Store.SaveSettings(ctx, key, set); err != nil {
		return before, err
	}
	switch in.Name {
	case intent.SetServerLanguage:
		s.redrawGuild(ctx, who.Place.Guild)
	case intent.SetNotices, intent.SetServerMention:
		s.redraw(ctx, who.ID, false)
	}
	return set, nil
}

// change changes one setting; it reports false for a value that there is not.
func change(set *storage.Settings, in intent.Set, channel string) bool {
	one := func(allowed ...string) bool { return in.Value == "" || slices.Contains(allowed, in.Value) }
	switch in.Name {
	case intent.SetLanguage, intent.SetServerLanguage:
		set.Language = in.Value // an unknown one is taken for English
		return true
	case intent.SetNotices, intent.SetServerMention:
		if !one(storage.MentionQuiet, storage.MentionPing, storage.MentionDM) {
			return false
		}
		if in.Name == intent.SetNotices {
			set.Notices = in.Value
		} else {
			set.Mention = in.Value
		}
		return true
	case intent.SetConfirm:
		set.Confirm = in.Value
		return one(on)
	case intent.SetChallenges:
		set.NoChallenges = in.Value == "no"
		return one("no")
	case intent.SetServerDays:
		days := 0
		switch in.Value {
		case "":
		case noLimit:
			days = match.NoLimit
		default:
			var err error
			if days, err = strconv.Atoi(in.Value); err != nil || !slices.Contains(match.AllDays, days) {
				return false
			}
		}
		set.Days = days
		return true
	case intent.SetServerChannel:
		list := slices.DeleteFunc(slices.Clone(set.Channels), func(c string) bool { return c == channel })
		switch in.Value {
		case "":
			list = nil
		case "here":
			if len(list) >= storage.MaxChosen {
				return false
			}
			list = append(list, channel)
		case "not":
		default:
			return false
		}
		set.Channels = list
		return true
	}
	return false
}

// mayPlayHere returns [ErrNotHere] where the server does not allow games. A thread
// belongs to its channel.
func (s *Service) mayPlayHere(ctx context.Context, who Caller) error {
	if who.Place.Guild == "" {
		return nil
	}
	allowed := s.settings(ctx, guildKey(who.Place.Guild)).Channels
	if len(allowed) == 0 || slices.Contains(allowed, who.Place.Channel) || who.Parent != "" && slices.Contains(allowed, who.Parent) {
		return nil
	}
	return &NotHereError{Channels: allowed}
}

// NotHereError is [ErrNotHere] with the channels where games are allowed.
type NotHereError struct{ Channels []string }

func (e *NotHereError) Error() string { return ErrNotHere.Error() }

// Unwrap returns [ErrNotHere].
func (e *NotHereError) Unwrap() error { return ErrNotHere }

// MentionOf returns how a person wants to hear of a turn in a place: as they have
// chosen, or as the server has; by a mention without either.
func (s *Service) MentionOf(ctx context.Context, u match.UserID, guild string) string {
	if how := s.settings(ctx, personKey(u)).Notices; how != "" {
		return how
	}
	if guild != "" {
		if how := s.settings(ctx, guildKey(guild)).Mention; how != "" {
			return how
		}
	}
	return storage.MentionPing
}

// Pinged returns those of the people whom a mention in a game's place shall notify.
func (s *Service) Pinged(ctx context.Context, r *storage.Record, people []match.UserID) (pinged []match.UserID) {
	for _, u := range people {
		if s.MentionOf(ctx, u, r.Place.Guild) == storage.MentionPing {
			pinged = append(pinged, u)
		}
	}
	return pinged
}

// Confirms reports whether a person wants to be asked once more before a move.
func (s *Service) Confirms(ctx context.Context, u match.UserID) bool {
	return s.settings(ctx, personKey(u)).Confirm == on
}

// redrawGuild has the boards of a server shown again.
func (s *Service) redrawGuild(ctx context.Context, guild string) {
	after := match.ID("")
	for {
		list, err := s.opt.Store.ListOf(ctx, storage.Of{Guild: guild}, after, sweepLimit)
		if err != nil {
			s.opt.Log.WarnContext(ctx, "could not find the boards of a server; they change with the next move", "err", err)
			return
		}
		for _, r := range list {
			if r.Match.Phase != match.Finished {
				s.opt.Screen.Redraw(r.Match.ID)
			}
		}
		if len(list) < sweepLimit {
			return
		}
		after = list[len(list)-1].Match.ID
	}
}

// Locale returns the language of what everybody in a place sees: the server's choice,
// or what Discord says.
func (s *Service) Locale(ctx context.Context, at storage.Place) string {
	if at.Guild != "" {
		if chosen := s.settings(ctx, guildKey(at.Guild)).Language; chosen != "" {
			return chosen
		}
	}
	return at.Locale
}

// LocaleOf returns the language of what a person alone sees: the person's choice, or
// what Discord says.
func (s *Service) LocaleOf(ctx context.Context, u match.UserID, discord string) string {
	if chosen := s.settings(ctx, personKey(u)).Language; chosen != "" {
		return chosen
	}
	return discord
}
