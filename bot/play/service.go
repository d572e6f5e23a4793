package play

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/pace"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Caller is the person who asks for something, and where.
type Caller struct {
	ID      match.UserID
	Name    string
	Place   storage.Place
	Manages bool // may decide for the whole server
	// Request names this request and no other. A game that it makes gets it as
	// its ID, so that a request that is delivered twice makes one game.
	Request match.ID
}

// Machine thinks; turns.Pool is one.
type Machine interface {
	// Submit queues a job without waiting. The error wraps turns.ErrFull.
	Submit(turns.Job) error
}

// Screen shows games in channels; screen.Keeper is one.
type Screen interface {
	// Refresh makes the message of a game show its newest version, soon. It
	// does not wait.
	Refresh(match.ID)
	// Retire takes the buttons off a message that no longer shows a game, where
	// it can. It does not wait.
	Retire(game match.ID, old storage.Screen)
	// UnclearUntil returns when what a game's message shows is certain again,
	// since a call whose outcome is unknown may change it until then; zero if it
	// is certain now.
	UnclearUntil(match.ID) time.Time
}

// Options are the parts that a service works with. KeepFinished, KeepRemoved
// and, without the latter, InGuild may be left out.
type Options struct {
	Store   storage.Store
	Machine Machine
	Screen  Screen
	Now     func() time.Time
	Log     *slog.Logger
	// KeepFinished is how long games are kept after their end; 0 keeps them.
	KeepFinished time.Duration
	// KeepRemoved is how long the games and settings of a server are kept after
	// the application was removed from it; 0 keeps them. InGuild then asks
	// Discord whether the application is in a server.
	KeepRemoved time.Duration
	InGuild     func(ctx context.Context, guild string) (bool, error)
}

// Service is the application. Its methods may be called from several goroutines.
type Service struct {
	opt Options

	waiting waiting // screens that Discord has refused to show
	ends    ends    // of games, lately

	mu     sync.Mutex
	dirty  map[match.ID]struct{} // games that Run is to look at
	poke   chan struct{}         // one token: dirty is not empty
	guilds guilds

	locks      *locks
	challenges *pace.Limit // of one person, and so begins: games made
	begins     *pace.Limit

	questions singleflight.Group // hints and reviews under way
	asked     atomic.Uint64      // jobs for them so far
	listing   chan struct{}      // held while all games are read
	listed    chan struct{}      // one token: Run is to look at guilds
	notes     sync.Mutex         // held while a note is changed
}

// New makes a service.
func New(opt Options) *Service {
	return &Service{
		opt: opt, dirty: map[match.ID]struct{}{}, poke: make(chan struct{}, 1),
		locks: newLocks(), challenges: pace.New(challengeBurst, challengeEvery), begins: pace.New(beginBurst, beginEvery),
		listing: make(chan struct{}, 1), listed: make(chan struct{}, 1),
	}
}

// Load returns a game. The error wraps storage.ErrNotFound or
// storage.ErrDamaged.
func (s *Service) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	return s.opt.Store.Load(ctx, id)
}

// Shown records which message shows a game, and retires the message that no
// longer does: the one that showed it before, or this one when another shows a
// newer version already. A message that shows less than what is stored is
// refreshed. What is not certain is recorded as such. r is the game as it was when
// the message was made; the caller holds the game's screen.
func (s *Service) Shown(ctx context.Context, r storage.Record, by storage.Screen) {
	by.Again = s.opt.Screen.UnclearUntil(r.Match.ID).UTC()
	s.waits(&r, false)
	if by == r.Screen {
		return // squares were chosen on a screen that showed this version already
	}
	id := r.Match.ID
	err := s.opt.Store.Shown(ctx, id, by)
	if err == nil {
		var now storage.Record
		if now, err = s.opt.Store.Load(ctx, id); err == nil {
			old := r.Screen
			if now.Screen.Message != by.Message {
				old = by
			}
			if old.Message != "" && old.Message != now.Screen.Message {
				s.opt.Screen.Retire(id, old)
			}
			if now.Screen.Version < now.Match.Version {
				s.opt.Screen.Refresh(id)
			}
		}
	}
	if err != nil {
		s.opt.Log.WarnContext(ctx, "could not record what the screen shows", "game", id, "err", err)
	}
}

// listGames is how many unfinished games of a person are read: all that a person
// may have, and all that may wait for the person's answer, twice over for those
// that were made under other limits.
const listGames = 2 * (MaxGames + MaxWaiting)

// Games returns a person's unfinished games: running ones, then the person's own
// challenges, then those by others; in each kind those that changed last first.
func (s *Service) Games(ctx context.Context, who match.UserID) ([]storage.Record, error) {
	list, err := s.opt.Store.ListByUser(ctx, who, listGames)
	kind := func(m *match.Match) int {
		switch {
		case m.Phase == match.Playing:
			return 0
		case offered(m, who):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b storage.Record) int { return kind(&a.Match) - kind(&b.Match) })
	return list, err
}

// Find returns the game that a person means, and the person's colour in it: the
// game that ref names, or else the person's unfinished game in the channel,
// first those in which the person is to move, then the one that changed last.
// The error wraps [ErrNoGame], storage.ErrNotFound or match.ErrNotAPlayer; with
// the last, the record is that of the game.
func (s *Service) Find(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, err := s.find(ctx, who, ref)
	if err != nil {
		return r, 0, err
	}
	seat, err := r.Match.SeatOf(who.ID)
	return r, seat, err
}

func (s *Service) find(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	if ref.Game != "" {
		return s.opt.Store.Load(ctx, ref.Game)
	}
	list, err := s.Games(ctx, who.ID)
	if err != nil {
		return storage.Record{}, err
	}
	var found *storage.Record
	for i := range list {
		r := &list[i]
		if r.Place.Channel != who.Place.Channel {
			continue
		}
		if found == nil || rank(&r.Match, who.ID) > rank(&found.Match, who.ID) {
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

// MayResign is [Service.Find] for a game that can be resigned. The error wraps
// match.ErrFinished otherwise.
func (s *Service) MayResign(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, seat, err := s.Find(ctx, who, ref)
	if err == nil && r.Match.Phase != match.Playing {
		err = match.ErrFinished
	}
	return r, seat, err
}

// LastMove is [Service.Find] for a game in which a move has been made. The error
// wraps match.ErrNothingToUndo otherwise.
func (s *Service) LastMove(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, seat, err := s.Find(ctx, who, ref)
	if err == nil && len(r.Match.Moves) == 0 {
		err = match.ErrNothingToUndo
	}
	return r, seat, err
}

// Typing returns the position that a person is typing a move in, false where
// there is none.
func (s *Service) Typing(ctx context.Context, who Caller, ref intent.Ref) (engine.Position, bool) {
	r, seat, err := s.Find(ctx, who, ref)
	if err != nil || r.Match.Phase != match.Playing || r.Match.Turn() != seat {
		return engine.Position{}, false
	}
	return r.Match.Game().Position(), true
}
