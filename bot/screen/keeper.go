package screen

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/trace"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// refreshTime bounds one refresh with all its calls.
	refreshTime = 10 * time.Second
	// tokenLife is how long an interaction's token is used for edits; Discord
	// honours it for fifteen minutes.
	tokenLife = 14 * time.Minute
	// retiring is how many old messages may wait to lose their buttons. More are
	// left as they are: their buttons are recognised as old. Some at a time lose
	// them, so that one channel that hangs does not hold up the others.
	retiring = 1000
	retirers = 4
)

// Games is what a keeper asks about games; play.Service is one.
type Games interface {
	// Held returns a game to whoever holds its screen. What could not be recorded as
	// shown before is recorded first. The error wraps storage.ErrNotFound when the game
	// has been removed.
	Held(ctx context.Context, id match.ID) (storage.Record, error)
	// PublicLook returns how a game's message looks.
	PublicLook(ctx context.Context, r *storage.Record) storage.Settings
	// Pinged returns the players whom a mention in the game's place is to notify.
	Pinged(ctx context.Context, r *storage.Record) []match.UserID
	// Reach tells those of the people who may not know of a game's latest change
	// ([storage.Record.Unaware]) of it who want to be told otherwise than by a mention,
	// and returns the others. With an error, nobody knows who was told.
	Reach(ctx context.Context, r *storage.Record) (left []match.UserID, err error)
	// Shown records what shows a game.
	Shown(ctx context.Context, r storage.Record, by storage.Screen)
	// Refused records that Discord has refused to show a game's newest version,
	// and when that is tried again.
	Refused(ctx context.Context, r storage.Record, again time.Time)
	// Moved records where a game goes on and how it stands to its thread, as
	// storage.Store.Move does, also in r.
	Moved(ctx context.Context, r *storage.Record, to storage.Place) error
	// Idle reports whether no game goes on in a channel.
	Idle(ctx context.Context, channel string) (bool, error)
}

// Poster sends messages; discord.REST is one, and its documentation names the
// errors.
type Poster interface {
	Post(ctx context.Context, channel string, m view.Message, picture []byte, nonce string) (message string, err error)
	Edit(ctx context.Context, channel, message string, m view.Message, picture []byte) error
	EditOriginal(ctx context.Context, req discord.Request, m view.Message, picture []byte) (message string, err error)
	EditText(ctx context.Context, channel, message string, m view.Message) error
	StartThreadFrom(ctx context.Context, channel, message, name string) (string, error)
	ReopenThread(ctx context.Context, thread string) error
	ArchiveThread(ctx context.Context, thread string) error
	Board(ctx context.Context, channel string, game match.ID, above uint64) (message string, err error)
	EditOriginalText(ctx context.Context, req discord.Request, m view.Message) error
}

// Options are the parts that a keeper works with; all are required.
type Options struct {
	Poster Poster
	// Look turns a stored choice into a look.
	Look func(storage.Settings) view.Look
	// Draw makes a message's picture, nil when it has none.
	Draw func(context.Context, view.Message) ([]byte, error)
	// Refreshed is called after each refresh.
	Refreshed func(error)
	Now       func() time.Time
	Log       *slog.Logger
}

// Keeper keeps the messages that show games up to date. Its methods may be
// called from several goroutines.
type Keeper struct {
	opt Options

	mu      sync.Mutex
	locks   map[match.ID]*lock
	queue   []match.ID
	queued  map[match.ID]bool // in queue, or held back by lanes
	redraw  map[match.ID]bool // screens to show again although they are up to date
	busy    int               // refreshes, and changes of old messages, under way
	changed chan struct{}     // closed and replaced when queue or busy changes
	retired chan retired
	lanes   lanes
	unclear map[match.ID]*unclear
	// tokens holds, by message, the newest interaction whose original answer it
	// is. Expired ones are dropped every tokenLife.
	tokens  map[string]discord.Request
	dropped time.Time
	// began is when the first screen was looked at; looked holds the games of before
	// that for whose messages Discord has been asked.
	began  time.Time
	looked map[match.ID]bool
}

// New makes a keeper. It refreshes nothing until [Keeper.Run].
func New(opt Options) *Keeper {
	return &Keeper{
		opt: opt, locks: map[match.ID]*lock{}, queued: map[match.ID]bool{}, redraw: map[match.ID]bool{}, changed: make(chan struct{}),
		retired: make(chan retired, retiring), tokens: map[string]discord.Request{}, lanes: newLanes(), unclear: map[match.ID]*unclear{},
		looked: map[match.ID]bool{},
	}
}

// Refresh queues a screen to be looked at. It does not wait; a screen that is
// queued already is not queued twice.
func (k *Keeper) Refresh(id match.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.enqueue(id)
}

// Redraw queues a screen to be shown again if it is up to date, because it looks
// different now. It does not wait. A message that cannot be edited stays as it is
// until the game goes on.
func (k *Keeper) Redraw(id match.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.redraw[id] = true
	k.enqueue(id)
}

