package play

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// endedLately is how long somebody who asks for the board, and has no running
	// game in the channel, means the one that has just ended.
	endedLately = 2 * time.Hour
	// learnTime is how long somebody waits, just after the start, for it to be known
	// which ends are still to be shown.
	learnTime = time.Second
	// maxEnds is how many such games are kept for a channel.
	maxEnds = 100
)

// ends knows the games that ended lately in each channel. They are forgotten with
// the program; those whose end nobody has seen are in the store's list of screens.
type ends struct {
	mu     sync.Mutex
	in     map[string][]end // oldest first
	tidied time.Time
}

type end struct {
	game match.ID
	at   time.Time
}

// over notes that a game has ended, or that its end has only now been shown.
func (s *Service) over(r *storage.Record) {
	now := s.opt.Now()
	e := &s.ends
	e.mu.Lock()
	defer e.mu.Unlock()
	old := func(e end) bool { return now.Sub(e.at) > endedLately }
	if e.in == nil || now.Sub(e.tidied) > endedLately {
		e.tidied = now
		for channel, list := range e.in {
			if list = slices.DeleteFunc(list, old); len(list) == 0 {
				delete(e.in, channel)
			} else {
				e.in[channel] = list
			}
		}
	}
	if e.in == nil {
		e.in = map[string][]end{}
	}
	known := slices.DeleteFunc(e.in[r.Place.Channel], func(e end) bool { return e.game == r.Match.ID })
	list := append(known, end{r.Match.ID, now})
	e.in[r.Place.Channel] = list[max(0, len(list)-maxEnds):]
}

// endedIn returns the games of a channel that ended lately, the last one first, and
// then those whose end could not be shown.
func (s *Service) endedIn(channel string) (list []match.ID) {
	now := s.opt.Now()
	s.ends.mu.Lock()
	for _, e := range slices.Backward(s.ends.in[channel]) {
		if now.Sub(e.at) <= endedLately {
			list = append(list, e.game)
		}
	}
	s.ends.mu.Unlock()
	s.waiting.mu.Lock()
	defer s.waiting.mu.Unlock()
	if c := s.waiting.in[channel]; c != nil {
		for id := range c.games {
			list = append(list, id)
		}
	}
	return list
}

// Board is [Service.Find] for somebody who wants to see a game. Who has no
// unfinished game in the channel means the one that ended there last, if that was
// in the last two hours or its end could not be shown.
func (s *Service) Board(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, seat, err := s.Find(ctx, who, ref)
	if !errors.Is(err, ErrNoGame) {
		return r, seat, err
	}
	select {
	case <-s.learned:
	case <-time.After(learnTime):
	case <-ctx.Done():
	}
	var last *storage.Record
	for _, id := range s.endedIn(who.Place.Channel) {
		r, err := s.opt.Store.Load(ctx, id)
		if err != nil || r.Match.Phase != match.Finished || r.Place.Channel != who.Place.Channel {
			continue
		}
		if _, err := r.Match.SeatOf(who.ID); err != nil {
			continue
		}
		if last == nil || r.Match.Changed.After(last.Match.Changed) {
			last = &r
		}
	}
	if last == nil {
		return r, seat, err
	}
	seat, err = last.Match.SeatOf(who.ID)
	return *last, seat, err
}
