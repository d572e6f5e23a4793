package screen

import (
	"context"

	"github.com/lascabot/lascabot/engine/match"
)

// lock orders what is done to one screen. users counts holders and waiters;
// again says that a refresh found the lock held and is to be queued once it is
// free.
type lock struct {
	held  chan struct{}
	users int
	again bool
}

// Lock takes a screen, waiting until ctx ends. It returns the function that
// gives the screen back, nil when ctx has ended first.
func (k *Keeper) Lock(ctx context.Context, id match.ID) (unlock func()) {
	k.mu.Lock()
	l := k.enter(id)
	k.mu.Unlock()
	select {
	case l.held <- struct{}{}:
		return func() { k.unlock(id, l) }
	case <-ctx.Done():
		k.mu.Lock()
		defer k.mu.Unlock()
		k.leave(id, l)
		return nil
	}
}

// tryLock takes a screen if nobody holds it. Otherwise it returns nil, and the
// screen is queued for a refresh as soon as it is free: a refresh that waited for
// the answer to a click would keep others from being done.
func (k *Keeper) tryLock(id match.ID) (unlock func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.enter(id)
	select {
	case l.held <- struct{}{}:
		return func() { k.unlock(id, l) }
	default:
		l.again = true
		k.leave(id, l)
		return nil
	}
}

func (k *Keeper) unlock(id match.ID, l *lock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	<-l.held
	if l.again {
		l.again = false
		k.enqueue(id)
	}
	k.leave(id, l)
}

// enter and leave count the users of a lock; k.mu is held.
func (k *Keeper) enter(id match.ID) *lock {
	l := k.locks[id]
	if l == nil {
		l = &lock{held: make(chan struct{}, 1)}
		k.locks[id] = l
	}
	l.users++
	return l
}

func (k *Keeper) leave(id match.ID, l *lock) {
	if l.users--; l.users == 0 {
		delete(k.locks, id)
	}
}
