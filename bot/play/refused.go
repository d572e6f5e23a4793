package play

import (
	"context"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// lifeEvery is how often signs of life in a channel make the games there that
// Discord has refused to show be tried again.
const lifeEvery = time.Minute

// waiting knows the games whose newest version Discord has refused to show, by
// channel. The store knows them too; this saves asking it at each interaction. A
// sweep finds those of earlier runs.
type waiting struct {
	mu sync.Mutex
	in map[string]*refusedIn
}

// refusedIn are the games of one channel.
type refusedIn struct {
	games map[match.ID]struct{}
	tried time.Time // the last time because of a sign of life
}

// waits notes whether a game waits for its channel to take it.
func (s *Service) waits(r *storage.Record, on bool) {
	w := &s.waiting
	channel := r.Place.Channel
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.in[channel]
	switch {
	case on && c == nil:
		if w.in == nil {
			w.in = map[string]*refusedIn{}
		}
		c = &refusedIn{games: map[match.ID]struct{}{}}
		w.in[channel] = c
		fallthrough
	case on:
		c.games[r.Match.ID] = struct{}{}
	case c != nil:
		if delete(c.games, r.Match.ID); len(c.games) == 0 {
			delete(w.in, channel)
		}
	}
}

// Refused records that Discord has refused to show a game's newest version, and
// when that is to be tried again. r is the game as it was then; the caller holds
// the game's screen.
func (s *Service) Refused(ctx context.Context, r storage.Record, again time.Time) {
	by := r.Screen
	by.Refused++
	by.Again = again
	s.waits(&r, true)
	if err := s.opt.Store.Shown(ctx, r.Match.ID, by); err != nil {
		s.opt.Log.WarnContext(ctx, "could not record that a screen waits", "game", r.Match.ID, "err", err)
	}
}

// Alive says that somebody uses the application in a channel: Discord may take
// there by now what it has refused.
func (s *Service) Alive(channel string) {
	now := s.opt.Now()
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.in[channel]
	if c == nil || now.Sub(c.tried).Abs() < lifeEvery {
		return
	}
	c.tried = now
	for id := range c.games {
		s.opt.Screen.Refresh(id)
	}
}

// screenDue reports whether a game's screen, or its thread, is the business of a sweep, and notes
// that it waits if Discord has refused it.
func (s *Service) screenDue(r *storage.Record) bool {
	_, due := r.Due(storage.DueScreen)
	if due && r.Screen.Refused > 0 {
		s.waits(r, true)
	}
	return due && s.waited(r) && !s.archivedLater(r)
}

// waited reports whether the time is over, if there is one, that a screen waits.
func (s *Service) waited(r *storage.Record) bool {
	left := r.Screen.Again.Sub(s.opt.Now())
	return left <= 0 || left > longestWait
}

// longestWait is more than any wait that is recorded. One that is longer was
// recorded by a clock that was ahead.
const longestWait = 24 * time.Hour
