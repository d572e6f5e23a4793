package screen

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// bench is a keeper with one game, and a Discord that records calls.
type bench struct {
	*Keeper
	mu     sync.Mutex
	game   storage.Record
	others map[match.ID]storage.Record
	calls  []string           // "edit 5", "post letters", …
	nonces []string           // of the posts
	hang   map[string]bool    // by the call's first word: never answered
	refuse map[string][]error // by the call's first word: how the next ones fail
	shown  []storage.Screen
	board  string // the message that Board finds
	shows  uint64 // the version that it shows
}

func newBench(t *testing.T) *bench {
	t.Helper()
	n := match.New{ID: "9", Rules: engine.Kawu, By: engine.White}
	n.Seats[engine.White] = match.Seat{User: "1", Name: "Ann"}
	n.Seats[engine.Black] = match.Seat{Level: 3}
	m, err := match.Start(n, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	m.Version = 7
	b := &bench{
		game: storage.Record{
			Match: m, Place: storage.Place{Guild: "7", Channel: "8"},
			Screen: storage.Screen{Channel: "8", Message: "5", Version: 6},
		},
		refuse: map[string][]error{},
	}
	b.Keeper = New(Options{
		Poster: b, Look: func(set storage.Settings) view.Look { return view.LookFrom(set, nil) }, Draw: func(context.Context, view.Message) ([]byte, error) { return nil, nil },
		Refreshed: func(error) {}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	return b
}

func (b *bench) Held(_ context.Context, id match.ID) (storage.Record, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.others[id]; ok {
		return r, nil
	}
	return b.game, nil
}

func (b *bench) Saw(ctx context.Context, id match.ID, version uint64) (storage.Record, error) {
	r, err := b.Held(ctx, id)
	if version > r.Match.Version {
		b.game.Match.Version = version + match.VersionJump
		r = b.game
	}
	return r, err
}

func (b *bench) PublicLook(context.Context, *storage.Record) storage.Settings {
	return storage.Settings{}
}

func (b *bench) Pinged(_ context.Context, r *storage.Record) []match.UserID {
	return []match.UserID{r.Match.Seats[0].User, r.Match.Seats[1].User}
}

func (b *bench) Reach(_ context.Context, r *storage.Record) ([]match.UserID, error) {
	return r.Unaware(), nil
}

func (b *bench) Shown(_ context.Context, _ storage.Record, by storage.Screen) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = append(b.shown, by)
	b.game.Screen = by
}

func (b *bench) Refused(_ context.Context, r storage.Record, again time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.game.Screen.Refused++
	b.game.Screen.Again = again
}

// called records a call and returns how it fails.
func (b *bench) called(name, what string, m view.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.Text != "" && m.Picture == nil {
		what += " in text"
	}
	b.calls = append(b.calls, strings.TrimSpace(name+" "+what))
	if list := b.refuse[name]; len(list) > 0 {
		b.refuse[name] = list[1:]
		return list[0]
	}
	return nil
}

func (b *bench) Post(_ context.Context, _ string, m view.Message, _ []byte, nonce string) (string, error) {
	b.mu.Lock()
	b.nonces = append(b.nonces, nonce)
	b.mu.Unlock()
	return "new", b.called("post", "", m)
}

func (b *bench) Edit(ctx context.Context, _, message string, m view.Message, _ []byte) error {
	b.mu.Lock()
	hangs := b.hang["edit"]
	b.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return discord.ErrUnavailable
	}
	return b.called("edit", message, m)
}

func (b *bench) EditOriginal(_ context.Context, req discord.Request, m view.Message, _ []byte) (string, error) {
	return "", b.called("answer", req.ID, m)
}

func (b *bench) EditOriginalText(_ context.Context, req discord.Request, _ view.Message) error {
	return b.called("answer strip", req.ID, view.Message{})
}

func (b *bench) Moved(_ context.Context, r *storage.Record, to storage.Place) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.game.Place.Channel, b.game.Place.Thread, b.game.Place.Parent = to.Channel, to.Thread, to.Parent
	r.Place = b.game.Place
	return nil
}

func (b *bench) Idle(context.Context, string) (bool, error) { return true, nil }

func (b *bench) StartThreadFrom(_ context.Context, _, message, _ string) (string, error) {
	return message, b.called("thread", message, view.Message{})
}

