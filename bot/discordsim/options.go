package discordsim

import (
	"log/slog"
	"time"
)

// Options set up a [Server]. The zero value is ready to use.
type Options struct {
	// Clock gives the time; nil means [SystemClock].
	Clock Clock
	// AckWithin is how long the bot has for the first answer to an
	// interaction; 0 means Discord's 3 s.
	AckWithin time.Duration
	// BotToken is the only token accepted (without "Bot "); "" accepts any.
	BotToken string
	// HeartbeatInterval is what HELLO names; 0 means Discord's 41.25 s.
	HeartbeatInterval time.Duration
	// IdentifyEvery is how long after an IDENTIFY the next one is still answered
	// with op 9. Discord has 5 s; 0 sets no limit, so that tests can start bots
	// one after the other.
	IdentifyEvery time.Duration
	// Shards is the number of shards that Discord recommends; 0 means 1. Clients may
	// choose another.
	Shards int
	// MaxConcurrency is how many shards may identify at the same time: each has its
	// number modulo this as its bucket, and IdentifyEvery holds for each bucket. 0
	// means 1.
	MaxConcurrency int
	// ShardGuilds is how many guilds of the bot a shard may serve; 0 means Discord's
	// 2,500. More need more shards.
	ShardGuilds int
	// OldMessageEdits is how many edits of a message older than an hour are
	// accepted in any one hour before error 30046; 0 means 5. Discord publishes
	// no number.
	OldMessageEdits int
	// RouteLimit and RouteWindow are the rate limit of each bucket (a route of
	// one channel); 0 means 1,000 requests in 1 s, far more than Discord allows.
	RouteLimit  int
	RouteWindow time.Duration
	// GlobalLimit is the number of requests a second over all routes but
	// interaction answers. Discord has 50; 0 sets no limit.
	GlobalLimit int
	// EmojiLimit and EmojiWindow are the budget that all routes for the application's
	// emoji share, whatever the headers say of the route: Discord warns that the quota
	// it tells for these is wrong. 0 sets no limit, and a window of a minute.
	EmojiLimit  int
	EmojiWindow time.Duration
	// ThreadLimit is how many threads of a guild can be open at a time; 0 means 1,000.
	ThreadLimit int
	// MaxRequests bounds the log behind [Server.Requests]; 0 means 10,000.
	MaxRequests int
	// MaxMessages bounds the messages kept in each channel, the oldest go
	// first; 0 means 200.
	MaxMessages int
	// Log receives what happens at debug level and violations at warning
	// level; nil discards it.
	Log *slog.Logger
}

// tokenLife is how long an interaction token can be used.
const tokenLife = 15 * time.Minute

// withDefaults replaces zero values.
func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = SystemClock{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	setDefault(&o.AckWithin, 3*time.Second)
	setDefault(&o.HeartbeatInterval, 41250*time.Millisecond)
	setDefault(&o.Shards, 1)
	setDefault(&o.MaxConcurrency, 1)
	setDefault(&o.ShardGuilds, 2500)
	setDefault(&o.OldMessageEdits, 5)
	setDefault(&o.RouteLimit, 1000)
	setDefault(&o.RouteWindow, time.Second)
	setDefault(&o.EmojiWindow, time.Minute)
	setDefault(&o.ThreadLimit, maxThreads)
	setDefault(&o.MaxRequests, 10000)
	setDefault(&o.MaxMessages, 200)
	return o
}

func setDefault[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}
