package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/screen"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// maxCopies is how many private copies of boards are followed. The others are as
	// they were until somebody presses a button on them.
	maxCopies = 20_000
	// maxCopyEdits is how many are edited at the same time, and copyTime how long one
	// edit may take.
	maxCopyEdits = 16
	copyTime     = 10 * time.Second
	// drainCopies is how long a stop waits for the edits under way.
	drainCopies = 2 * time.Second
)

// copies keeps private copies of boards as new as the games. A person has one for
// each game: the next one replaces it. A copy is edited by the token of the newest
// interaction that it answers, for [privateLife] after it. At most one edit of a copy
// is under way. It reads the game when it begins, and waits while a press on the copy
// is being answered. What fails is left until the game goes on. A copy lives in memory:
// after a restart it is followed again from the next press on it. All methods may be
// called from several goroutines.
type copies struct {
	// edit shows a copy's game in it unless it is up to date, and returns what it
	// shows then.
	edit func(context.Context, replica) (shown, error)
	drop func(private) // removes a copy's message; does not wait
	now  func() time.Time
	log  *slog.Logger

	mu      sync.Mutex
	by      map[match.ID]map[match.UserID]*followed
	count   int
	pruned  time.Time
	queue   []*followed
	workers int
	closed  bool
	ctx     context.Context // of all edits
	stop    context.CancelFunc
	done    sync.WaitGroup
}

func newCopies(edit func(context.Context, replica) (shown, error), drop func(private), now func() time.Time, log *slog.Logger) *copies {
	p := &copies{edit: edit, drop: drop, now: now, log: log, by: map[match.ID]map[match.UserID]*followed{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// replica is a private copy of a game's board.
type replica struct {
	private
	shown
	game    match.ID
	who     play.Caller
	lang    i18n.Lang
	noFiles bool // where the copy is, no picture may be sent
	again   bool // what it shows is not sure
}

// shown is what a copy shows.
type shown struct {
	version uint64
	look    view.Look
	choice  bool // a part of a move has been chosen on it
	watch   bool // its reader only watches, from side
	side    engine.Color
	waits   bool // the board that everybody sees cannot be shown at the moment
}

// followed is a place for a person's copy of a game; req.ID is "" while there is none.
type followed struct {
	replica
	forgotten bool
	held      int           // presses that are being answered
	queued    bool          // in queue
	busy      chan struct{} // closed at the end of the edit under way, nil if there is none
	stale     bool          // the game has changed since the newest edit began
}

// hold keeps a copy from being edited while a press on it is answered, until release
// is called. It waits a while for the edit under way.
func (p *copies) hold(ctx context.Context, key privateKey, patience time.Duration) (release func()) {
	p.mu.Lock()
	f := p.at(key)
	if f == nil {
		p.mu.Unlock()
		return func() {}
	}
	if f.held++; f.held > 1 {
		f.again = true // the answers may cross
	}
	busy := f.busy
	p.mu.Unlock()
	if busy != nil {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		select {
		case <-busy:
		case <-ctx.Done():
			p.mu.Lock()
			f.again = true // it may come after the answer
			p.mu.Unlock()
		}
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if f.held--; f.held > 0 || f.forgotten {
			return
		}
		if f.req.ID == "" {
			p.remove(key)
			return
		}
		p.enqueue(f) // the game may have gone on meanwhile
	}
}

// sent remembers a copy that Discord has taken, in place of the one before it.
func (p *copies) sent(r replica) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := privateKey{r.who.ID, r.game}
	f := p.at(key)
	if f == nil {
		return
	}
	old := f.replica
	same := old.message == r.message && r.message != "" || old.message == "" && r.updated
	switch {
	case newer(old.req, r.req) && same:
		f.again = true // the answers came in another order than they were asked for
		return
	case newer(old.req, r.req):
		p.drop(r.private)
		return
	case old.req.ID != "" && !same:
		p.drop(old.private)
	}
	r.again = old.again && same
	f.replica = r
	p.enqueue(f) // the game may have gone on meanwhile
}

// gone forgets a copy whose message shows something else now.
func (p *copies) gone(key privateKey, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.by[key.game][key.who]; f != nil && f.message == message {
		p.remove(key)
	}
}

// follow has the copies of a game brought up to date. It does not wait.
func (p *copies) follow(id match.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.by[id] {
		p.enqueue(f)
	}
}

// forget forgets a person's copies, who has their data deleted.
func (p *copies) forget(who match.UserID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, list := range p.by {
		if list[who] != nil {
			p.remove(privateKey{who, id})
		}
	}
}

// at returns the place for a copy, which it makes if there is none; nil if there are
// too many. p.mu is held. Expired ones are dropped once in a while.
func (p *copies) at(key privateKey) *followed {
	if now := p.now(); now.Sub(p.pruned) > privateLife {
		p.pruned = now
		for id, list := range p.by {
			for who, f := range list {
				if f.held == 0 && now.Sub(f.req.Created) > privateLife {
					p.remove(privateKey{who, id})
				}
			}
		}
	}
	if f := p.by[key.game][key.who]; f != nil {
		return f
	}
	if p.count >= maxCopies {
		return nil
	}
	if p.by[key.game] == nil {
		p.by[key.game] = map[match.UserID]*followed{}
	}
	f := &followed{}
	p.by[key.game][key.who] = f
	p.count++
	return f
}

// remove forgets a copy; p.mu is held.
func (p *copies) remove(key privateKey) {
	list := p.by[key.game]
	f := list[key.who]
	if f == nil {
		return
	}
	f.forgotten, f.replica = true, replica{}
	delete(list, key.who)
	p.count--
	if len(list) == 0 {
		delete(p.by, key.game)
	}
}

// enqueue queues a copy to be looked at, unless it has to wait; p.mu is held.
func (p *copies) enqueue(f *followed) {
	f.stale = true
	if f.held > 0 || f.busy != nil || f.queued || p.closed || f.req.ID == "" || f.followUp {
		return
	}
	f.queued = true
	p.queue = append(p.queue, f)
	if p.workers < maxCopyEdits {
		p.workers++
		p.done.Go(p.work)
	}
}

// work edits the copies that are queued, and ends when there are none.
func (p *copies) work() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 && !p.closed {
		f := p.queue[0]
		p.queue = p.queue[1:]
		f.queued = false
		if f.held > 0 || f.forgotten {
			continue // whoever holds it queues it
		}
		before := f.replica
		if p.now().Sub(before.req.Created) > privateLife {
			p.remove(privateKey{before.who.ID, before.game})
			continue
		}
		f.stale, f.again = false, false
		busy := make(chan struct{})
		f.busy = busy
		p.mu.Unlock()
		ctx, cancel := context.WithTimeout(p.ctx, copyTime)
		now, err := p.tryEdit(ctx, before)
		cancel()
		p.mu.Lock()
		f.busy = nil
		close(busy)
		switch {
		case f.forgotten:
			continue
		case f.message != before.message:
		case err != nil:
			p.log.Debug("could not bring a private copy up to date", "game", before.game, "err", err)
			if errors.Is(err, discord.ErrTokenExpired) || errors.Is(err, discord.ErrMessageGone) {
				if f.req.ID == before.req.ID { // its reader may have dismissed it
					p.remove(privateKey{before.who.ID, before.game})
					continue
				}
			}
			f.again = f.again || before.again
		case f.req.ID != before.req.ID:
			f.again = f.again || now != before.shown // it may have come after the answer to a press
		default:
			f.shown = now
		}
		if f.stale {
			p.enqueue(f)
		}
	}
	p.workers--
}

// tryEdit is edit, whose panics are errors: one copy must not stop the others.
func (p *copies) tryEdit(ctx context.Context, r replica) (now shown, err error) {
	defer func() {
		if v := recover(); v != nil {
			now, err = r.shown, fmt.Errorf("panic while editing: %v\n%s", v, debug.Stack())
			p.log.Error("could not bring a private copy up to date", "game", r.game, "err", err)
		}
	}()
	return p.edit(ctx, r)
}

// live reports whether a copy is still to be edited.
func (p *copies) live(r *replica) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.by[r.game][r.who.ID]
	return f != nil && f.message == r.message && f.held == 0
}