func (b *bench) ReopenThread(_ context.Context, thread string) error {
	return b.called("reopen", thread, view.Message{})
}

func (b *bench) ArchiveThread(_ context.Context, thread string) error {
	return b.called("archive", thread, view.Message{})
}

func (b *bench) EditText(_ context.Context, _, message string, _ view.Message) error {
	return b.called("strip", message, view.Message{})
}

// settled runs the keeper until it has nothing left to do. The test must be in a
// bubble.
func (b *bench) settled(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = b.Run(ctx, b)
	}()
	synctest.Wait()
	cancel()
	<-done
}

func TestAGameThatCannotBeDrawnDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		other := b.game
		other.Match.ID, other.Screen.Message = "10", "6"
		b.others = map[match.ID]storage.Record{"10": other}
		bad := true
		b.opt.Draw = func(context.Context, view.Message) ([]byte, error) {
			if bad {
				bad = false
				panic("a bug in the pictures")
			}
			return nil, nil
		}
		b.Refresh("9")
		b.settled(t)
		b.Refresh("10")
		b.settled(t)
		if !slices.Contains(b.calls, "edit 6") || b.Waiting() > 0 {
			t.Errorf("calls %q, %d wait", b.calls, b.Waiting())
		}
		if unlock := b.tryLock("9"); unlock == nil {
			t.Error("the game is still held")
		}
	})
}

func TestRefresh(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*bench)
		calls  []string
		shown  string // the message that shows the newest version afterwards, "" for none
	}{
		{"edits the message", func(*bench) {}, []string{"edit 5"}, "5"},
		{"uses the token of the answer that the message is, while it lives", func(b *bench) {
			b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
		}, []string{"answer i"}, "5"},
		{"does not use a token that has expired", func(b *bench) {
			b.Remember("5", discord.Request{ID: "i", Created: time.Now().Add(-tokenLife)})
		}, []string{"edit 5"}, "5"},
		{"falls back to the channel's route when the token does not work", func(b *bench) {
			b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
			b.refuse["answer"] = []error{discord.ErrTokenExpired}
		}, []string{"answer i", "edit 5"}, "5"},
		{"posts a new message in place of one that takes no more edits", func(b *bench) {
			b.refuse["edit"] = []error{discord.ErrTooManyEdits}
		}, []string{"edit 5", "post"}, "new"},
		{"posts a new message in place of one that is gone", func(b *bench) {
			b.refuse["edit"] = []error{discord.ErrMessageGone}
		}, []string{"edit 5", "post"}, "new"},
		{"posts the first message", func(b *bench) { b.game.Screen = storage.Screen{} }, []string{"post"}, "new"},
		{"shows text where pictures are forbidden", func(b *bench) {
			b.refuse["edit"] = []error{discord.ErrForbidden}
		}, []string{"edit 5", "edit 5 in text"}, "5"},
		{"edits by the channel's route when the token's hangs", func(b *bench) {
			b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
			b.refuse["answer"] = []error{discord.ErrUnavailable}
		}, []string{"answer i", "edit 5"}, "5"},
		{"leaves the game for the next sweep when Discord fails", func(b *bench) {
			b.refuse["edit"] = []error{discord.ErrUnavailable}
		}, []string{"edit 5"}, ""},
		{"does nothing when the message is up to date", func(b *bench) { b.game.Screen.Version = 7 }, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				c.before(b)
				b.Refresh("9")
				b.Refresh("9") // several changes make one refresh
				b.settled(t)
				if !slices.Equal(b.calls, c.calls) {
					t.Errorf("calls %q, want %q", b.calls, c.calls)
				}
				switch {
				case c.shown == "" && len(b.shown) > 0:
					t.Errorf("recorded as shown: %+v", b.shown)
				case c.shown != "" && (len(b.shown) != 1 || b.shown[0].Message != c.shown || b.shown[0].Version != 7):
					t.Errorf("recorded as shown: %+v, want message %s", b.shown, c.shown)
				}
			})
		})
	}
}

func TestARefreshComesAfterTheAnswerThatHoldsTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		release := b.Lock(t.Context(), "9")
		b.Refresh("9")
		b.settled(t)
		if len(b.calls) > 0 {
			t.Fatalf("refreshed while held: %q", b.calls)
		}
		release()
		b.settled(t)
		if !slices.Equal(b.calls, []string{"edit 5"}) {
			t.Errorf("calls %q", b.calls)
		}
	})
}