// redrawn reports whether a screen is to be shown again, and forgets it.
func (k *Keeper) redrawn(id match.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	again := k.redraw[id]
	delete(k.redraw, id)
	return again
}

// enqueue queues a screen that is not queued; k.mu is held.
func (k *Keeper) enqueue(id match.ID) {
	if !k.queued[id] {
		k.queued[id] = true
		k.queue = append(k.queue, id)
		k.signal()
	}
}

// signal wakes everybody who waits for a change; k.mu is held.
func (k *Keeper) signal() {
	close(k.changed)
	k.changed = make(chan struct{})
}

// retired is a message that no longer shows a game.
type retired struct {
	game   match.ID
	locale string
	storage.Screen
}

// Retire queues a message that no longer shows a game to say where the game goes on,
// in the language of its place, and to lose its buttons, unless it shows the game again
// by then. It does nothing when there is no message, or when too many wait already. A
// message without a channel can be changed by the token of its interaction alone.
func (k *Keeper) Retire(game match.ID, locale string, old storage.Screen) {
	if old.Message == "" {
		return
	}
	select {
	case k.retired <- retired{game, locale, old}:
	default:
	}
}

// Remember keeps the token of the interaction whose original answer a message is.
func (k *Keeper) Remember(message string, req discord.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.opt.Now()
	if now.Sub(k.dropped) > tokenLife {
		k.dropped = now
		for m, old := range k.tokens {
			if now.Sub(old.Created) > tokenLife {
				delete(k.tokens, m)
			}
		}
	}
	k.tokens[message] = req
}

// token returns a live interaction whose original answer a message is.
func (k *Keeper) token(message string) (discord.Request, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	req, ok := k.tokens[message]
	return req, ok && k.opt.Now().Sub(req.Created) < tokenLife
}

// forgetToken drops the token of a message's interaction.
func (k *Keeper) forgetToken(message string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.tokens, message)
}

// Run refreshes what is queued until ctx ends. It may be called once.
func (k *Keeper) Run(ctx context.Context, games Games) error {
	var wg sync.WaitGroup
	for range refreshers {
		wg.Go(func() { k.work(ctx, games) })
	}
	for range retirers {
		wg.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case old := <-k.retired:
					k.strip(ctx, games, old)
				}
			}
		})
	}
	wg.Wait()
	return nil
}

func (k *Keeper) work(ctx context.Context, games Games) {
	for {
		k.mu.Lock()
		wait := k.changed
		if len(k.queue) == 0 {
			k.mu.Unlock()
			select {
			case <-ctx.Done():
				return
			case <-wait:
				continue
			}
		}
		id := k.queue[0]
		k.queue = k.queue[1:]
		delete(k.queued, id) // a change from now on queues it again
		k.busy++
		k.mu.Unlock()

		refreshing, span := trace.Root(ctx, trace.Refresh, "")
		span.Set(trace.GameKey, string(id))
		err := k.refresh(refreshing, games, id)
		span.End(err)
		k.opt.Refreshed(err)
		if err != nil && ctx.Err() == nil {
			k.opt.Log.WarnContext(ctx, "could not refresh a screen; will retry", "game", id, "err", err)
		}

		k.working(-1)
	}
}

// working counts work on screens that begins or, with -1, has ended.
func (k *Keeper) working(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.busy += n
	k.signal()
}

// Waiting returns how many screens are queued or being refreshed, and how many messages
// that no longer show a game are being changed.
func (k *Keeper) Waiting() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.queued) + k.busy
}

// Drain waits until [Keeper.Waiting] is 0 or ctx ends.
func (k *Keeper) Drain(ctx context.Context) {
	for {
		k.mu.Lock()
		idle, wait := len(k.queued) == 0 && k.busy == 0, k.changed
		k.mu.Unlock()
		if idle {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-wait:
		}
	}
}

// strip says on a message that no longer shows a game where it goes on, and takes the
// buttons off. What is lost by a kill is done when somebody presses one of them. The
// screen is held meanwhile, since a press on the old message makes it the screen
// again.
func (k *Keeper) strip(ctx context.Context, games Games, old retired) {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	k.working(1) // a refresh that waits for the screen is not queued meanwhile
	defer k.working(-1)
	unlock := k.Lock(ctx, old.game)
	if unlock == nil {
		return
	}
	defer unlock()
	r, err := games.Held(ctx, old.game)
	if err == nil && r.Screen.Message == old.Message || err != nil && !errors.Is(err, storage.ErrNotFound) {
		return
	}
	if errors.Is(err, storage.ErrNotFound) {
		r.Place.Locale = old.locale
	}
	if err := k.replace(ctx, &r, old.Screen); err != nil && ctx.Err() == nil {
		k.opt.Log.DebugContext(ctx, "could not say on an old message where the game goes on", "message", old.Message, "err", err)
	}
	if !k.UnclearUntil(old.game).IsZero() { // a call may bring the buttons back
		time.AfterFunc(settle, func() { k.Retire(old.game, old.locale, old.Screen) })
	}
}
