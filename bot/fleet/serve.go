package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lascabot/lascabot/storage"
)

// shardName is the name of a shard's lease.
func shardName(shard, count int) string { return fmt.Sprintf("shard:%d/%d", shard, count) }

func parseShard(name string) (shard, count int, ok bool) {
	n, err := fmt.Sscanf(name, "shard:%d/%d", &shard, &count)
	return shard, count, n == 2 && err == nil && name == shardName(shard, count)
}

// Run runs one shard of so many until its context is done, and returns an error if that
// is of no use.
type Run func(ctx context.Context, shard, count int) error

// Serve runs this process's share of the shards until the context is done, or until one
// of them cannot go on, whose error it returns. count is how many shards there are;
// unless it is fixed, there may be more, if other processes have more. Call it again only
// after it has returned.
func (m *Member) Serve(ctx context.Context, count int, fixed bool, run Run) error {
	s := &serving{Member: m, fixed: fixed, run: run, failed: make(chan error, 1), ended: make(chan struct{}, 1)}
	s.begin(count)
	defer s.leave()
	for {
		wait := s.look(ctx)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.ended:
			s.sweep(ctx)
		case err := <-s.failed:
			return err
		case <-ctx.Done():
			return nil
		}
		timer.Stop()
	}
}

// serving is one call of [Member.Serve]; all is done by its goroutine but for run.
type serving struct {
	*Member
	fixed  bool
	run    Run
	failed chan error
	ended  chan struct{} // one token: some session has ended
	lapsed bool          // the store does not answer
	back   time.Time     // when it did again; zero if it always has
}

// begin sets how many shards there are.
func (s *serving) begin(count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count, s.note.Shards = count, count
}

// look renews what this process has, gives away and takes, and returns when to look again.
func (s *serving) look(ctx context.Context) time.Duration {
	asked := time.Now()
	once, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	leases, err := s.opt.Store.Leases(once)
	if err == nil {
		if s.lapsed {
			s.back = asked
		}
		if most := s.most(leases); most > s.count && !s.fixed {
			s.opt.Log.WarnContext(ctx, "another process divides the servers among more shards; so does this one now", "shards", most)
			s.leave()
			s.begin(most)
			return 0
		}
		var wait time.Duration
		if wait, err = s.share(once, leases, asked); err == nil {
			s.lapsed = false
			return wait
		}
	}
	if ctx.Err() == nil && !s.lapsed {
		s.lapsed = true
		s.opt.Log.WarnContext(ctx, "could not renew what this process has of the shards; nobody else answers for them before its lease is over", "err", err)
	}
	return every / 2
}

// most returns the greatest number of shards that a process has.
func (s *serving) most(leases []storage.Lease) (most int) {
	for _, p := range processes(leases) {
		most = max(most, p.Count)
	}
	return most
}

// share brings what this process has in line with its share.
func (s *serving) share(ctx context.Context, leases []storage.Lease, asked time.Time) (time.Duration, error) {
	mine, taken, soonest := s.mine(leases)
	s.mu.Lock()
	keep := []int{}
	for shard, h := range s.held {
		if !h.leaving {
			keep = append(keep, shard)
		}
	}
	s.mu.Unlock()
	slices.Sort(keep)
	want := keep
	if len(keep) < mine && asked.Sub(s.back) > grace {
		for shard := range s.count {
			if len(want) < mine && !taken[shard] && !slices.Contains(want, shard) && !s.has(shard) {
				want = append(want, shard)
			}
		}
	}
	held, err := s.hold(ctx, want)
	if err != nil {
		return 0, err
	}
	s.settle(ctx, held, asked)
	for _, shard := range keep[min(mine, len(keep)):] {
		s.give(shard)
	}
	wait := every*9/10 + rand.N(every/5)
	if len(held) < mine {
		wait = hungry
	}
	return min(wait, soonest+time.Millisecond), nil
}

