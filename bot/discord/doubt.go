package discord

import (
	"context"
	"sync/atomic"
)

// Doubt notes whether calls may come into effect after they have returned, once
// or a second time: an attempt was sent and its answer did not come or was a
// failure of Discord's. The call may have succeeded with another attempt. Safe for
// concurrent use.
type Doubt struct{ any atomic.Bool }

// Any reports whether there is a doubt about one of the calls.
func (d *Doubt) Any() bool { return d.any.Load() }

type doubtKey struct{}

// WithDoubt returns a context whose calls are noted in d.
func WithDoubt(ctx context.Context, d *Doubt) context.Context {
	return context.WithValue(ctx, doubtKey{}, d)
}

// doubted notes that an attempt may come into effect later.
func doubted(ctx context.Context) {
	if d, ok := ctx.Value(doubtKey{}).(*Doubt); ok {
		d.any.Store(true)
	}
}
