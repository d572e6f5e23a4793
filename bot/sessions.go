package bot

import (
	"context"
	"time"
)

// sessionsKey is where the times stand at which sessions were started.
const sessionsKey = "gateway sessions"

// sessionsTime bounds reading and writing them.
const sessionsTime = 5 * time.Second

// loadSessions returns when earlier runs of the program started sessions with
// Discord, which allows a thousand a day. Times that cannot be read are left
// out: the gateway waits longer and longer between sessions by itself.
func (b *Bot) loadSessions(ctx context.Context) (times []time.Time) {
	ctx, cancel := context.WithTimeout(ctx, sessionsTime)
	defer cancel()
	if err := b.service.Note(ctx, sessionsKey, &times); err != nil {
		b.log.WarnContext(ctx, "could not read how many sessions were started today", "err", err)
		return nil
	}
	return times
}

// saveSessions keeps the times for the next run.
func (b *Bot) saveSessions(times []time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), sessionsTime)
	defer cancel()
	for i, t := range times {
		times[i] = t.UTC().Truncate(time.Second)
	}
	if err := b.service.SaveNote(ctx, sessionsKey, times); err != nil {
		b.log.WarnContext(ctx, "could not note the start of a session", "err", err)
	}
}