func TestLock(t *testing.T) {
	t.Run("gives up when its time is over, and leaves nothing behind", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			release := b.Lock(t.Context(), "9")
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if b.Lock(ctx, "9") != nil {
				t.Error("two hold it")
			}
			release()
			if len(b.locks) != 0 {
				t.Errorf("%d locks are left", len(b.locks))
			}
		})
	})
}

// What is not shown is not recorded as shown, and a refusal need not be for ever.
func TestWhatDiscordRefusesIsTriedAgainAfterGrowingPauses(t *testing.T) {
	for _, refusal := range []error{
		discord.ErrForbidden, discord.ErrChannelGone, discord.ErrLocked, discord.ErrRejected, discord.ErrDMClosed,
	} {
		t.Run(refusal.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				last := time.Duration(0)
				for n := range 20 {
					b.refuse["edit"] = []error{refusal, refusal} // the second is in text
					b.Refresh("9")
					b.settled(t)
					wait := time.Until(b.game.Screen.Again)
					if len(b.shown) > 0 || b.game.Screen.Version != 6 || b.game.Screen.Refused != n+1 {
						t.Fatalf("recorded after %d refusals: %+v", n+1, b.game.Screen)
					}
					if wait < firstPause || wait < last/2 || n == 19 && wait < maxPause || wait > maxPause*6/5 {
						t.Errorf("the pause after %d refusals is %v, after %v", n+1, wait, last)
					}
					last = wait
				}
				clear(b.refuse)
				b.Refresh("9") // somebody has used the bot there
				b.settled(t)
				if s := b.game.Screen; s.Version != 7 || s.Refused != 0 || !s.Again.IsZero() {
					t.Errorf("recorded after the channel has opened: %+v", s)
				}
			})
		})
	}
}

func TestAnArchivedThreadIsOpenedAndTheBoardEditedThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.refuse["edit"] = []error{discord.ErrArchived}
		b.Refresh("9")
		b.settled(t)
		if !slices.Equal(b.calls, []string{"edit 5", "reopen 8", "edit 5"}) || b.game.Screen.Refused != 0 || b.game.Screen.Version != 7 {
			t.Errorf("calls %q, recorded %+v", b.calls, b.game.Screen)
		}
	})
}

func TestALockedAndArchivedThreadIsNotTriedAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.refuse["edit"] = []error{discord.ErrArchived}
		b.refuse["reopen"] = []error{discord.ErrForbidden}
		b.Refresh("9")
		b.settled(t)
		if !slices.Equal(b.calls, []string{"edit 5", "reopen 8"}) || b.game.Screen.Refused != 1 || b.game.Screen.Message != "5" {
			t.Errorf("calls %q, recorded %+v", b.calls, b.game.Screen)
		}
	})
}

func TestAScreenThatALateCallMayChangeIsWrittenOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.game.Screen.Version = 7
		b.Unclear("9")
		if until := b.UnclearUntil("9"); until != time.Now().Add(settle) {
			t.Errorf("unclear until %v", until)
		}
		b.Refresh("9")
		b.settled(t)
		if len(b.calls) > 0 {
			t.Errorf("written at once: %q", b.calls)
		}
		time.Sleep(settle / 2)
		b.Unclear("9") // another call counts from its own end
		time.Sleep(settle - time.Nanosecond)
		b.settled(t)
		if len(b.calls) > 0 {
			t.Errorf("written before that is over: %q", b.calls)
		}
		time.Sleep(time.Nanosecond)
		b.settled(t)
		if !slices.Equal(b.calls, []string{"edit 5"}) || len(b.unclear) > 0 {
			t.Errorf("calls %q; %d are remembered", b.calls, len(b.unclear))
		}
	})
}

func TestAScreenThatAnEarlierRunLeftUnclearIsWrittenOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.game.Screen.Version, b.game.Screen.Again = 7, time.Now()
		b.Refresh("9")
		b.settled(t)
		if !slices.Equal(b.calls, []string{"edit 5"}) || !b.game.Screen.Again.IsZero() {
			t.Errorf("calls %q, recorded %+v", b.calls, b.game.Screen)
		}
	})
}

