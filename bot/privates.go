package bot

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/engine/match"
)

const (
	// privateLife is for how long a private message is removed by the token of the
	// interaction that it answers; Discord honours that for fifteen minutes.
	privateLife = 14 * time.Minute
	// maxPrivates is how many private messages are remembered. The others stay until
	// their readers dismiss them.
	maxPrivates = 20_000
	// maxRemovals is how many are removed at the same time, and removalTime how long
	// one may take.
	maxRemovals = 64
	removalTime = 10 * time.Second
	// doneStays is how long somebody reads what their press has done.
	doneStays = 10 * time.Second
)

// privates keeps people's private messages from burying their boards. A person has
// one for each game: the next one replaces it, and it goes when the person acts in
// the game. It lives in memory: after a restart old ones stay until their readers
// dismiss them. All methods may be called from several goroutines.
type privates struct {
	remove func(context.Context, discord.Request, string) error // discord.REST.Delete
	now    func() time.Time
	log    *slog.Logger
	stays  time.Duration // doneStays, but for tests

	mu      sync.Mutex
	by      map[privateKey]private
	pruned  time.Time
	closed  bool
	running int // removals under way
	removed sync.WaitGroup
}

type privateKey struct {
	who  match.UserID
	game match.ID
}

// private is a private message, or only the note that its reader has acted.
type private struct {
	req      discord.Request // whose answer the message is; the zero value if there is none
	message  string          // its ID, "" if Discord did not say it
	followUp bool            // it is not the first answer to req
	updated  bool            // it was there before: req is a press on it
	acted    uint64          // the version of the game that its reader's newest action made
	leaves   *time.Timer     // set if it goes by itself
}

// sent remembers a private message about a game, in place of the one before it.
// version is the game's that it is about, 0 if that does not matter: a message that
// comes after its reader has gone on goes at once.
func (p *privates) sent(key privateKey, m private, version uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.by[key]
	m.acted = max(m.acted, old.acted)
	if newer(old.req, m.req) { // the answers were delivered in another order than they were asked for
		if old.message != m.message || m.message == "" {
			p.drop(m)
		}
		old.acted = m.acted
		p.by[key] = old
		return
	}
	same := old.message == m.message && m.message != "" || old.message == "" && m.updated
	if old.req.ID != "" && !same {
		p.drop(old)
	} else if old.leaves != nil {
		old.leaves.Stop()
	}
	if version != 0 && version < m.acted {
		p.drop(m)
		m = private{acted: m.acted}
	}
	p.put(key, m)
}

// done remembers a message that says what its reader has done, and goes soon.
func (p *privates) done(key privateKey, m private) {
	p.sent(key, m, 0)
	p.mu.Lock()
	defer p.mu.Unlock()
	now, ok := p.by[key]
	if !ok || p.closed || now.req.ID != m.req.ID {
		return
	}
	now.leaves = time.AfterFunc(p.stays, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if at := p.by[key]; at.req.ID == m.req.ID {
			p.drop(at)
			p.put(key, private{acted: at.acted})
		}
	})
	p.by[key] = now
}

// acted removes the message of somebody who has acted in a game, which made a
// version of it, unless they have asked for the message since.
func (p *privates) acted(key privateKey, req discord.Request, version uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.by[key]
	if newer(m.req, req) {
		m.acted = max(m.acted, version)
		p.by[key] = m
		return
	}
	p.drop(m)
	p.put(key, private{acted: max(m.acted, version)})
}

// became leaves a message alone that shows the copy of a board now.
func (p *privates) became(key privateKey, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.by[key]
	if !ok || m.message != message && m.message != "" {
		return
	}
	if m.leaves != nil {
		m.leaves.Stop()
	}
	p.put(key, private{acted: m.acted})
}

// newer reports whether a person asked for one thing after another. IDs of
// interactions are numbers that grow.
func newer(a, b discord.Request) bool {
	return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) > 0
}

// forget forgets a person's messages, who has had their data deleted.
func (p *privates) forget(who match.UserID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, m := range p.by {
		if key.who == who {
			if m.leaves != nil {
				m.leaves.Stop()
			}
			delete(p.by, key)
		}
	}
}

// put stores a message; p.mu is held. Expired ones are dropped once in a while.
func (p *privates) put(key privateKey, m private) {
	now := p.now()
	if now.Sub(p.pruned) > privateLife {
		p.pruned = now
		for k, old := range p.by {
			if now.Sub(old.req.Created) > privateLife && k != key {
				delete(p.by, k)
			}
		}
	}
	if _, known := p.by[key]; known || len(p.by) < maxPrivates {
		if m.req.ID == "" {
			m.req.Created = now
		}
		p.by[key] = m
	}
}

// drop removes a message from Discord, if there is one and it still can be; p.mu is
// held. It does not wait.
func (p *privates) drop(m private) {
	if m.leaves != nil {
		m.leaves.Stop()
	}
	if m.req.ID == "" || p.closed || p.running >= maxRemovals || p.now().Sub(m.req.Created) > privateLife {
		return
	}
	followUp := ""
	if m.followUp {
		followUp = m.message
	}
	p.running++
	p.removed.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), removalTime)
		defer cancel()
		if err := p.remove(ctx, m.req, followUp); err != nil { // its reader may have dismissed it
			p.log.Debug("could not remove a private message", "err", err)
		}
		p.mu.Lock()
		p.running--
		p.mu.Unlock()
	})
}

// dropped removes a message that is kept elsewhere. It does not wait.
func (p *privates) dropped(m private) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(m)
}

// close waits for the removals under way; later ones are not begun.
func (p *privates) close() {
	p.mu.Lock()
	p.closed = true
	for _, m := range p.by {
		if m.leaves != nil {
			m.leaves.Stop()
		}
	}
	p.mu.Unlock()
	p.removed.Wait()
}

// tidy keeps one private message for each person and game, after an answer that
// Discord has taken in a message of that ID.
func (b *Bot) tidy(c *call, a answer, how deferral, message string) {
	if a.about == "" || how == deferredPost && rowOf(c.in).is(public) {
		return // not a private message about a game
	}
	key := privateKey{c.who.ID, a.about}
	m := private{req: c.req, message: message, followUp: how == deferredUpdate && !a.update, updated: a.update, acted: a.acted}
	if a.update {
		m.message = c.req.Message
	}
	switch {
	case !a.msg.Private && a.acted == 0: // a choice on the board
	case !a.msg.Private:
		b.privates.acted(key, c.req, a.acted)
	case a.acted != 0:
		b.privates.done(key, m)
	default:
		b.privates.sent(key, m, a.version)
	}
}
