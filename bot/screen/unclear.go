package screen

import (
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

const (
	// settle is how long a call whose answer was lost may still come into effect.
	settle = 10 * time.Second
	// retryFirst is the wait after a refresh that failed without a refusal, which
	// doubles, and retryMost its end; after that the sweeps go on at their pace.
	retryFirst = 2 * time.Second
	retryMost  = 30 * time.Second
)

// unclear is what is not known about the screen of a game.
type unclear struct {
	// until is when the last call whose outcome is unknown cannot come into effect
	// any more; zero if there is none. Then over puts the screen into the queue.
	until time.Time
	over  *time.Timer
	write bool // the message may not show what is recorded
	fails int  // refreshes in a row that failed without a refusal
	// posting is the version in the nonce of a message that may have been posted
	// without anybody knowing its ID; 0 if there is none.
	posting uint64
}

// note changes what is not known about a game's screen; k.mu is held.
func (k *Keeper) note(id match.ID, f func(*unclear)) {
	u := k.unclear[id]
	if u == nil {
		u = &unclear{}
		k.unclear[id] = u
	}
	f(u)
	if *u == (unclear{}) {
		delete(k.unclear, id)
	}
}

// Unclear says that a call that changes a game's screen has an unknown outcome: it
// may come into effect after later ones. When that is over, the screen is written
// once more.
func (k *Keeper) Unclear(id match.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(id, func(u *unclear) {
		if u.over != nil {
			u.over.Stop()
		}
		u.until = k.opt.Now().Add(settle)
		var t *time.Timer
		t = time.AfterFunc(settle, func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.note(id, func(u *unclear) {
				if u.over == t {
					u.over, u.until, u.write = nil, time.Time{}, true
					k.enqueue(id)
				}
			})
		})
		u.over = t
	})
}

// Rewrite queues a screen to be written although it is recorded to show the newest
// version.
func (k *Keeper) Rewrite(id match.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(id, func(u *unclear) { u.write = true })
	k.enqueue(id)
}

// UnclearUntil returns when what a game's screen shows is certain again; zero if it
// is now.
func (k *Keeper) UnclearUntil(id match.ID) (until time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if u := k.unclear[id]; u != nil {
		until = u.until
	}
	return until
}

// toWrite reports whether a screen is to be written whatever it is recorded to show,
// or is going to be. The first is reported once.
func (k *Keeper) toWrite(id match.ID) (now, later bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(id, func(u *unclear) {
		now, later = u.write, u.over != nil
		u.write = false
	})
	return now, later
}

// written notes how a refresh ended: failed and to be tried again in a while, or
// not. write says that the screen is to be written even if it is recorded to show the
// newest version.
func (k *Keeper) written(id match.ID, failed, write bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(id, func(u *unclear) {
		u.write = u.write || write
		if !failed {
			u.fails = 0
			return
		}
		wait := retryFirst << u.fails
		if wait > retryMost {
			return
		}
		u.fails++
		time.AfterFunc(wait, func() { k.Refresh(id) })
	})
}

// posting notes under which version a message is posted without its ID being known
// yet, and returns the version that was noted before; 0 if there was none.
func (k *Keeper) posting(id match.ID, version uint64) (before uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.note(id, func(u *unclear) { before, u.posting = u.posting, version })
	return before
}
