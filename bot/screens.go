package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// refreshers is how many screens are refreshed at the same time.
	refreshers = 16
	// refreshTime bounds one refresh with all its calls.
	refreshTime = 30 * time.Second
	// tokenLife is how long an interaction's token is used for edits; Discord
	// honours it for fifteen minutes.
	tokenLife = 14 * time.Minute
	// retiring is how many old messages may wait to lose their buttons. More are
	// left as they are: their buttons are recognised as old.
	retiring = 1000
)

// screens keeps the messages that show games up to date.
type screens struct {
	bot *Bot

	mu      sync.Mutex
	locks   map[match.ID]*screenLock
	queue   []match.ID
	queued  map[match.ID]bool
	busy    int           // refreshes under way
	changed chan struct{} // closed and replaced when queue or busy changes
	retired chan storage.Screen
	// tokens holds, by message, the newest interaction whose original answer it
	// is; those that are over are dropped every tokenLife.
	tokens  map[string]discord.Request
	dropped time.Time
}

// screenLock orders what is done to one screen. users counts holders and waiters;
// again says that a refresh found it held and is to be queued when it is free.
type screenLock struct {
	held  chan struct{}
	users int
	again bool
}

func newScreens(b *Bot) *screens {
	return &screens{
		bot: b, locks: map[match.ID]*screenLock{}, queued: map[match.ID]bool{}, changed: make(chan struct{}),
		retired: make(chan storage.Screen, retiring), tokens: map[string]discord.Request{},
	}
}

// lock takes a screen, waiting until ctx ends; it returns the function that gives
// it back, nil when the time was over.
func (s *screens) lock(ctx context.Context, id match.ID) (unlock func()) {
	s.mu.Lock()
	l := s.enter(id)
	s.mu.Unlock()
	select {
	case l.held <- struct{}{}:
		return func() { s.unlock(id, l) }
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leave(id, l)
		return nil
	}
}

// tryLock takes a screen if nobody holds it. Otherwise it returns nil, and the
// screen is queued for a refresh as soon as it is free: a refresh that waited for
// the answer to a click would keep others from being done.
func (s *screens) tryLock(id match.ID) (unlock func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.enter(id)
	select {
	case l.held <- struct{}{}:
		return func() { s.unlock(id, l) }
	default:
		l.again = true
		s.leave(id, l)
		return nil
	}
}

func (s *screens) unlock(id match.ID, l *screenLock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	<-l.held
	if l.again {
		l.again = false
		s.enqueue(id)
	}
	s.leave(id, l)
}

// enter and leave count the users of a lock; s.mu is held.
func (s *screens) enter(id match.ID) *screenLock {
	l := s.locks[id]
	if l == nil {
		l = &screenLock{held: make(chan struct{}, 1)}
		s.locks[id] = l
	}
	l.users++
	return l
}

func (s *screens) leave(id match.ID, l *screenLock) {
	if l.users--; l.users == 0 {
		delete(s.locks, id)
	}
}

// Refresh queues a screen to be looked at. It does not wait; a screen that is
// queued already is not queued twice.
func (s *screens) Refresh(id match.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enqueue(id)
}

// enqueue queues a screen that is not queued; s.mu is held.
func (s *screens) enqueue(id match.ID) {
	if !s.queued[id] {
		s.queued[id] = true
		s.queue = append(s.queue, id)
		s.signal()
	}
}

// signal wakes everybody who waits for a change; s.mu is held.
func (s *screens) signal() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Retire takes the buttons off the message of a game that is stored no longer,
// if there is one.
func (s *screens) Retire(old storage.Screen) {
	if old.Message != "" {
		s.retire(old)
	}
}

// retire queues an old message to lose its buttons.
func (s *screens) retire(old storage.Screen) {
	select {
	case s.retired <- old:
	default:
	}
}

// remember keeps the token of the interaction whose original answer a message is.
func (s *screens) remember(message string, req discord.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.bot.now()
	if now.Sub(s.dropped) > tokenLife {
		s.dropped = now
		for m, old := range s.tokens {
			if now.Sub(old.Created) > tokenLife {
				delete(s.tokens, m)
			}
		}
	}
	s.tokens[message] = req
}

// token returns a live interaction whose original answer a message is.
func (s *screens) token(message string) (discord.Request, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req, ok := s.tokens[message]
	return req, ok && s.bot.now().Sub(req.Created) < tokenLife
}

// run refreshes what is queued until ctx ends.
func (s *screens) run(ctx context.Context) error {
	var wg sync.WaitGroup
	for range refreshers {
		wg.Go(func() { s.work(ctx) })
	}
	wg.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case old := <-s.retired:
				s.strip(ctx, old)
			}
		}
	})
	wg.Wait()
	return nil
}

