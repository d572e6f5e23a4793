package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

const (
	// maxSlow is how many slow answers one person may wait for. Whoever presses
	// more often is told so at once.
	maxSlow = 2
	// maxFilms is how many files are drawn at the same time, for all together, so
	// that the processors are not all drawing while others press buttons.
	maxFilms = 2
	// maxPictures is how many boards are drawn at the same time, which bounds the
	// memory for it. One takes some milliseconds.
	maxPictures = 16
	// filmBytes is the memory for films that may be asked for again.
	filmBytes = 16 << 20
	// publicBurst is how many commands a person may give at once that everybody in
	// the channel gets to see the answer to, and publicEvery how often after that.
	// It is enough for a game of typed moves, and too little to fill a channel.
	publicBurst = 10
	publicEvery = 3 * time.Second
)

// errTooFast says that a person has given too many commands with public answers.
var errTooFast = errors.New("too many public answers to one person in a short time")

// slowAnswers counts the slow answers that each person waits for.
type slowAnswers struct {
	mu sync.Mutex
	by map[match.UserID]int
}

// enter begins one, and reports whether the person may have it; done ends it.
func (s *slowAnswers) enter(who match.UserID) (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[who] >= maxSlow {
		return nil, false
	}
	if s.by == nil {
		s.by = map[match.UserID]int{}
	}
	s.by[who]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.by[who]--; s.by[who] == 0 {
			delete(s.by, who)
		}
	}, true
}

// drawFile makes a file, few at a time.
func (b *Bot) drawFile(ctx context.Context, a answer) ([]byte, error) {
	draw := func() ([]byte, error) {
		select {
		case b.films <- struct{}{}:
			defer func() { <-b.films }()
			return a.file(ctx)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if a.fileKey == "" {
		return draw()
	}
	return b.drawn.Get(ctx, a.fileKey, draw)
}
