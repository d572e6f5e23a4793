package play

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/pace"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Caller is the person who asks for something, and where.
type Caller struct {
	ID    match.UserID
	Name  string
	Place storage.Place
	// Parent is the channel that the place is a thread of, "" if it is none. Threads says
	// that Discord lets the application start threads there.
	Parent  string
	Threads bool
	Manages bool // may decide for the whole server
	// Alone says that Discord shows the person alone what is answered here, whatever it
	// is: nothing that others have to see can begin.
	Alone bool
	// Moderates says that the person may end other people's games in the channel.
	Moderates bool
	// Request names this request and no other. A game that it makes gets it as
	// its ID, so that a request that is delivered twice makes one game.
	Request match.ID
	// Asked is when it was made, by Discord's clock; zero is now.
	Asked time.Time
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
	// Redraw makes the message of a game that shows its newest version show it
	// again, as it looks now. It does not wait.
	Redraw(match.ID)
	// Rewrite makes the message of a game show its newest version, soon, although it is
	// recorded to show it. It does not wait.
	Rewrite(match.ID)
	// Unclear says that the message of a game may be changed once more by somebody else,
	// and has it written again when that is over. It does not wait.
	Unclear(match.ID)
	// Retire says on a message that no longer shows a game where it goes on, in the
	// language of its place, and takes the buttons off, where it can. It does not
	// wait. A message without a channel can only be changed by an interaction's token.
	Retire(game match.ID, locale string, old storage.Screen)
	// Standing reports whether a message that shows a game, which looks so, or has
	// shown it, is still there. It waits a few seconds at most; the caller holds the
	// game's screen.
	Standing(ctx context.Context, r *storage.Record, look storage.Settings, message string) Standing
	// UnclearUntil returns when what a game's message shows is certain again,
	// since a call whose outcome is unknown may change it until then; zero if it
	// is certain now.
	UnclearUntil(match.ID) time.Time
}

// Options are the parts that a service works with. KeepFinished, KeepRemoved
// and, without the latter, InGuild and Guilds may be left out.
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
	// Discord whether the application is in a server, and Guilds for the whole list
	// of them, as Present takes it: with an error, there is none.
	KeepRemoved time.Duration
	// Tell tells a person something outside of any board; nil tells nobody. Connected
	// reports whether people can play now; nil means always.
	Tell      func(context.Context, Notice) error
	Connected func() bool
	InGuild   func(ctx context.Context, guild string) (bool, error)
	Guilds    func(ctx context.Context) ([]string, error)
	// Mine reports whether the games of a server, or of direct messages for "", are this
	// process's to look after, where several share a store; nil means always. What is
	// neither a game's nor a server's is of whoever looks after direct messages.
	// Settling, required with Mine, reports whether another process has looked after them
	// until a moment ago: what it has sent may still come into effect.
	Mine, Settling func(guild string) bool
}

// mine reports whether this process is to do what is due in a game.
func (s *Service) mine(r *storage.Record) bool { return s.opt.Mine == nil || s.opt.Mine(home(r)) }

// home returns the server where a game is played, whether or not the bot is there; "" for
// direct messages.
func home(r *storage.Record) string {
	if r.Place.Outside != "" && r.Place.Outside != storage.OutsideDM {
		return r.Place.Outside
	}
	return r.Place.Guild
}

// Service is the application. Its methods may be called from several goroutines.
type Service struct {
	opt Options

	names   names         // that people were last seen with
	waiting waiting       // screens that Discord has refused to show
	learned chan struct{} // closed when those of earlier runs are known
	learn   sync.Once
	ends    ends // of games, lately
	behind  unrecorded

	mu     sync.Mutex
	dirty  map[match.ID]struct{} // games that Run is to look at
	poke   chan struct{}         // one token: dirty is not empty
	guilds guilds

	locks      *locks
	challenges *pace.Limit // of one person in minutes, sent in an hour, and so begins: games made
	sent       *pace.Limit
	received   *pace.Limit // challenges to one person in an hour
	begins     *pace.Limit

	questions questions                      // hints and reviews under way
	asked     atomic.Uint64                  // jobs for them so far
	listing   chan struct{}                  // held while all games are read
	listed    chan struct{}                  // one token: Run is to look at guilds
	rated     chan struct{}                  // one token: Run is to count results
	counting  sync.Mutex                     // held while results are counted
	beating   sync.Mutex                     // held while the note about outages is changed
	down      atomic.Pointer[[]storage.Span] // when nobody could play
}

// New makes a service.
func New(opt Options) *Service {
	return &Service{
		opt: opt, names: newNames(), learned: make(chan struct{}), dirty: map[match.ID]struct{}{}, poke: make(chan struct{}, 1),
		locks: newLocks(), challenges: pace.New(challengeBurst, challengeEvery),
		sent: pace.New(hourly, hourlyEvery), received: pace.New(hourly, hourlyEvery), begins: pace.New(beginBurst, beginEvery),
		listing: make(chan struct{}, 1), listed: make(chan struct{}, 1), rated: make(chan struct{}, 1),
	}
}

// Load returns a game, completed. The error wraps storage.ErrNotFound or
// storage.ErrDamaged.
func (s *Service) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	r, err := s.opt.Store.Load(ctx, id)
	if err == nil {
		s.Complete(ctx, &r)
	}
	return r, err
}

// Complete adds to a game what is not stored with it: the language in which its place
// wants to see it now, and the clock of the person to move.
func (s *Service) Complete(ctx context.Context, r *storage.Record) {
	r.Place.Locale = s.Locale(ctx, r.Place)
	r.Ends, r.Away = time.Time{}, time.Time{}
	if c, ok, err := s.clockOf(ctx, r); err == nil && ok {
		r.Ends, r.Away = c.Until, c.Away
	}
}

// listGames is how many unfinished games of a person are read: all that a person
// may have, and all that may wait for the person's answer, twice over for those
// that were made under other limits.
const listGames = 2 * (MaxGames + MaxWaiting)

// allGames are more than anybody has.
const allGames = math.MaxInt

// Games returns a person's unfinished games: running ones, then the person's own
// challenges, then those by others; in each kind those that changed last first.
func (s *Service) Games(ctx context.Context, who match.UserID) ([]storage.Record, error) {
	return s.gamesUpTo(ctx, who, listGames)
}

// gamesUpTo is [Service.Games] with another limit.
func (s *Service) gamesUpTo(ctx context.Context, who match.UserID, limit int) ([]storage.Record, error) {
	list, err := s.opt.Store.ListByUser(ctx, who, limit)
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
	for i := range list {
		s.Complete(ctx, &list[i])
	}
	return list, err
}

// Find returns a game and the colour that a person has in it. [Service.Mean] says
// which game a command means that names none. The error wraps [ErrNoGame] where no
// game is named, storage.ErrNotFound or match.ErrNotAPlayer; with the last, the
// record is that of the game.
func (s *Service) Find(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	if ref.Game == "" {
		return storage.Record{}, 0, ErrNoGame
	}
	r, err := s.Load(ctx, ref.Game)
	if err != nil {
		return r, 0, err
	}
	seat, err := r.Match.SeatOf(who.ID)
	return r, seat, err
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

// LastMove is [Service.Watch] for a game in which a move has been made. The error
// wraps match.ErrNothingToUndo otherwise.
func (s *Service) LastMove(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, seat, err := s.Watch(ctx, who, ref)
	if err == nil && len(r.Match.Moves) == 0 {
		err = match.ErrNothingToUndo
	}
	return r, seat, err
}