func (s *screens) work(ctx context.Context) {
	for {
		s.mu.Lock()
		wait := s.changed
		if len(s.queue) == 0 {
			s.mu.Unlock()
			select {
			case <-ctx.Done():
				return
			case <-wait:
				continue
			}
		}
		id := s.queue[0]
		s.queue = s.queue[1:]
		delete(s.queued, id) // a change from now on queues it again
		s.busy++
		s.mu.Unlock()

		err := s.refresh(ctx, id)
		s.bot.measures.refreshed(err)
		if err != nil && ctx.Err() == nil {
			s.bot.log.WarnContext(ctx, "screen not refreshed; it is tried again", "game", id, "err", err)
		}

		s.mu.Lock()
		s.busy--
		s.signal()
		s.mu.Unlock()
	}
}

// waiting returns how many screens are queued or under way.
func (s *screens) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue) + s.busy
}

// drain waits until nothing is queued or under way, or ctx ends.
func (s *screens) drain(ctx context.Context) {
	for {
		s.mu.Lock()
		idle, wait := len(s.queue) == 0 && s.busy == 0, s.changed
		s.mu.Unlock()
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

// refresh makes a game's screen show the newest version: it edits the message,
// or posts a new one where there is none that can be edited. A channel that is
// closed to the bot is given up until somebody there uses the bot again; other
// failures are left to the next sweep.
func (s *screens) refresh(ctx context.Context, id match.ID) error {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	unlock := s.tryLock(id)
	if unlock == nil {
		return nil // it is queued again
	}
	defer unlock()
	b := s.bot
	r, err := b.opt.Store.Load(ctx, id)
	if errors.Is(err, storage.ErrNotFound) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	if r.Screen.Version >= r.Match.Version {
		return nil
	}
	look := b.publicLook(ctx, &r)
	next := storage.Screen{Channel: r.Place.Channel, Message: r.Screen.Message, Version: r.Match.Version}
	if r.Screen.Channel != "" {
		next.Channel = r.Screen.Channel
	}
	err = s.edit(ctx, &r, look)
	if errors.Is(err, discord.ErrForbidden) && !look.Letters {
		look.Letters = true // perhaps only pictures are forbidden
		err = s.edit(ctx, &r, look)
	}
	switch {
	case err == nil:
	case errors.Is(err, errNoMessage), errors.Is(err, discord.ErrMessageGone), errors.Is(err, discord.ErrTooManyEdits),
		errors.Is(err, discord.ErrArchived):
		next.Message, err = s.post(ctx, &r, look)
		if errors.Is(err, discord.ErrForbidden) && !look.Letters {
			look.Letters = true
			next.Message, err = s.post(ctx, &r, look)
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, discord.ErrChannelGone), errors.Is(err, discord.ErrForbidden), errors.Is(err, discord.ErrLocked),
		errors.Is(err, discord.ErrDMClosed), errors.Is(err, discord.ErrRejected):
		b.log.WarnContext(ctx, "the channel is closed to the bot; the game waits until somebody asks for its board", "game", id, "err", err)
		next.Message = r.Screen.Message
	default:
		return err
	}
	b.shown(ctx, r, next)
	return nil
}

// errNoMessage says that a game has no message yet.
var errNoMessage = errors.New("no message shows the game")

// edit brings the present message up to date.
func (s *screens) edit(ctx context.Context, r *storage.Record, look view.Look) error {
	if r.Screen.Message == "" {
		return errNoMessage
	}
	m, picture, err := s.board(ctx, r, look)
	if err != nil {
		return err
	}
	// An answer to an interaction can be edited for a while wherever it is, also
	// where the bot itself cannot look, and outside of the limit on all of a
	// bot's calls together.
	if req, ok := s.token(r.Screen.Message); ok {
		_, err = s.bot.rest.EditOriginal(ctx, req, m, picture)
		if !errors.Is(err, discord.ErrTokenExpired) && !errors.Is(err, discord.ErrRateLimited) {
			return err
		}
	}
	return s.bot.rest.Edit(ctx, r.Screen.Channel, r.Screen.Message, m, picture)
}

// post shows the game in a new message.
func (s *screens) post(ctx context.Context, r *storage.Record, look view.Look) (string, error) {
	m, picture, err := s.board(ctx, r, look)
	if err != nil {
		return "", err
	}
	nonce := fmt.Sprintf("%s.%d", r.Match.ID, r.Match.Version) // a repeated attempt is the same message
	return s.bot.rest.Post(ctx, r.Place.Channel, m, picture, nonce)
}

func (s *screens) board(ctx context.Context, r *storage.Record, look view.Look) (view.Message, []byte, error) {
	m := view.Game(i18n.For(r.Place.Locale), look, &r.Match, nil)
	picture, err := s.bot.draw(ctx, m)
	return m, picture, err
}

// strip takes the buttons off a message that no longer shows the game. It is a
// courtesy: they would be recognised as old.
func (s *screens) strip(ctx context.Context, old storage.Screen) {
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	if err := s.bot.rest.StripButtons(ctx, old.Channel, old.Message); err != nil && ctx.Err() == nil {
		s.bot.log.DebugContext(ctx, "old buttons stay", "message", old.Message, "err", err)
	}
}
