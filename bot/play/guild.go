package play

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lascabot/lascabot/storage"
)

// goneKey is the note of the servers that the application has left.
const goneKey = "guilds gone"

const (
	// guildsEvery is how long a list of the servers holds. Then Discord is asked for
	// another, and the servers with games are compared again in any case.
	guildsEvery = 24 * time.Hour
	// guildsAgain is the time between two such questions when the first fails.
	guildsAgain = 10 * time.Minute
	// maxGone is how many servers fit in the note, each with an ID of up to twenty
	// digits and a time. The others are noted later and keep their games longer.
	maxGone = storage.MaxState / 40
)

// guilds is what is known about the servers that the application is or was in.
type guilds struct {
	present  map[string]bool  // nil: Discord has not said yet
	listed   time.Time        // when Discord last listed the servers
	asked    time.Time        // when Discord was last asked for the list; zero: not since it came
	asking   map[string]bool  // servers seen while Discord is being asked; nil: it is not
	compared time.Time        // when present was last compared with the store; zero: not yet
	gone     map[string]int64 // since when, in seconds of Unix; nil: not read from the store yet
	changed  bool             // gone differs from what is stored
}

// Present says which servers the application is in. It has left any other server
// with games: what is stored about that server is deleted after
// Options.KeepRemoved, unless the application returns before then. Servers in an
// outage must be in the list, and the list must be whole. It holds for a day; then
// Run asks for another with Options.Guilds.
func (s *Service) Present(ids []string) {
	s.mu.Lock()
	s.guilds.list(ids, s.opt.Now())
	s.mu.Unlock()
	s.lookAtGuilds()
}

// list takes over a list of Discord's.
func (g *guilds) list(ids []string, now time.Time) {
	g.present, g.listed, g.asked, g.compared = map[string]bool{}, now, time.Time{}, time.Time{}
	for _, id := range ids {
		g.present[id] = true
	}
}

// Resumed says that the connection to Discord is back and goes on with a session
// that began earlier, so that there is no list of servers with it. If the last list
// no longer holds, Run asks for another at once.
func (s *Service) Resumed() {
	s.mu.Lock()
	s.guilds.asked = time.Time{}
	s.mu.Unlock()
	s.lookAtGuilds()
}

// Seen says that somebody in a server has just used the application.
func (s *Service) Seen(guild string) {
	s.mu.Lock()
	_, gone := s.guilds.gone[guild]
	if s.guilds.present != nil {
		s.guilds.present[guild] = true
	}
	if s.guilds.asking != nil {
		s.guilds.asking[guild] = true
	}
	s.mu.Unlock()
	if gone {
		s.unmark(guild)
		s.lookAtGuilds()
	}
}

// lookAtGuilds makes Run compare the servers.
func (s *Service) lookAtGuilds() {
	select {
	case s.listed <- struct{}{}:
	default:
	}
}

// unmark drops a server from those that are gone.
func (s *Service) unmark(guild string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.guilds.gone[guild]; ok {
		delete(s.guilds.gone, guild)
		s.guilds.changed = true
	}
}

// goneFor reports whether a server has been gone for longer than its data is
// kept.
func (s *Service) goneFor(guild string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.guilds.gone[guild]
	return ok && s.opt.Now().Sub(time.Unix(at, 0)) >= s.opt.KeepRemoved
}

// tidyGuilds notes which servers are gone, and deletes some of what is stored
// about those that have been gone for too long.
func (s *Service) tidyGuilds(ctx context.Context) {
	if s.opt.KeepRemoved <= 0 {
		return
	}
	if s.opt.Mine != nil && !s.opt.Mine("") {
		s.mu.Lock()
		s.guilds = guilds{} // another process goes on with it, and this one begins anew after that
		s.mu.Unlock()
		return
	}
	s.askForGuilds(ctx)
	err := s.compareGuilds(ctx)
	if err == nil {
		err = s.purgeGuilds(ctx)
	}
	if saved := s.saveGone(ctx); err == nil {
		err = saved
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not tidy up after servers that removed the bot; will retry", "err", err)
	}
}

