package discord

import (
	"context"
	"sync/atomic"
)

// Forced notes whether Discord has shown an answer to the person alone that was for
// everybody, as it may do where the bot is not ([Request].Outside). Safe for concurrent
// use.
type Forced struct{ any atomic.Bool }

// Any reports whether that has happened to one of the calls.
func (f *Forced) Any() bool { return f.any.Load() }

type forcedKey struct{}

// WithForced returns a context whose answers are noted in f.
func WithForced(ctx context.Context, f *Forced) context.Context {
	return context.WithValue(ctx, forcedKey{}, f)
}

// noteForced notes what has become of an answer: whether it was to be private, and the
// flags of the message that Discord has made of it.
func noteForced(ctx context.Context, private bool, flags int) {
	if f, ok := ctx.Value(forcedKey{}).(*Forced); ok && !private && flags&flagEphemeral != 0 {
		f.any.Store(true)
	}
}
