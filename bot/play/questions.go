package play

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// askTime is how long somebody waits for an answer of the machine, the wait for a
// place included.
const askTime = 2 * time.Minute

// questions are what people are waiting for, by key. The zero value has none.
type questions struct {
	mu   sync.Mutex
	open map[string]*question
}

// question is one that is being answered. The answer may be read when done is
// closed.
type question struct {
	askers int
	cancel context.CancelFunc
	done   chan struct{}
	answer any
	err    error
}

// share answers a question once, with f, for everybody who asks it at the same
// time. Each waits for at most askTime of their own, whenever the others began. When
// the last one has stopped waiting, f's context ends, and whoever asks after that
// asks anew.
func share[T any](ctx context.Context, all *questions, key string, f func(context.Context) (T, error)) (T, error) {
	waiting, stop := context.WithTimeout(ctx, askTime)
	defer stop()
	q := all.join(context.WithoutCancel(ctx), key, func(ctx context.Context) (any, error) { return f(ctx) })
	defer all.leave(key, q)
	var zero T
	select {
	case <-q.done:
		if q.err != nil {
			return zero, q.err
		}
		return q.answer.(T), nil
	case <-waiting.Done():
		return zero, waiting.Err()
	}
}

// join returns the open question of a key, one that f answers where there was none.
func (all *questions) join(ctx context.Context, key string, f func(context.Context) (any, error)) *question {
	all.mu.Lock()
	defer all.mu.Unlock()
	q := all.open[key]
	if q == nil {
		q = &question{done: make(chan struct{})}
		ctx, q.cancel = context.WithCancel(ctx)
		if all.open == nil {
			all.open = map[string]*question{}
		}
		all.open[key] = q
		go func() {
			defer func() {
				if p := recover(); p != nil { // here nobody else would
					q.err = fmt.Errorf("panic while answering a question: %v\n%s", p, debug.Stack())
				}
				all.mu.Lock()
				all.drop(key, q)
				all.mu.Unlock()
				close(q.done)
			}()
			q.answer, q.err = f(ctx)
		}()
	}
	q.askers++
	return q
}

// leave is the end of somebody's waiting.
func (all *questions) leave(key string, q *question) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if q.askers--; q.askers == 0 {
		all.drop(key, q)
		q.cancel()
	}
}

// drop closes a question to more askers; all.mu is held.
func (all *questions) drop(key string, q *question) {
	if all.open[key] == q {
		delete(all.open, key)
	}
}