// close waits for the edits under way; later ones are not begun.
func (p *copies) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	defer time.AfterFunc(drainCopies, p.stop).Stop()
	p.done.Wait()
	p.stop()
}

// screens are the messages that show games, and the copies that follow them.
type screens struct {
	*screen.Keeper
	copies *copies
}

// Refresh is that of [screen.Keeper], for the copies too.
func (s screens) Refresh(id match.ID) {
	s.Keeper.Refresh(id)
	s.copies.follow(id)
}

// Redraw is that of [screen.Keeper], for the copies too.
func (s screens) Redraw(id match.ID) {
	s.Keeper.Redraw(id)
	s.copies.follow(id)
}

// editCopy shows a copy's game in it unless it is up to date.
func (b *Bot) editCopy(ctx context.Context, c replica) (shown, error) {
	r, err := b.service.Load(ctx, c.game)
	if errors.Is(err, storage.ErrNotFound) {
		return c.shown, nil // removed; the copy says so when it is pressed
	}
	if err != nil {
		return c.shown, err
	}
	look := b.styled(b.service.LookOf(ctx, c.who))
	if c.noFiles {
		look = look.WithoutFiles()
	}
	next := shown{version: r.Match.Version, look: look, watch: c.watch, side: c.side, waits: !c.watch && view.Waits(&r)}
	switch {
	case next.version < c.version, next.version == c.version && c.choice, next == c.shown && !c.again:
		return c.shown, nil
	}
	var m view.Message
	if c.watch {
		m = view.Watch(c.lang, look, &r, c.side)
	} else {
		m = b.copyOf(ctx, c.lang, look, c.who.ID, &r, nil)
	}
	picture, err := b.draw(ctx, m)
	if err != nil || !b.copies.live(&c) {
		return c.shown, err
	}
	_, err = b.rest.EditOriginal(ctx, c.req, m, picture)
	return next, err
}

// keepCopy remembers a private copy that Discord has taken in a message of that ID,
// or that the message of one shows something else now.
func (b *Bot) keepCopy(c *call, a answer, how deferral, message string) {
	if a.update {
		message = c.req.Message
	}
	if a.update && c.onPrivate() {
		pressed := c.req.Intent.About().Game
		if pressed != "" && (a.copied == nil || a.copied.Match.ID != pressed) {
			b.copies.gone(privateKey{c.who.ID, pressed}, message)
		}
		if pressed != "" && a.copied != nil {
			b.privates.became(privateKey{c.who.ID, pressed}, message)
		}
	}
	if a.copied == nil {
		return
	}
	b.copies.sent(replica{
		private: private{req: c.req, message: message, followUp: how == deferredUpdate && !a.update, updated: a.update},
		shown:   shown{version: a.copied.Match.Version, look: c.look, choice: a.choice, watch: a.watch, side: a.side, waits: !a.watch && view.Waits(a.copied)},
		game:    a.copied.Match.ID, who: c.who, lang: c.lang, noFiles: !c.req.CanAttach(),
	})
}