// askForGuilds asks Discord for the list of servers when the last one no longer
// holds, and keeps that one if there is no answer. The first list comes with the
// session, unless its shards are shared among processes.
func (s *Service) askForGuilds(ctx context.Context) {
	s.mu.Lock()
	g, now := &s.guilds, s.opt.Now()
	before := g.listed
	due := (g.present != nil || s.opt.Mine != nil) && now.Sub(before) >= guildsEvery && (g.asked.IsZero() || now.Sub(g.asked) >= guildsAgain)
	if due {
		g.asked, g.asking = now, map[string]bool{}
	}
	s.mu.Unlock()
	if !due {
		return
	}
	ids, err := s.opt.Guilds(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := slices.Collect(maps.Keys(g.asking))
	g.asking = nil
	switch {
	case err != nil && ctx.Err() == nil:
		s.opt.Log.WarnContext(ctx, "could not ask for the list of servers; will retry", "err", err)
	case err == nil && g.listed.Equal(before): // else a session has brought a newer one
		g.list(append(ids, seen...), now)
	}
}

// compareGuilds notes which servers with something stored the application is
// not in.
func (s *Service) compareGuilds(ctx context.Context) error {
	if err := s.loadGone(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	now := s.opt.Now()
	wanted := s.guilds.present != nil && (s.guilds.compared.IsZero() || now.Sub(s.guilds.compared) >= guildsEvery)
	if wanted {
		s.guilds.compared = now
	}
	s.mu.Unlock()
	if !wanted {
		return nil
	}
	known, err := s.knownGuilds(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.guilds.compared = time.Time{}
		return err
	}
	g := &s.guilds
	for id := range g.gone {
		if g.present[id] || !known[id] {
			delete(g.gone, id)
			g.changed = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if _, noted := g.gone[id]; !noted && !g.present[id] && len(g.gone) < maxGone {
			g.gone[id] = now.Unix()
			g.changed = true
		}
	}
	return nil
}

// knownGuilds returns the servers about which something is stored.
func (s *Service) knownGuilds(ctx context.Context) (map[string]bool, error) {
	known := map[string]bool{}
	list, err := s.opt.Store.Guilds(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range list {
		known[id] = true
	}
	keys, err := s.opt.Store.SettingsKeys(ctx, guildPrefix)
	for _, key := range keys {
		known[strings.TrimPrefix(key, guildPrefix)] = true
	}
	return known, err
}

// purgeGuilds deletes some of what is stored about servers that have been gone
// for too long, once Discord has confirmed it for each.
func (s *Service) purgeGuilds(ctx context.Context) error {
	s.mu.Lock()
	ready := s.guilds.present != nil
	list := slices.Sorted(maps.Keys(s.guilds.gone))
	s.mu.Unlock()
	if !ready {
		return nil
	}
	for _, guild := range list {
		if !s.goneFor(guild) {
			continue
		}
		in, err := s.opt.InGuild(ctx, guild)
		switch {
		case err != nil:
			// Perhaps an outage. Ask again next time.
			s.opt.Log.WarnContext(ctx, "could not ask whether the bot is in a server; will retry", "guild", guild, "err", err)
			continue
		case in:
			s.unmark(guild)
			continue
		}
		if err := s.purge(ctx, guild); err != nil {
			return err
		}
	}
	return nil
}

// purge deletes some games of a server and, when none is left, its ratings, its
// settings and the note that it is gone.
func (s *Service) purge(ctx context.Context, guild string) error {
	list, err := s.opt.Store.ListOf(ctx, storage.Of{Guild: guild}, "", removeLimit)
	if err != nil {
		return err
	}
	removed := 0
	for _, r := range list {
		if !s.goneFor(guild) {
			return nil // it is back
		}
		// A game that has changed meanwhile comes up again next time.
		err := s.opt.Store.Delete(ctx, r.Match.ID, r.Match.Version)
		if err != nil && !errors.Is(err, storage.ErrConflict) && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		removed++
	}
	if len(list) == 0 {
		if err := s.opt.Store.ForgetScope(ctx, guild); err != nil {
			return err
		}
		if err := s.opt.Store.SaveSettings(ctx, guildKey(guild), storage.Settings{}); err != nil {
			return err
		}
		s.unmark(guild)
	}
	s.opt.Log.InfoContext(ctx, "deleted what was stored about a server that removed the bot",
		"guild", guild, "games", removed, "finished", len(list) == 0, "kept_for", s.opt.KeepRemoved)
	return nil
}

// loadGone reads the note of the servers that are gone, the first time.
func (s *Service) loadGone(ctx context.Context) error {
	s.mu.Lock()
	have := s.guilds.gone != nil
	s.mu.Unlock()
	if have {
		return nil
	}
	gone := map[string]int64{}
	if err := s.Note(ctx, goneKey, &gone); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds.gone = gone
	return nil
}

// saveGone writes the note when it has changed.
func (s *Service) saveGone(ctx context.Context) error {
	s.mu.Lock()
	changed, gone := s.guilds.changed, maps.Clone(s.guilds.gone)
	s.guilds.changed = false
	s.mu.Unlock()
	if !changed {
		return nil
	}
	var note any // none when no server is gone
	if len(gone) > 0 {
		note = gone
	}
	err := s.SaveNote(ctx, goneKey, note)
	if err != nil {
		s.mu.Lock()
		s.guilds.changed = true
		s.mu.Unlock()
	}
	return err
}
