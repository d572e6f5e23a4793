package metrics

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/lascabot/lascabot/bot/trace"
	"github.com/lascabot/lascabot/storage"
)

// A disk that hangs returns from no call, and hears no context. People must not wait
// for it: a caller that has waited long enough is told, and while a call hangs, no
// others are begun that would hang too.

const (
	// hangsAfter is how long a short call may be under way before the store counts as
	// hanging.
	hangsAfter = 5 * time.Second
	// patience is how long a caller waits for a short call, and lastWord how much
	// longer for the store to say what has become of it.
	patience = 10 * time.Second
	lastWord = 100 * time.Millisecond
)

// kind says what a call waits for.
type kind uint8

const (
	read  kind = iota // of a few values
	write             // it waits for the writes before it
	scan              // a read that may take long, since it looks at every game
)

// underway is a call that has not returned.
type underway struct {
	kind  kind
	begun time.Time
}

// hangs returns an error that wraps [storage.ErrHangs] when a call of a kind would
// hang: when a read does, or, for a write, any short call.
func (s *Store) hangs(k kind) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var age time.Duration
	for _, c := range s.calls {
		if k == write || c.kind == read {
			age = max(age, time.Since(c.begun))
		}
	}
	if age <= hangsAfter {
		return nil
	}
	return fmt.Errorf("%w: a call has been under way for %v", storage.ErrHangs, age.Round(time.Second))
}

// begin notes that a call is under way, until end is called.
func (s *Store) begin(k kind) (end func()) {
	if k == scan {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	id := s.last
	s.calls[id] = underway{k, time.Now()}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.calls, id)
	}
}

// call has the store do something, and measures it. It returns when the context has
// ended, or after [patience] and [lastWord], whatever the store does: with an error
// that wraps [storage.ErrHangs] if nothing was done, [storage.ErrUnsure] if that is
// not known. The call itself may then still be under way. What panics in it, panics
// here.
func call[T any](ctx context.Context, s *Store, op string, k kind, f func(context.Context) (T, error)) (T, error) {
	ctx, span := trace.Start(ctx, trace.Store, op)
	v, err := measured(ctx, s, op, k, f)
	span.EndAs(storeOutcome(err))
	return v, err
}

// measured is call without a span.
func measured[T any](ctx context.Context, s *Store, op string, k kind, f func(context.Context) (T, error)) (T, error) {
	var nothing T
	if err := s.hangs(k); err != nil {
		s.measures.stored(op, 0, err)
		return nothing, err
	}
	limited := ctx
	if k != scan {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	type result struct {
		v     T
		err   error
		panic error
	}
	done := make(chan result, 1)
	begun, end := time.Now(), s.begin(k)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.panic = fmt.Errorf("%v\n%s", p, debug.Stack())
			}
			end()
			done <- r
		}()
		r.v, r.err = f(limited)
		s.returned(op, k, time.Since(begun), r.err)
		if r.err == nil && (op == "save" || op == "create") {
			s.measures.stage(ctx, "commit")
		}
	}()
	var r result
	select {
	case r = <-done:
	case <-limited.Done():
		select {
		case r = <-done:
		case <-time.After(lastWord):
			r.err = limited.Err()
			if k == write {
				r.err = fmt.Errorf("%w: %w", storage.ErrUnsure, r.err)
			}
		}
	}
	if r.panic != nil {
		panic(r.panic)
	}
	if ctx.Err() == nil && errors.Is(r.err, context.DeadlineExceeded) && !errors.Is(r.err, storage.ErrUnsure) {
		r.err = fmt.Errorf("%w within %v: %w", storage.ErrHangs, patience, r.err)
	}
	return r.v, r.err
}

// change is call for a write.
func change(ctx context.Context, s *Store, op string, f func(context.Context) error) error {
	_, err := call(ctx, s, op, write, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// returned notes how a call has ended, also one for which nobody waits any more.
func (s *Store) returned(op string, k kind, took time.Duration, err error) {
	s.measures.stored(op, took, err)
	switch k {
	case read:
		s.measures.reads.add(took)
	case write:
		s.measures.writes.add(took)
	}
	switch {
	case errors.Is(err, storage.ErrBroken), errors.Is(err, storage.ErrReplaced):
		s.failing.Store(true)
	case k != write:
	case err == nil:
		s.failing.Store(false)
	case errors.Is(err, storage.ErrNotWritten), errors.Is(err, storage.ErrDamaged):
		s.failing.Store(true) // a damaged record concerns its game alone, which Probe finds out
	}
}
