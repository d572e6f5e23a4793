package play

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// deadline returns when time that runs from begin on is over, without the spans in
// which it stands still.
func deadline(begin time.Time, limit time.Duration, still []storage.Span) time.Time {
	still = slices.SortedFunc(slices.Values(still), func(a, b storage.Span) int { return a.From.Compare(b.From) })
	at := begin
	for _, span := range still {
		switch {
		case !span.To.After(at):
			continue
		case !span.From.Before(at.Add(limit)):
			return at.Add(limit)
		case span.From.After(at):
			limit -= span.From.Sub(at)
		}
		at = span.To
	}
	return at.Add(limit)
}

// Clock is the time of the person to move in a game.
type Clock struct {
	Seat  engine.Color
	Limit time.Duration // for the move, with what the opponent has given
	Told  bool          // of the turn; until then the time does not run
	From  time.Time     // since when it runs; now, if it does not
	Half  time.Time     // when half of it is over, as things stand
	Until time.Time     // when all of it is
	Away  time.Time     // until when the person is on vacation, zero if they are not
}

// clockOf returns the time of the person to move, and false if none runs: the game is
// not running, has no time limit, or the machine is to move or to be answered. The error
// is the store's, which does not say when the person was on vacation.
func (s *Service) clockOf(ctx context.Context, r *storage.Record) (c Clock, ok bool, err error) {
	m := &r.Match
	limit, timed := m.Limit()
	seat := m.Turn()
	if m.Phase != match.Playing || !timed || m.Seats[seat].Machine() || m.Seats[seat.Other()].Machine() {
		return Clock{}, false, nil
	}
	set, err := s.opt.Store.Settings(ctx, personKey(m.Seats[seat].User))
	if err != nil {
		return Clock{}, false, err
	}
	away := set.Vacations
	c = Clock{Seat: seat, Limit: limit + m.Extra}
	now := s.opt.Now()
	for _, v := range away {
		if !now.Before(v.From) && now.Before(v.To) {
			c.Away = v.To
		}
	}
	told := r.Told()
	c.Told, c.From = !told.IsZero(), now
	if c.Told {
		if c.From = m.Moved; told.After(c.From) {
			c.From = told
		}
	}
	still := slices.Clone(away)
	if down := s.down.Load(); down != nil {
		still = append(still, *down...)
	}
	c.Half, c.Until = deadline(c.From, c.Limit/2, still), deadline(c.From, c.Limit, still)
	return c, true, nil
}

// stood returns for how long the clock of the person to move stands still until its end.
// An outage that has just ended counts. The error is [ErrUnsure] or the store's.
func (s *Service) stood(ctx context.Context, r *storage.Record) (time.Duration, error) {
	if !s.beat(ctx) {
		return 0, ErrUnsure
	}
	c, ok, err := s.clockOf(ctx, r)
	if !ok || !c.Told {
		return 0, err
	}
	return c.Until.Sub(c.From) - c.Limit, nil
}

// Times of reminders before the end, besides the one at half of the time.
const lastReminder = 12 * time.Hour

// steps returns when something is to be said about a clock: that half of the time is
// over, that twelve hours are left, and that the game may be claimed. The first comes
// no later than the second, with which it is one: see due.
func (c *Clock) steps() [3]time.Time {
	half, last := c.Half, c.Until.Add(-lastReminder)
	if half.After(last) {
		half = last
	}
	return [3]time.Time{half, last, c.Until}
}

// due returns how many steps there have been, and when the next is; zero after the
// last.
func (c *Clock) due(now time.Time) (done int, next time.Time) {
	for i, at := range c.steps() {
		if now.Before(at) {
			return i, at
		}
	}
	return 3, time.Time{}
}

// Notice is something that a person is to be told outside of any board.
type Notice struct {
	To    match.UserID
	Kind  NoticeKind
	Step  int              // how many times the first game's turn has been spoken of, with this
	Games []storage.Record // what it is about, completed, the most urgent first
}

// NoticeKind says what a [Notice] is about.
type NoticeKind uint8

// The notices.
const (
	TimeRuns NoticeKind = iota // games wait for the person, whose time runs out
	MayClaim                   // the opponents' time is over
)

