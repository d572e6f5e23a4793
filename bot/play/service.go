package play

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// MaxGames is how many unfinished games one person may have made or joined.
	MaxGames = 50
	// ChallengeTime is how long a challenge stays open.
	ChallengeTime = 24 * time.Hour
	// challengeEvery and challengeBurst bound how often one person challenges.
	challengeEvery = time.Minute
	challengeBurst = 5
)

// Person is somebody who asks for something.
type Person struct {
	ID   match.UserID
	Name string
}

// Machine thinks; turns.Pool is one.
type Machine interface {
	// Submit queues a job without waiting. The error wraps turns.ErrFull.
	Submit(turns.Job) error
}

// Screen shows games in channels.
type Screen interface {
	// Refresh makes the message of a game show its newest version, soon. It
	// does not wait.
	Refresh(match.ID)
	// Retire takes the buttons off a message whose game is stored no longer,
	// where it can. It does not wait.
	Retire(storage.Screen)
}

// Options are the parts that a service works with; all but KeepFinished and
// KeepRemoved, with InGuild, are required.
type Options struct {
	Store   storage.Store
	Machine Machine
	Screen  Screen
	Now     func() time.Time
	Log     *slog.Logger
	// KeepFinished is how long games are kept after their end; 0 is for ever.
	KeepFinished time.Duration
	// KeepRemoved is how long the games and settings of a server are kept after
	// the application was removed from it; 0 is for ever. InGuild then asks
	// Discord whether it is in a server.
	KeepRemoved time.Duration
	InGuild     func(ctx context.Context, guild string) (bool, error)
}

// Service is the application. Its methods may be called from several goroutines.
type Service struct {
	opt Options

	mu       sync.Mutex
	dirty    map[match.ID]struct{} // games to be looked at by Run
	poke     chan struct{}         // one token: dirty is not empty
	limiters map[match.UserID]*rate.Limiter
	guilds   guilds

	questions singleflight.Group // hints and reviews under way
	listing   chan struct{}      // held by who reads all games
	listed    chan struct{}      // one token: guilds are to be looked at
	notes     sync.Mutex         // held while a note is changed
}

// New makes a service.
func New(opt Options) *Service {
	return &Service{
		opt: opt, dirty: map[match.ID]struct{}{}, poke: make(chan struct{}, 1),
		limiters: map[match.UserID]*rate.Limiter{},
		listing:  make(chan struct{}, 1), listed: make(chan struct{}, 1),
	}
}

// Play begins a game against the machine. id becomes the game's ID; when it
// exists already, as after a repeated delivery, that game is returned.
func (s *Service) Play(ctx context.Context, id match.ID, who Person, at storage.Place, in intent.Play) (storage.Record, error) {
	me, _ := sideOf(in.Side)
	n := match.New{ID: id, Rules: in.Rules, By: me}
	n.Seats[me] = match.Seat{User: who.ID, Name: who.Name}
	n.Seats[me.Other()] = match.Seat{Level: in.Level}
	return s.begin(ctx, n, at)
}

// Challenge asks another person for a game. id is used as in [Service.Play]. The
// error wraps [ErrUs], [ErrRobot], match.ErrSelf, [ErrTooManyChallenges] or
// [ErrTooManyGames].
func (s *Service) Challenge(ctx context.Context, id match.ID, who Person, at storage.Place, in intent.Challenge) (storage.Record, error) {
	switch {
	case in.Us:
		return storage.Record{}, ErrUs
	case in.Robot:
		return storage.Record{}, ErrRobot
	case in.User == who.ID:
		return storage.Record{}, match.ErrSelf
	}
	me, lots := sideOf(in.Side)
	n := match.New{ID: id, Rules: in.Rules, By: me, Lots: lots, Expires: s.opt.Now().Add(ChallengeTime)}
	n.Seats[me] = match.Seat{User: who.ID, Name: who.Name}
	n.Seats[me.Other()] = match.Seat{User: in.User, Name: in.Name}
	return s.challenge(ctx, n, at)
}

