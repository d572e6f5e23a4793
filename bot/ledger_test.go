package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/storage"
)

// ledger holds every version of every game that was ever stored, as the writes of all
// bots have made them, and what is wrong with them:
//
//   - the moves of each version are legal, and follow from the version before;
//   - a move after somebody's own is one that its side had stored as its reply to it;
//   - a game has one result, which never changes;
//   - the ratings are what package rating makes of the results in their order.
type ledger struct {
	fail func(format string, args ...any)

	mu      sync.Mutex
	games   map[match.ID]storage.Record // as they are stored now
	order   []match.ID                  // as they were made
	history map[match.ID]map[uint64]match.Match
	ratings map[ratingKey]storage.Rating
	results map[pairKey]int // outcomes that the pair has had on a day
	counts  map[string]int
}

type ratingKey struct {
	scope string
	user  match.UserID
}

type pairKey struct {
	pair [2]match.Seat // without their names, in the order of the people's IDs
	day  time.Time
}

func newLedger(fail func(format string, args ...any)) *ledger {
	return &ledger{
		fail: fail, games: map[match.ID]storage.Record{}, history: map[match.ID]map[uint64]match.Match{},
		ratings: map[ratingKey]storage.Rating{}, results: map[pairKey]int{}, counts: map[string]int{},
	}
}

func (l *ledger) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

// those returns the stored games of which something is true, the oldest first.
func (l *ledger) those(is func(*storage.Record) bool) (list []storage.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range l.order {
		if r, ok := l.games[id]; ok && is(&r) {
			list = append(list, r)
		}
	}
	return list
}

// all returns the stored games.
func (l *ledger) all() []storage.Record { return l.those(func(*storage.Record) bool { return true }) }

// stands returns a game as it is stored now.
func (l *ledger) stands(id match.ID) (r storage.Record, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok = l.games[id]
	return r, ok
}

// version returns a version of a game, and what is stored now.
func (l *ledger) version(id match.ID, version uint64) (m match.Match, now storage.Record, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, ok = l.history[id][version]
	return m, l.games[id], ok
}

// played reports whether somebody has, or ever had, a seat in a game.
func (l *ledger) played(id match.ID, u string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.history[id] {
		if _, err := m.SeatOf(match.UserID(u)); err == nil {
			return true
		}
	}
	return false
}

// closed reports whether somebody has a game in a place whose message has no button any
// more: a challenge that has come to nothing, or what is left when the other has gone.
func (l *ledger) closed(channel, u string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.games {
		_, err := g.Match.SeatOf(match.UserID(u))
		if err == nil && g.Place.Channel == channel && g.Match.Phase == match.Finished &&
			(g.Match.Result == engine.Ongoing || g.Match.Seats[0].User == storage.Deleted || g.Match.Seats[1].User == storage.Deleted) {
			return true
		}
	}
	return false
}

// learn looks at a game that has just been written; l.mu is held.
func (l *ledger) learn(r storage.Record) {
	m, id := r.Match, r.Match.ID
	if err := m.Check(); err != nil {
		l.fail("game %s is stored with what is not legal: %v", id, err)
	}
	old, known := l.games[id]
	l.games[id] = r
	if l.history[id] == nil {
		l.history[id] = map[uint64]match.Match{}
	}
	if !known {
		l.counts["games"]++
		l.order = append(l.order, id)
		l.history[id][m.Version] = m
		return
	}
	before := &old.Match
	switch {
	case m.Version < before.Version:
		l.fail("game %s has gone back from version %d to %d", id, before.Version, m.Version)
	case before.Phase == match.Finished:
		if m.Version != before.Version || m.Phase != before.Phase || m.Result != before.Result || m.Ending != before.Ending || !slices.Equal(m.Moves, before.Moves) {
			l.fail("game %s has changed after its end: %v %q, then %v %q", id, before.Result, before.Ending, m.Result, m.Ending)
		}
	case m.Version == before.Version:
		if m.Phase != before.Phase || !slices.Equal(m.Moves, before.Moves) {
			l.fail("game %s has two versions %d", id, m.Version)
		}
	default:
		l.follows(&old, &m)
	}
	if _, ok := l.history[id][m.Version]; !ok {
		l.history[id][m.Version] = m
	}
	if m.Phase == match.Finished && before.Phase != match.Finished {
		l.counts["ended by "+string(m.Ending)]++
		if m.Terms.Rated && m.Counts() {
			l.counts["rated results"]++
		}
	}
	if m.Phase == match.Finished && len(r.Lines[0])+len(r.Lines[1]) > 0 {
		l.fail("game %s is over, and lines are stored for it", id)
	}
}

