package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Handler handles one interaction. Handlers run concurrently, each in its own
// goroutine. A panic in one is logged and ends only that handler. The context
// outlives the one that [Gateway.Run] got: it is done when
// [GatewaySettings].Drain has passed after that.
//
// The request and the error are [Decode]'s; but the error is [ErrCrowded] or
// [ErrUnclaimed] for an interaction that must only be told so.
type Handler func(ctx context.Context, req Request, err error)

// ErrCrowded says that so much is going on, of this person or of all together, that
// an interaction must not be handled.
var ErrCrowded = errors.New("too many interactions at once")

// intake stands between whatever receives interactions and the handler. It
// handles each interaction once and a bounded number at the same time, survives
// a handler's panic, and knows when the last handler has ended. It does not know
// where interactions come from.
type intake struct {
	log     *slog.Logger
	slots   *slots
	crowded *slots // of those who are told that there was no other slot
	recent  recent
	running drain
}

func newIntake(log *slog.Logger) *intake {
	return &intake{
		log: log, slots: newSlots(maxHandlers, maxPerPerson, slotWait), crowded: newSlots(maxTurnedAway, turnedAwayEach, slotWait),
	}
}

// ErrUnclaimed says that nobody knows which process is to answer an interaction: it must
// not be handled, only told so.
var ErrUnclaimed = errors.New("it is not known which process is to answer")

// claim reports whether this process is the one to answer an interaction; nil is always.
type claim func(ctx context.Context, id string) (bool, error)

// claimTime is how long that may take. What remains of Discord's three seconds is for
// telling the person.
const claimTime = 1500 * time.Millisecond

// take calls the handler with an interaction and returns when the handler has
// ended. One that gets no slot in time comes with [ErrCrowded], if there is room for
// that. It drops an interaction that comes twice or is another process's to answer, or
// that comes after drain was called.
func (in *intake) take(ctx context.Context, claim claim, handle Handler, i *discordgo.InteractionCreate) {
	if i == nil || i.Interaction == nil || i.ID == "" {
		in.log.Warn("dropped an interaction without an ID")
		return
	}
	if !in.running.enter() {
		return
	}
	defer in.running.leave()
	log := in.log.With("interaction", i.ID)
	if !in.recent.first(i.ID) {
		log.Info("dropped an interaction that came twice")
		return
	}
	person := personOf(i.Interaction)
	leave := in.slots.enter(person)
	crowded := leave == nil
	if crowded {
		if leave = in.crowded.enter(person); leave == nil {
			log.Error("dropped an interaction: too many at once")
			return
		}
		log.Warn("turned an interaction away: too many at once")
	}
	defer leave()
	defer func() {
		if p := recover(); p != nil {
			log.Error("handler panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	mine, unclaimed := true, error(nil)
	if claim != nil {
		once, cancel := context.WithTimeout(ctx, claimTime)
		mine, unclaimed = claim(once, i.ID)
		cancel()
	}
	switch {
	case unclaimed != nil:
		log.Error("could not learn which process is to answer an interaction", "tells", mine, "err", unclaimed)
	case !mine:
		log.Info("left an interaction to another process")
	}
	if !mine {
		return
	}
	req, err := Decode(i.Interaction)
	switch {
	case unclaimed != nil:
		err = fmt.Errorf("%w: %w", ErrUnclaimed, unclaimed)
	case crowded:
		err = ErrCrowded
	}
	handle(ctx, req, err)
}

// drain lets nothing more in and waits until the handlers have ended. When the
// limit has passed, it calls cut, which ends their context, and waits as long
// again.
func (in *intake) drain(limit time.Duration, cut func()) {
	if in.running.wait(limit) {
		return
	}
	in.log.Warn("handlers are still running; cutting them short")
	cut()
	in.running.wait(limit)
}

// drain counts what runs, and lets nothing begin once somebody waits for the
// end. (A sync.WaitGroup that is at zero must not be added to while somebody
// waits for it.)
type drain struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // nil while things may begin; closed when n is 0 after that
}

func (d *drain) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.empty != nil {
		return false
	}
	d.n++
	return true
}

func (d *drain) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n--; d.n == 0 && d.empty != nil {
		close(d.empty)
	}
}

// wait closes the entrance and reports whether all have left in time.
func (d *drain) wait(limit time.Duration) bool {
	d.mu.Lock()
	if d.empty == nil {
		d.empty = make(chan struct{})
		if d.n == 0 {
			close(d.empty)
		}
	}
	empty := d.empty
	d.mu.Unlock()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-empty:
		return true
	case <-t.C:
		return false
	}
}
