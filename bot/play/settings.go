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

// ErrManyChannels says that a server allows games in as many channels as it can name.
var ErrManyChannels = errors.New("too many channels")

// ErrNoSuchSetting says that a setting does not have the value.
var ErrNoSuchSetting = errors.New("no such setting")

// on is the value of settings that are switched on.
const on = "yes"

// NoDays is the value of [intent.SetServerDays] for games without a clock.
const NoDays = "none"

// maxChannels is in how many channels a server may allow games, so that people can be
// told which they are.
const maxChannels = 25

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
// different with it are shown again. The error wraps [ErrNotManager], [ErrNoServer],
// [ErrManyChannels] or [ErrNoSuchSetting], or is the store's.
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
	unlock, err := s.lockPeople(ctx, who.ID, match.UserID(key)) // two managers may change a server's at once
	if err != nil {
		return storage.Settings{}, err
	}
	defer unlock()
	set, changed, err := s.setTo(ctx, who, key, in)
	for errors.Is(err, storage.ErrConflict) { // a deletion has begun, or ended
		set, changed, err = s.setTo(ctx, who, key, in)
	}
	if err != nil || !changed {
		return set, err
	}
	switch in.Name {
	case intent.SetServerLanguage:
		s.redrawGuild(ctx, who.Place.Guild)
	case intent.SetTheme, intent.SetShow, intent.SetButtons:
		s.redraw(ctx, who.ID, true)
	}
	return set, nil
}

// setTo is one try to change a setting under a key. It reports whether that changes
// anything. The error may wrap storage.ErrConflict.
func (s *Service) setTo(ctx context.Context, who Caller, key string, in intent.Set) (set storage.Settings, changed bool, err error) {
	d, err := s.departures(ctx)
	if err == nil {
		err = d.refuse(who.Asked, who.ID)
	}
	if err == nil {
		set, err = s.opt.Store.Settings(ctx, key)
	}
	if err != nil {
		return set, false, err
	}
	before, channel := set.Normal(), who.Place.Channel
	if who.Parent != "" { // a thread belongs to its channel
		channel = who.Parent
	}
	if err := change(&set, in, channel); err != nil || set.Equal(before) {
		return before, false, err
	}
	return set, true, s.opt.Store.SaveSettings(ctx, key, set, d.basis())
}

// change changes one setting. The error is [ErrNoSuchSetting] for a value that there is
// not, or [ErrManyChannels].
func change(set *storage.Settings, in intent.Set, channel string) error {
	one := func(allowed ...string) error {
		if slices.Contains(allowed, in.Value) {
			return nil
		}
		return ErrNoSuchSetting
	}
	switch in.Name {
	case intent.SetLanguage, intent.SetServerLanguage:
		set.Language = in.Value
		return nil
	case intent.SetTheme, intent.SetServerTheme, intent.SetShow, intent.SetServerShow, intent.SetButtons, intent.SetServerButtons:
		return changeLook(set, in)
	case intent.SetNotices:
		set.Notices = in.Value
		return one("", storage.MentionQuiet, storage.MentionPing, storage.MentionDM)
	case intent.SetServerMention:
		set.Mention = in.Value
		return one("", storage.MentionQuiet, storage.MentionPing, storage.MentionDM)
	case intent.SetConfirm:
		set.Confirm = in.Value
		return one("", on)
	case intent.SetChallenges:
		set.NoChallenges = in.Value == "no"
		return one("", "no")
	case intent.SetServerRated:
		set.Rated = in.Value == on
		return one("", on)
	case intent.SetServerThreads:
		set.Threads = in.Value == on
		return one("", on)
	case intent.SetServerDays:
		return changeDays(set, in.Value)
	case intent.SetServerChannel:
		return changeChannels(set, in.Value, channel)
	}
	return ErrNoSuchSetting
}

// changeLook changes how boards look. Whether the theme exists is for others to say.
func changeLook(set *storage.Settings, in intent.Set) error {
	switch in.Name {
	case intent.SetTheme, intent.SetServerTheme:
		if set.Theme = in.Value; in.Value == "" {
			set.Text, set.Emoji, set.Buttons = false, false, ""
			return nil
		}
		set.Text, set.Emoji = false, false // whoever picks a theme wants to see it
	case intent.SetShow, intent.SetServerShow:
		set.Text, set.Emoji = in.Value == intent.Letters, in.Value == intent.InEmoji
		if !set.Text && !set.Emoji && in.Value != intent.Pictures {
			return ErrNoSuchSetting
		}
	default:
		if set.Buttons = in.Value; in.Value != storage.Columns && in.Value != storage.Moves {
			return ErrNoSuchSetting
		}
	}
	if !in.Name.Server() && !HasLook(set) {
		set.Buttons = storage.Columns // nothing chosen would mean the server's choice
	}
	return nil
}

// HasLook reports whether somebody has chosen how boards look.
func HasLook(set *storage.Settings) bool {
	return set.Theme != "" || set.Text || set.Emoji || set.Buttons != ""
}

func changeDays(set *storage.Settings, value string) error {
	if value == NoDays {
		set.Days = match.NoLimit
		return nil
	}
	days, err := strconv.Atoi(value)
	if err != nil || days < 1 || !slices.Contains(match.AllDays, days) {
		return ErrNoSuchSetting
	}
	set.Days = days
	return nil
}

func changeChannels(set *storage.Settings, value, channel string) error {
	list := slices.DeleteFunc(slices.Clone(set.Channels), func(c string) bool { return c == channel })
	switch value {
	case "":
		list = nil
	case "here":
		if len(list) >= maxChannels {
			return ErrManyChannels
		}
		list = append(list, channel)
	case "not":
	default:
		return ErrNoSuchSetting
	}
	set.Channels = list
	return nil
}

// Allowed reports whether a server's settings allow games in a channel.
func Allowed(set *storage.Settings, channel string) bool {
	return len(set.Channels) == 0 || slices.Contains(set.Channels, channel)
}

// mayPlayIn returns a *[NotHereError] where the server does not allow new games. What is
// allowed in a channel is allowed in its threads.
func (s *Service) mayPlayIn(ctx context.Context, at storage.Place, parent string) error {
	if at.Guild == "" {
		return nil
	}
	set := s.settings(ctx, guildKey(at.Guild))
	if Allowed(&set, at.Channel) || parent != "" && Allowed(&set, parent) {
		return nil
	}
	return &NotHereError{Channels: set.Channels}
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

// Pinged returns the players of a game whom a mention in its place is to notify.
func (s *Service) Pinged(ctx context.Context, r *storage.Record) (pinged []match.UserID) {
	for _, seat := range r.Match.Seats {
		if seat.User != "" && seat.User != storage.Deleted && s.MentionOf(ctx, seat.User, r.Place.Guild) == storage.MentionPing {
			pinged = append(pinged, seat.User)
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