// follows looks at the moves of a new version; l.mu is held.
func (l *ledger) follows(old *storage.Record, m *match.Match) {
	before := old.Match.Moves
	n := len(before)
	switch {
	case len(m.Moves) == n && slices.Equal(m.Moves, before):
		return
	case len(m.Moves) < n && slices.Equal(m.Moves, before[:len(m.Moves)]):
		l.counts["moves taken back"] += n - len(m.Moves)
		return
	case len(m.Moves) <= n || !slices.Equal(m.Moves[:n], before):
		l.fail("game %s: the moves %v do not follow from %v", m.ID, m.Moves, before)
		return
	}
	l.counts["moves"]++
	for i := n + 1; i < len(m.Moves); i++ {
		stored := slices.ContainsFunc(old.Lines[m.Mover(i)], func(line storage.Line) bool {
			at := i - line.Ply
			return at > 0 && at < len(line.Moves) && slices.Equal(m.Moves[line.Ply:i+1], line.Moves[:at+1])
		})
		if !stored {
			l.fail("game %s: nobody has stored the reply %v: %v", m.ID, m.Moves[i], old.Lines)
		}
		l.counts["stored replies"]++
	}
}

// rated looks at what a result has changed; l.mu is held.
func (l *ledger) rated(r *storage.Record, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) {
	m := &r.Match
	if !m.Counts() || l.games[m.ID].Counted {
		l.fail("game %s was counted, although it does not count or was counted before", m.ID)
	}
	if m.Seats[0].User == storage.Deleted || m.Seats[1].User == storage.Deleted {
		if len(changes) > 0 {
			l.fail("game %s has changed ratings although somebody has left it", m.ID)
		}
		return
	}
	key := pairKey{day: m.Changed.UTC().Truncate(24 * time.Hour)}
	for c, seat := range m.Seats {
		seat.Name = ""
		key.pair[c] = seat
	}
	if key.pair[0].User > key.pair[1].User {
		key.pair[0], key.pair[1] = key.pair[1], key.pair[0]
	}
	before := l.results[key]
	if len(outcomes) > 0 {
		l.results[key]++
	}
	overall := 0
	for _, c := range changes {
		side, err := m.SeatOf(c.User)
		if err != nil {
			l.fail("game %s changes the rating of %s, who has not played it", m.ID, c.User)
			continue
		}
		if c.Scope == storage.Overall {
			overall++
		}
		if want := l.expected(m, side, c.Scope); !want.Equal(c.Next) {
			l.fail("game %s makes %+v of a rating in %s, not %+v", m.ID, c.Next, c.Scope, want)
		}
	}
	people := len(outcomes)
	switch {
	case before < 5 && (overall != people || people == 0):
		l.fail("game %s is number %d of the two on that day, and changes %d ratings of %d people", m.ID, before+1, overall, people)
	case before >= 5 && overall > 0:
		l.fail("game %s is number %d of the two on that day, and changes ratings", m.ID, before+1)
	}
	for _, c := range changes { // both change from what they were before
		l.ratings[ratingKey{c.Scope, c.User}] = c.Next
		l.counts["ratings changed"]++
	}
}

// expected returns a side's rating after a match; l.mu is held.
func (l *ledger) expected(m *match.Match, side engine.Color, scope string) storage.Rating {
	known := func(r storage.Rating) rating.Rating {
		if r.Games == 0 {
			return rating.New()
		}
		return rating.Rating{Value: r.Value, Deviation: r.Deviation, Volatility: r.Volatility}
	}
	own, other := m.Seats[side], m.Seats[side.Other()]
	mine := l.ratings[ratingKey{scope, own.User}]
	game := rating.Game{Score: map[engine.Result]float64{engine.Draw: rating.Draw, engine.Wins(side): rating.Win, engine.Wins(side.Other()): rating.Loss}[m.Result]}
	if other.Machine() {
		game.Opponent = rating.Level(m.Rules, other.Level)
	} else {
		theirs := l.ratings[ratingKey{scope, other.User}]
		game.Opponent = known(theirs)
		if theirs.Games > 0 {
			game.Opponent = game.Opponent.After(m.Changed.Sub(theirs.Last))
		}
	}
	var since time.Duration
	last := m.Changed
	if mine.Games > 0 {
		since = m.Changed.Sub(mine.Last)
		if mine.Last.After(last) {
			last = mine.Last
		}
	}
	next := known(mine).Played(since, game)
	return storage.Rating{Value: next.Value, Deviation: next.Deviation, Volatility: next.Volatility, Games: mine.Games + 1, Last: last, Name: own.Name}
}