func (s *Service) challenge(ctx context.Context, n match.New, at storage.Place) (storage.Record, error) {
	if r, err := s.opt.Store.Load(ctx, n.ID); err == nil {
		return r, nil // delivered twice: it counts once
	}
	if !s.mayChallenge(n.Seats[n.By].User) {
		return storage.Record{}, ErrTooManyChallenges
	}
	return s.begin(ctx, n, at)
}

// Rematch begins the game of a finished one's players again, with the colours
// exchanged: at once against the machine, as a challenge between people. The
// error wraps [ErrDeleted] besides those of [Service.Challenge].
func (s *Service) Rematch(ctx context.Context, id match.ID, who Person, ref intent.Ref) (storage.Record, error) {
	old, err := s.opt.Store.Load(ctx, ref.Game)
	if err != nil {
		return storage.Record{}, err
	}
	seat, err := old.Match.SeatOf(who.ID)
	if err != nil {
		return old, err
	}
	me := seat.Other()
	n := match.New{ID: id, Rules: old.Match.Rules, By: me, Expires: s.opt.Now().Add(ChallengeTime)}
	n.Seats[me] = match.Seat{User: who.ID, Name: who.Name}
	n.Seats[seat] = old.Match.Seats[me]
	switch {
	case n.Seats[seat].Machine():
		return s.begin(ctx, n, old.Place)
	case n.Seats[seat].User == storage.Deleted:
		return old, ErrDeleted
	}
	return s.challenge(ctx, n, old.Place)
}

// begin makes and stores a match.
func (s *Service) begin(ctx context.Context, n match.New, at storage.Place) (storage.Record, error) {
	who := n.Seats[n.By].User
	list, err := s.opt.Store.ListByUser(ctx, who, MaxGames)
	if err != nil {
		return storage.Record{}, err
	}
	if len(list) >= MaxGames {
		return storage.Record{}, ErrTooManyGames
	}
	m, err := match.Start(n, s.opt.Now())
	if err != nil {
		return storage.Record{}, err
	}
	r := storage.Record{Match: m, Place: at}
	err = s.opt.Store.Create(ctx, r)
	if errors.Is(err, storage.ErrExists) {
		return s.opt.Store.Load(ctx, n.ID)
	}
	if err != nil {
		return storage.Record{}, err
	}
	s.wake(m.ID)
	return r, nil
}

// sideOf turns the wish for a colour into a colour, by lot where it is left open.
func sideOf(side intent.Side) (c engine.Color, lots bool) {
	switch side {
	case intent.White:
		return engine.White, false
	case intent.Black:
		return engine.Black, false
	}
	return engine.Color(rand.IntN(2)), true
}

// mayChallenge takes one of a person's challenges.
func (s *Service) mayChallenge(u match.UserID) bool {
	now := s.opt.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.limiters[u]
	if l == nil {
		for id, old := range s.limiters { // those who may challenge freely again need no entry
			if old.TokensAt(now) >= challengeBurst {
				delete(s.limiters, id)
			}
		}
		l = rate.NewLimiter(rate.Every(challengeEvery), challengeBurst)
		s.limiters[u] = l
	}
	return l.AllowN(now, 1)
}

// Load returns a game. The error wraps storage.ErrNotFound.
func (s *Service) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	return s.opt.Store.Load(ctx, id)
}

// Find returns the game that a person means: the one that ref names, or else the
// person's unfinished game in the channel, first those in which the person is to
// move, then the one that changed last. The error wraps [ErrNoGame],
// storage.ErrNotFound or match.ErrNotAPlayer.
func (s *Service) Find(ctx context.Context, who match.UserID, channel string, ref intent.Ref) (storage.Record, error) {
	if ref.Game != "" {
		r, err := s.opt.Store.Load(ctx, ref.Game)
		if err != nil {
			return r, err
		}
		_, err = r.Match.SeatOf(who)
		return r, err
	}
	list, err := s.opt.Store.ListByUser(ctx, who, MaxGames)
	if err != nil {
		return storage.Record{}, err
	}
	var found *storage.Record
	for i := range list {
		r := &list[i]
		if r.Place.Channel != channel {
			continue
		}
		if found == nil || rank(&r.Match, who) > rank(&found.Match, who) {
			found = r
		}
	}
	if found == nil {
		return storage.Record{}, ErrNoGame
	}
	return *found, nil
}