const (
	// untoldPause is when a game is looked at again in which nobody has been told of
	// the turn yet.
	untoldPause = 10 * time.Minute
	// together is how far ahead reminders are given together with one that is due, so
	// that a person with many games hears of them once.
	together = 8 * time.Hour
)

// callTime says what is due about the clocks: it reminds people whose time runs out,
// and tells their opponents when they may claim the game. What has been said is
// stored before it is said, so that nothing is said twice; if it could not be
// delivered, that is taken back.
func (s *Service) callTime(ctx context.Context) {
	if !s.beat(ctx) {
		return // time stands still as long as nobody can play
	}
	ids, err := s.opt.Store.ListDue(ctx, storage.DueClock, s.opt.Now(), sweepLimit)
	notices := map[noticeKey]*Notice{}
	for _, id := range ids {
		if err := s.visit(ctx, id, s.ours(func(ctx context.Context, r storage.Record) error { return s.tick(ctx, r, notices) })); err != nil {
			s.opt.Log.ErrorContext(ctx, "could not look at a clock; will retry", "game", id, "err", err)
			break
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(notices), noticeKey.compare) {
		s.tell(ctx, notices[key])
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not read which clocks are due; will retry", "err", err)
	}
}

type noticeKey struct {
	to    match.UserID
	kind  NoticeKind
	guild string // others on a server are not told of games elsewhere; "" for all games
}

func (k noticeKey) compare(o noticeKey) int {
	return cmp.Or(cmp.Compare(k.to, o.to), cmp.Compare(k.kind, o.kind), cmp.Compare(k.guild, o.guild))
}

// tick collects what is due about one game.
func (s *Service) tick(ctx context.Context, r storage.Record, notices map[noticeKey]*Notice) error {
	c, ok, err := s.clockOf(ctx, &r)
	if err != nil || !ok {
		return err
	}
	now := s.opt.Now()
	if !c.Told {
		return s.setClock(ctx, &r, storage.Clock{Next: now.Add(untoldPause)})
	}
	said := saidOf(&r)
	done, next := c.due(now)
	switch {
	case !c.Away.IsZero() && done < 3: // nobody is reminded on vacation
		return s.setClock(ctx, &r, storage.Clock{Next: c.Away, Sent: said})
	case done < said && (said == 3 || !r.Clock.Next.Equal(next)):
		said = done // the time has been extended since
	}
	if done <= said {
		return s.setClock(ctx, &r, storage.Clock{Next: next, Sent: said})
	}
	kind, to := TimeRuns, r.Match.Seats[c.Seat].User
	if done == 3 {
		kind, to = MayClaim, r.Match.Seats[c.Seat.Other()].User
	}
	key := noticeKey{to: to, kind: kind, guild: r.Place.Guild}
	if s.settings(ctx, personKey(to)).Notices == storage.MentionDM {
		key.guild = "" // one message for all
	}
	if notices[key] == nil {
		notices[key] = &Notice{To: to, Kind: kind}
		if kind == TimeRuns {
			s.gather(ctx, notices[key], key.guild, r.Match.ID)
		}
	}
	n := notices[key]
	if !slices.ContainsFunc(n.Games, func(g storage.Record) bool { return g.Match.ID == r.Match.ID }) {
		n.Games = append(n.Games, r)
	}
	return nil
}

// gather adds the other games of a person, on a server or anywhere, to a reminder whose
// own would follow soon.
func (s *Service) gather(ctx context.Context, n *Notice, guild string, except match.ID) {
	list, err := s.opt.Store.ListByUser(ctx, n.To, listGames)
	if err != nil {
		return // they are reminded of by themselves
	}
	soon := s.opt.Now().Add(together)
	for _, r := range list {
		c, ok, _ := s.clockOf(ctx, &r)
		if !ok || r.Place.Outside != "" || guild != "" && r.Place.Guild != guild || r.Match.ID == except || r.Match.Seats[c.Seat].User != n.To || !c.Told || !c.Away.IsZero() {
			continue
		}
		if done, _ := c.due(soon); done > saidOf(&r) && done < 3 {
			n.Games = append(n.Games, r)
		}
	}
}

// tell delivers a notice about the games whose clocks could be set for it.
func (s *Service) tell(ctx context.Context, n *Notice) {
	n.Games = slices.DeleteFunc(n.Games, func(r storage.Record) bool {
		c, ok, _ := s.clockOf(ctx, &r)
		done, next := c.due(s.opt.Now())
		if n.Kind == TimeRuns {
			done, _ = c.due(s.opt.Now().Add(together))
			done = min(done, 2)
			next = c.steps()[done]
		}
		if !ok || s.opt.Store.SaveClock(ctx, r.Match.ID, r.Match.Moved, storage.Clock{Next: next, Sent: done}) != nil {
			return true
		}
		now, err := s.opt.Store.Load(ctx, r.Match.ID)
		return err != nil || now.Match.Version != r.Match.Version // they have just played
	})
	for i := range n.Games {
		s.Complete(ctx, &n.Games[i])
	}
	slices.SortStableFunc(n.Games, func(a, b storage.Record) int { return a.Ends.Compare(b.Ends) })
	if len(n.Games) == 0 {
		return
	}
	n.Step = saidOf(&n.Games[0]) + 1
	err := s.opt.Tell(ctx, *n)
	if err == nil {
		return
	}
	s.opt.Log.WarnContext(ctx, "could not tell somebody about the time of their games; will retry", "games", len(n.Games), "err", err)
	ctx = context.WithoutCancel(ctx)
	for i := range n.Games {
		r := &n.Games[i]
		_ = s.setClock(ctx, r, storage.Clock{Next: s.opt.Now().Add(untoldPause), Sent: saidOf(r)})
	}
}

// saidOf returns how many of the present turn's steps have been spoken of.
func saidOf(r *storage.Record) int {
	if r.Clock.Turn.Equal(r.Match.Moved) {
		return r.Clock.Sent
	}
	return 0
}

// setClock stores what has been said about the present turn. A turn that is over is
// not an error.
func (s *Service) setClock(ctx context.Context, r *storage.Record, c storage.Clock) error {
	err := s.opt.Store.SaveClock(ctx, r.Match.ID, r.Match.Moved, c)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	return err
}

// lookAgain has a clock looked at whose end has changed.
func (s *Service) lookAgain(ctx context.Context, r *storage.Record) {
	if err := s.setClock(ctx, r, storage.Clock{Next: s.opt.Now(), Sent: saidOf(r)}); err != nil {
		s.opt.Log.WarnContext(ctx, "could not set a clock anew", "game", r.Match.ID, "err", err)
	}
}

// Outages. The note says when the program could last be played with, and when it
// could not be for long.

const (
	beatKey = "clock"
	// outage is the shortest one that extends deadlines, and keepOutages how long it
	// may matter: the longest time for a move, doubled by the opponent, and a year's
	// vacation.
	outage      = 10 * time.Minute
	keepOutages = 40 * 24 * time.Hour
)

type beatNote struct {
	Beat    time.Time      `json:"beat"`
	Outages []storage.Span `json:"outages,omitempty"`
}

// beat notes that the program can be played with now. It reports false when it
// cannot, or when that could not be noted.
func (s *Service) beat(ctx context.Context) bool {
	if s.opt.Connected != nil && !s.opt.Connected() {
		return false
	}
	s.beating.Lock()
	defer s.beating.Unlock()
	var note beatNote
	if err := s.Note(ctx, beatKey, &note); err != nil {
		s.opt.Log.ErrorContext(ctx, "could not read the note about outages", "err", err)
		return false
	}
	now := s.opt.Now().UTC()
	if !note.Beat.IsZero() && now.Sub(note.Beat) > outage {
		note.Outages = append(note.Outages, storage.Span{From: note.Beat, To: now})
		s.opt.Log.WarnContext(ctx, "nobody could play for a while; deadlines are extended by it", "from", note.Beat, "for", now.Sub(note.Beat).Round(time.Second))
	}
	note.Outages = slices.DeleteFunc(note.Outages, func(o storage.Span) bool { return now.Sub(o.To) > keepOutages })
	note.Beat = now
	if err := s.SaveNote(ctx, beatKey, note); err != nil {
		s.opt.Log.ErrorContext(ctx, "could not note that the program runs", "err", err)
		return false
	}
	s.down.Store(&note.Outages)
	return true
}