// compare holds that the stored ratings are those of the ledger.
func (l *ledger) compare(ctx context.Context, store storage.Store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, want := range l.ratings {
		if got, err := store.Rating(ctx, key.scope, key.user); err != nil || !got.Equal(want) {
			l.fail("the rating of %s in %s is %+v, want %+v (%v)", key.user, key.scope, got, want, err)
		}
	}
}

// errDead is what a bot gets from the store that is no longer running.
var errDead = errors.New("this bot was killed")

// enteredStore is the store of one bot, which enters what it writes into the ledger
// until the bot is killed.
type enteredStore struct {
	storage.Store
	*ledger
	dead *atomic.Bool
}

// write writes something about a game.
func (s enteredStore) write(ctx context.Context, id match.ID, f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead.Load() {
		return errDead
	}
	if err := f(); err != nil || id == "" {
		return err
	}
	r, err := s.Store.Load(ctx, id)
	switch {
	case err == nil:
		s.learn(r)
	case errors.Is(err, storage.ErrNotFound):
		delete(s.games, id)
	case ctx.Err() == nil:
		s.fail("game %s cannot be read after a write: %v", id, err)
	default:
		return fmt.Errorf("reading what was written: %w", err)
	}
	return nil
}

func (s enteredStore) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	return s.write(context.WithoutCancel(ctx), r.Match.ID, func() error { return s.Store.Create(ctx, r, on...) })
}

func (s enteredStore) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return s.write(context.WithoutCancel(ctx), m.ID, func() error { return s.Store.Save(ctx, m, prev, on...) })
}

func (s enteredStore) Shown(ctx context.Context, id match.ID, by storage.Screen) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.Shown(ctx, id, by) })
}

func (s enteredStore) SaveClock(ctx context.Context, id match.ID, turn time.Time, c storage.Clock) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.SaveClock(ctx, id, turn, c) })
}

func (s enteredStore) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return s.write(context.WithoutCancel(ctx), id, func() error {
		if len(lines) > 0 {
			s.counts["lines stored"]++
		}
		return s.Store.SaveLines(ctx, id, version, side, lines)
	})
}

func (s enteredStore) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.Move(ctx, id, from, to) })
}

func (s enteredStore) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.Forget(ctx, id, u) })
}

func (s enteredStore) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.Rename(ctx, id, u, name) })
}

func (s enteredStore) Delete(ctx context.Context, id match.ID, version uint64) error {
	return s.write(context.WithoutCancel(ctx), id, func() error { return s.Store.Delete(ctx, id, version) })
}

func (s enteredStore) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	return s.write(ctx, "", func() error { return s.Store.SaveSettings(ctx, key, v, on...) })
}

func (s enteredStore) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	return s.write(ctx, "", func() error { return s.Store.SaveState(ctx, key, value, on...) })
}

func (s enteredStore) Rate(ctx context.Context, id match.ID, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) error {
	return s.write(context.WithoutCancel(ctx), id, func() error {
		r, err := s.Store.Load(ctx, id)
		if err == nil {
			err = s.Store.Rate(ctx, id, changes, outcomes)
		}
		if err == nil {
			s.rated(&r, changes, outcomes)
		}
		return err
	})
}

func (s enteredStore) ForgetRatings(ctx context.Context, u match.UserID) error {
	return s.write(ctx, "", func() error {
		err := s.Store.ForgetRatings(ctx, u)
		if err != nil {
			return err
		}
		for key := range s.ratings {
			if key.user == u {
				delete(s.ratings, key)
			}
		}
		for key := range s.results {
			if key.pair[0].User == u || key.pair[1].User == u {
				delete(s.results, key)
			}
		}
		return nil
	})
}

func (s enteredStore) ForgetScope(ctx context.Context, scope string) error {
	return s.write(ctx, "", func() error {
		s.fail("the ratings of %s were removed", scope)
		return s.Store.ForgetScope(ctx, scope)
	})
}
