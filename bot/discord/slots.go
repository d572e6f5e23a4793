package discord

import (
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
)

const (
	// maxHandlers is how many interactions are handled at once. Most of them wait
	// for Discord, which may take seconds to confirm an answer.
	maxHandlers = 512
	// maxPerPerson is how many of them may be one person's, so that nobody can
	// keep the others waiting.
	maxPerPerson = 16
	// slotWait is how long an interaction waits for a slot, and then again for one to
	// be told that there was none. Of Discord's three seconds, that leaves one.
	slotWait = time.Second
	// maxTurnedAway is how many people are told that at once, and turnedAwayEach how
	// many of those may be one person.
	maxTurnedAway  = 64
	turnedAwayEach = 2
)

// slots bounds how many interactions are handled at once, in all and for each
// person.
type slots struct {
	all  chan struct{}
	each int
	wait time.Duration // how long an interaction waits for a slot

	mu     sync.Mutex
	people map[string]*share // those who have something running or waiting
}

// share is what one person has of the slots.
type share struct {
	slots chan struct{}
	users int // running or waiting
}

func newSlots(all, each int, wait time.Duration) *slots {
	return &slots{all: make(chan struct{}, all), each: each, wait: wait, people: map[string]*share{}}
}

// enter waits for a slot of a person's share and returns what gives it back, nil
// if there was none in time.
func (s *slots) enter(person string) (leave func()) {
	limit := time.NewTimer(s.wait)
	defer limit.Stop()
	own := s.share(person)
	if !take(own.slots, limit.C) {
		s.left(person, own)
		return nil
	}
	leaveOwn := func() {
		<-own.slots
		s.left(person, own)
	}
	if !take(s.all, limit.C) {
		leaveOwn()
		return nil
	}
	return func() {
		<-s.all
		leaveOwn()
	}
}

// take puts a token into a channel and reports whether there was room before the
// limit; room that is there at once counts in any case.
func take(c chan struct{}, limit <-chan time.Time) bool {
	select {
	case c <- struct{}{}:
		return true
	default:
	}
	select {
	case c <- struct{}{}:
		return true
	case <-limit:
		return false
	}
}

func (s *slots) share(person string) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.people[person]
	if own == nil {
		own = &share{slots: make(chan struct{}, min(s.each, cap(s.all)))}
		s.people[person] = own
	}
	own.users++
	return own
}

func (s *slots) left(person string, own *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(s.people, person)
	}
}

// personOf returns the ID of the person behind an interaction, "" if there is
// none.
func personOf(i *discordgo.Interaction) string {
	switch {
	case i.Member != nil && i.Member.User != nil:
		return i.Member.User.ID
	case i.User != nil:
		return i.User.ID
	}
	return ""
}
