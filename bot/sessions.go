package bot

import (
	"context"
	"encoding/json"
	"time"
)

// sessionsKey is where the times stand at which sessions were started.
const sessionsKey = "gateway sessions"

// sessionsTime bounds reading and writing them.
const sessionsTime = 5 * time.Second

// loadSessions returns when earlier runs of the program started sessions with
// Discord, which allows a thousand a day. What cannot be read is as if there had
// been none: the gateway waits longer and longer between sessions by itself.
func (b *Bot) loadSessions(ctx context.Context) []time.Time {
	ctx, cancel := context.WithTimeout(ctx, sessionsTime)
	defer cancel()
	text, err := b.store.State(ctx, sessionsKey)
	var times []time.Time
	if err == nil && text != nil {
		err = json.Unmarshal(text, &times)
	}
	if err != nil {
		b.log.WarnContext(ctx, "it is not known how many sessions were started today", "err", err)
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
	text, err := json.Marshal(times)
	if err == nil {
		err = b.store.SaveState(ctx, sessionsKey, text)
	}
	if err != nil {
		b.log.WarnContext(ctx, "the start of a session was not noted", "err", err)
	}
}
