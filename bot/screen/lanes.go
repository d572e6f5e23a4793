package screen

import "github.com/lascabot/lascabot/engine/match"

const (
	// perChannel is how many screens of one channel are refreshed at the same time
	// by one kind of route, and perKind how many of all channels.
	perChannel = 4
	perKind    = 64
	// refreshers is how many screens are refreshed at the same time.
	refreshers = 2 * perKind
)

// lane is a kind of route in one channel. What hangs in one lane holds up no other.
type lane struct {
	token   bool // by the token of an interaction, not by the channel's route
	channel string
}

// lanes bound how many screens are refreshed at the same time in each lane and by
// each kind of route. Those for which there is no room wait aside, so that those
// behind them in the queue go on.
type lanes struct {
	running map[lane]int
	kinds   map[bool]int
	aside   map[lane][]match.ID // waiting for their lane
	full    map[bool][]match.ID // waiting for their kind of route
}

func newLanes() lanes {
	return lanes{running: map[lane]int{}, kinds: map[bool]int{}, aside: map[lane][]match.ID{}, full: map[bool][]match.ID{}}
}

// enterLane takes a place in a lane. Where there is none, the screen waits aside,
// and is back in the queue as soon as there may be one.
func (k *Keeper) enterLane(l lane, id match.ID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := &k.lanes
	switch {
	case n.running[l] < perChannel && n.kinds[l.token] < perKind:
		n.running[l]++
		n.kinds[l.token]++
		return true
	case k.queued[id]: // somebody has asked for it again meanwhile
	case n.running[l] >= perChannel:
		k.queued[id] = true
		n.aside[l] = append(n.aside[l], id)
	default:
		k.queued[id] = true
		n.full[l.token] = append(n.full[l.token], id)
	}
	return false
}

// leaveLane gives a place back and puts those who wait for it back into the queue:
// all of the lane, and as many of the kind as may be of use.
func (k *Keeper) leaveLane(l lane) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := &k.lanes
	if n.running[l]--; n.running[l] == 0 {
		delete(n.running, l)
	}
	n.kinds[l.token]--
	k.queue = append(k.queue, n.aside[l]...)
	delete(n.aside, l)
	full := n.full[l.token]
	some := min(len(full), 2*perKind)
	if n.kinds[l.token] == 0 {
		some = len(full) // or nobody would call the rest
	}
	k.queue = append(k.queue, full[:some]...)
	n.full[l.token] = full[some:]
	k.signal()
}