func TestAMessageWhosePostingIsUnknownIsNotPostedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.game.Screen = storage.Screen{}
		b.refuse["post"] = []error{discord.ErrUnavailable}
		b.Refresh("9")
		b.settled(t)
		b.game.Match.Version = 8
		b.Refresh("9")
		b.settled(t)
		// The first message may be there, and would show less.
		if !slices.Equal(b.nonces, []string{"9.7", "9.7"}) || !slices.Equal(b.calls, []string{"post", "post", "edit new"}) {
			t.Errorf("nonces %q, calls %q", b.nonces, b.calls)
		}
	})
}

// A route or a channel that hangs must not hold up what goes another way.
func TestScreensThatHangHoldUpNoOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.hang = map[string]bool{"edit": true}
		b.others = map[match.ID]storage.Record{}
		for i := range 500 {
			r := b.game
			r.Match.ID = match.ID("stuck" + strconv.Itoa(i))
			r.Place.Channel = strconv.Itoa(100 + i/5)
			r.Screen = storage.Screen{Channel: r.Place.Channel, Message: "m" + strconv.Itoa(i), Version: 6}
			b.others[r.Match.ID] = r
			b.Refresh(r.Match.ID)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { _ = b.Run(ctx, b) })
		synctest.Wait()
		begun := time.Now()
		b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
		b.Refresh("9")
		synctest.Wait()
		b.mu.Lock()
		if !slices.Contains(b.calls, "answer i") || time.Since(begun) > 0 {
			t.Errorf("after %v: calls %q", time.Since(begun), b.calls)
		}
		b.hang = nil
		b.mu.Unlock()
		time.Sleep(2 * time.Minute)
		b.mu.Lock()
		if n := len(b.calls); n < 501 {
			t.Errorf("%d of 501 are shown afterwards", n)
		}
		b.mu.Unlock()
		cancel()
		done.Wait()
	})
}

func TestAMessageThatShowsTheGameAgainKeepsItsButtons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Retire("9", "en", storage.Screen{Channel: "8", Message: "5"})
		b.settled(t)
		if len(b.calls) > 0 {
			t.Errorf("calls %q", b.calls)
		}
	})
}

func TestRetire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.Retire("9", "en", storage.Screen{}) // a game that was never shown
		b.Retire("9", "en", storage.Screen{Channel: "8", Message: "4"})
		b.refuse["strip"] = []error{errors.New("gone")} // a courtesy: not tried again
		b.settled(t)
		if !slices.Equal(b.calls, []string{"strip 4"}) {
			t.Errorf("calls %q", b.calls)
		}
	})
}

func TestPostAgain(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := match.Match{Seats: [2]match.Seat{{User: "1"}, {User: "2"}}}
	for _, c := range []struct {
		name   string
		actor  match.UserID
		silent time.Duration // of Ben, whom the message is for
		age    time.Duration // of the message
		want   bool
	}{
		{"not while the person to act is there", "1", match.Away, oldMessage, false},
		{"when the person to act has been silent", "1", match.Away + time.Second, 0, true},
		{"not for the person who has just acted", "2", time.Hour, 0, false},
		{"when Discord limits edits of the message", "1", 0, oldMessage + time.Second, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m.Seen[engine.Black] = now.Add(-c.silent)
			if got := PostAgain(&m, c.actor, []match.UserID{"2"}, now.Add(-c.age), now); got != c.want {
				t.Errorf("%t", got)
			}
		})
	}
}

func TestRedraw(t *testing.T) {
	upToDate := func(t *testing.T) *bench {
		b := newBench(t)
		b.game.Screen.Version = b.game.Match.Version
		return b
	}
	for _, c := range []struct {
		name   string
		refuse error
		want   []string
	}{
		{"a board that is up to date is edited once", nil, []string{"edit 5"}},
		{"one that cannot be edited is not posted again", discord.ErrTooManyEdits, []string{"edit 5"}},
		{"one that is gone is not posted again", discord.ErrMessageGone, []string{"edit 5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := upToDate(t)
				if c.refuse != nil {
					b.refuse["edit"] = []error{c.refuse}
				}
				for range 200 {
					b.Redraw("9")
				}
				b.settled(t)
				b.Refresh("9")
				b.settled(t)
				if !slices.Equal(b.calls, c.want) || len(b.shown) > 0 {
					t.Errorf("calls %q, recorded %v", b.calls, b.shown)
				}
			})
		})
	}
}