// mine returns how many shards are this process's share, which ones others have, and when
// the first lease of another runs out. What does not divide evenly stays where it is.
func (s *serving) mine(leases []storage.Lease) (share int, taken map[int]bool, soonest time.Duration) {
	all := slices.DeleteFunc(processes(leases), func(p Process) bool { return p.Count != s.count })
	if !slices.ContainsFunc(all, func(p Process) bool { return p.ID == s.id }) {
		all = append(all, Process{ID: s.id})
	}
	slices.SortFunc(all, func(a, b Process) int {
		return cmp.Or(len(b.Shards)-len(a.Shards), cmp.Compare(a.ID, b.ID))
	})
	share = s.count / len(all)
	if slices.IndexFunc(all, func(p Process) bool { return p.ID == s.id }) < s.count%len(all) {
		share++
	}
	taken, soonest = map[int]bool{}, term
	for _, l := range leases {
		if l.Owner == s.id {
			continue
		}
		soonest = min(soonest, l.Left)
		if shard, count, ok := parseShard(l.Name); ok && count == s.count {
			taken[shard] = true
		}
	}
	return share, taken, soonest
}

// hold renews the process's own lease and those of all shards that it has, and asks for
// those of others that it wants.
func (s *serving) hold(ctx context.Context, want []int) (held []int, err error) {
	about, err := json.Marshal(s.note)
	if err != nil {
		return nil, err
	}
	names := []string{processPrefix + s.id}
	s.mu.Lock()
	for shard := range s.held { // also those that are given away, until their sessions have ended
		if !slices.Contains(want, shard) {
			want = append(want, shard)
		}
	}
	s.mu.Unlock()
	slices.Sort(want)
	for _, shard := range want {
		names = append(names, shardName(shard, s.count))
	}
	got, err := s.opt.Store.Hold(ctx, s.id, term, string(about), names...)
	for _, name := range got {
		if shard, _, ok := parseShard(name); ok {
			held = append(held, shard)
		}
	}
	return held, err
}

// has reports whether this process has a shard, be it one that it gives away.
func (s *serving) has(shard int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[shard] != nil
}

// settle notes what this process has since it asked. It starts sessions of what is new
// and ends those of what others have now.
func (s *serving) settle(ctx context.Context, shards []int, asked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = asked.Add(sure)
	for shard, h := range s.held {
		if !slices.Contains(shards, shard) && !h.leaving {
			s.opt.Log.WarnContext(ctx, "another process has taken a shard of this one, which did not renew it in time", "shard", shard)
			h.leaving = true
			h.stop()
		}
	}
	for _, shard := range shards {
		if s.held[shard] != nil {
			continue
		}
		s.opt.Log.InfoContext(ctx, "this process runs a shard now", "shard", shard, "of", s.count)
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
		h := &held{since: time.Now(), stop: stop, done: make(chan struct{})}
		s.held[shard] = h
		go s.session(ctx, shard, s.count, h)
	}
}

// session runs a shard until it is stopped or cannot go on.
func (s *serving) session(ctx context.Context, shard, count int, h *held) {
	err := s.run(ctx, shard, count)
	if err != nil && ctx.Err() == nil {
		select {
		case s.failed <- err:
		default:
		}
	}
	close(h.done)
	select {
	case s.ended <- struct{}{}:
	default:
	}
}

// give ends the session of a shard that is to be another process's.
func (s *serving) give(shard int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.held[shard]; h != nil && !h.leaving {
		s.opt.Log.Info("this process gives a shard away", "shard", shard)
		h.leaving = true
		h.stop()
	}
}

// sweep frees the leases of shards whose sessions have ended. If the store does not
// answer, they run out.
func (s *serving) sweep(ctx context.Context) {
	var names []string
	s.mu.Lock()
	for shard, h := range s.held {
		select {
		case <-h.done:
			delete(s.held, shard)
			names = append(names, shardName(shard, s.count))
		default:
		}
	}
	s.mu.Unlock()
	s.release(ctx, names...)
}

// release frees leases.
func (s *serving) release(ctx context.Context, names ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer cancel()
	if err := s.opt.Store.Release(ctx, s.id, names...); err != nil {
		s.opt.Log.WarnContext(ctx, "could not free shards; others have them when the leases run out", "leases", names, "err", err)
	}
}

// leave ends all sessions and frees all that this process has.
func (s *serving) leave() {
	s.mu.Lock()
	all := maps.Clone(s.held)
	for _, h := range all {
		h.leaving = true
		h.stop()
	}
	s.mu.Unlock()
	names := []string{processPrefix + s.id}
	for shard, h := range all {
		<-h.done
		names = append(names, shardName(shard, s.count))
	}
	s.mu.Lock()
	clear(s.held)
	s.mu.Unlock()
	s.release(context.Background(), names...)
}