// rank orders the games that somebody may mean.
func rank(m *match.Match, who match.UserID) int {
	switch {
	case m.Phase == match.Playing && m.Seats[m.Turn()].User == who:
		return 2
	case m.Phase == match.Playing:
		return 1
	}
	return 0
}

// Games returns a person's unfinished games, those that changed last first.
func (s *Service) Games(ctx context.Context, who match.UserID) ([]storage.Record, error) {
	return s.opt.Store.ListByUser(ctx, who, MaxGames)
}

// Act decides a command of a person and saves the game. decide makes the command
// from the game as it is and the person's colour. When ref names a version and
// the stored game has another, the error is [ErrStale]. On an error the record
// is the game as it is, where there is one; the error then wraps a value of
// package match, of package storage, or what decide returned.
func (s *Service) Act(ctx context.Context, who match.UserID, ref intent.Ref, decide func(*match.Match, engine.Color) (match.Command, error)) (storage.Record, error) {
	for {
		r, err := s.opt.Store.Load(ctx, ref.Game)
		if err != nil {
			return storage.Record{}, err
		}
		seat, err := r.Match.SeatOf(who)
		if err != nil {
			return r, err
		}
		if ref.Version != 0 && ref.Version != r.Match.Version {
			return r, ErrStale
		}
		c, err := decide(&r.Match, seat)
		if err != nil {
			return r, err
		}
		saved, err := s.save(ctx, r, c)
		if errors.Is(err, storage.ErrConflict) {
			continue // somebody was faster: decide again on what there is now
		}
		return saved, err
	}
}

// save applies a command to a loaded record and stores the result.
func (s *Service) save(ctx context.Context, r storage.Record, c match.Command) (storage.Record, error) {
	next, err := r.Match.Apply(c, s.opt.Now())
	if err != nil {
		return r, err
	}
	if err := s.opt.Store.Save(ctx, next, r.Match.Version); err != nil {
		return r, err
	}
	s.opt.Log.DebugContext(ctx, "game saved", "game", next.ID, "version", next.Version, "command", fmt.Sprintf("%T", c))
	r.Match = next
	s.wake(next.ID)
	return r, nil
}

// Step enters a move square by square. When path is a whole legal move it is
// played. The record is the game as it is afterwards; rest is what of the path
// is still a beginning of a move there: all of it before the move is whole,
// nothing after. The error is as for [Service.Act]; a path that begins no legal
// move is [ErrStale], since no button offers one.
func (s *Service) Step(ctx context.Context, who match.UserID, in intent.Step) (r storage.Record, rest []engine.Square, err error) {
	errUnfinished := errors.New("the move is not whole yet")
	r, err = s.Act(ctx, who, in.Ref, func(m *match.Match, seat engine.Color) (match.Command, error) {
		if m.Phase == match.Playing && m.Turn() != seat {
			return nil, match.ErrNotYourTurn
		}
		if m.Phase != match.Playing {
			return match.Play{By: seat}, nil // Apply says what is wrong
		}
		g := m.Game()
		pos := g.Position()
		next, moves := pos.Continue(in.Path)
		switch {
		case len(moves) == 0:
			return nil, ErrStale
		case len(next) > 0:
			return nil, errUnfinished
		}
		return match.Play{By: seat, Move: moves[0]}, nil
	})
	if errors.Is(err, errUnfinished) {
		return r, in.Path, nil
	}
	return r, nil, err
}
