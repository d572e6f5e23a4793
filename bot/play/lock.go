package play

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/lascabot/lascabot/engine/match"
)

// locks order what would otherwise be decided twice at once about the same people:
// making a game, storing a choice, and the beginning of a deletion. The store refuses
// the slower one of two (storage.Basis), also of two processes; the locks spare the
// second try. Several people share a lock, so that no lock holds anybody's ID.
type locks struct {
	seed maphash.Seed
	held [256]chan struct{}
}

func newLocks() *locks {
	l := &locks{seed: maphash.MakeSeed()}
	for i := range l.held {
		l.held[i] = make(chan struct{}, 1)
	}
	return l
}

// lockPeople takes the locks of people; "" is nobody. The error is ctx's.
func (s *Service) lockPeople(ctx context.Context, people ...match.UserID) (unlock func(), err error) {
	var list []int
	for _, u := range people {
		if u != "" {
			list = append(list, int(maphash.String(s.locks.seed, string(u))%uint64(len(s.locks.held))))
		}
	}
	slices.Sort(list) // one order for all, so that nobody waits for each other
	list = slices.Compact(list)
	free := func(n int) {
		for _, i := range list[:n] {
			<-s.locks.held[i]
		}
	}
	for n, i := range list {
		select {
		case s.locks.held[i] <- struct{}{}:
		case <-ctx.Done():
			free(n)
			return nil, fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
		}
	}
	return func() { free(len(list)) }, nil
}
