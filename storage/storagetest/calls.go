package storagetest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func settings(t *testing.T, s storage.Store) {
	is := func(key string, want storage.Settings) {
		t.Helper()
		if got, err := s.Settings(t.Context(), key); err != nil || !got.Equal(want) {
			t.Errorf("%q: %+v, %v, want %+v", key, got, err, want)
		}
	}
	dark := storage.Settings{Theme: "dark", Text: true}
	is("u1", storage.Settings{})
	must(t, s.SaveSettings(t.Context(), "u1", dark))
	must(t, s.SaveSettings(t.Context(), "u11", storage.Settings{Text: true}))
	is("u1", dark)
	is("u11", storage.Settings{Text: true})
	is("u", storage.Settings{})
	must(t, s.SaveSettings(t.Context(), "u1", storage.Settings{Theme: "light"}))
	is("u1", storage.Settings{Theme: "light"})
	must(t, s.SaveSettings(t.Context(), "u1", storage.Settings{}))
	must(t, s.SaveSettings(t.Context(), "u1", storage.Settings{}))
	is("u1", storage.Settings{})
	is("", storage.Settings{})
	all := storage.Settings{
		Theme: "a", Text: true, Buttons: storage.Moves, Language: "de", Channels: []string{"1", "2"}, Threads: true,
		Mention: storage.MentionDM, Days: match.NoLimit, Rated: true, Confirm: "b", Notices: "c", NoChallenges: true,
		Vacations: []storage.Span{{From: Epoch, To: Epoch.Add(time.Hour)}},
	}
	must(t, s.SaveSettings(t.Context(), "all", all))
	is("all", all)
	all.Channels[0], all.Vacations[0].From = "x", time.Time{} // what was given
	got, err := s.Settings(t.Context(), "all")
	must(t, err)
	got.Channels[1], got.Vacations[0].To = "x", time.Time{} // what was returned
	all.Channels[0], all.Vacations[0].From = "1", Epoch
	is("all", all)
	must(t, s.SaveSettings(t.Context(), "all", storage.Settings{Channels: []string{}, Vacations: []storage.Span{}}))
	keys, err := s.SettingsKeys(t.Context(), "all")
	isList(t, "keys", keys, err)
	for _, bad := range []storage.Settings{{Language: "\xff"}, {Channels: make([]string, storage.MaxChosen+1)}, {Vacations: make([]storage.Span, storage.MaxChosen+1)}, {Channels: []string{strings.Repeat("x", storage.MaxKey+1)}}} {
		if err := s.SaveSettings(t.Context(), "bad", bad); err == nil {
			t.Errorf("saved %+v", bad)
		}
	}
	for _, key := range []string{"", strings.Repeat("x", storage.MaxKey+1), "\xff"} {
		if err := s.SaveSettings(t.Context(), key, dark); err == nil {
			t.Errorf("saved under a key of %d bytes", len(key))
		}
	}
}

// calls returns a call of every method except Close, for a store that holds the
// challenge "m".
func calls(t testing.TB, ctx context.Context, s storage.Store) map[string]func() error {
	r := Challenge(t, "m", 0)
	next := Apply(t, r.Match, match.Accept{By: engine.Black})
	return map[string]func() error{
		"Create":        func() error { return s.Create(ctx, Challenge(t, "n", 0)) },
		"Load":          func() error { _, err := s.Load(ctx, "m"); return err },
		"Save":          func() error { return s.Save(ctx, next, 1) },
		"Shown":         func() error { return s.Shown(ctx, "m", storage.Screen{Version: 1}) },
		"SaveClock":     func() error { return s.SaveClock(ctx, "m", Epoch, storage.Clock{}) },
		"SaveLines":     func() error { return s.SaveLines(ctx, "m", 1, engine.White, nil) },
		"Move":          func() error { return s.Move(ctx, "m", r.Place, r.Place) },
		"Rate":          func() error { return s.Rate(ctx, "over", nil, nil) },
		"Rating":        func() error { _, err := s.Rating(ctx, "g", "ann"); return err },
		"Ranking":       func() error { _, _, err := s.Ranking(ctx, "g", 0, 1); return err },
		"Outcomes":      func() error { _, err := s.Outcomes(ctx, "ann", 1); return err },
		"ForgetScope":   func() error { return s.ForgetScope(ctx, "g") },
		"ForgetRatings": func() error { return s.ForgetRatings(ctx, "ann") },
		"ListDue":       func() error { _, err := s.ListDue(ctx, storage.DueScreen, farFuture, 1); return err },
		"ListByUser":    func() error { _, err := s.ListByUser(ctx, "ann", 1); return err },
		"ListByNobody":  func() error { _, err := s.ListByUser(ctx, "", 1); return err },
		"ListByChannel": func() error { _, err := s.ListByChannel(ctx, "c1", 0); return err },
		"ListOf":        func() error { _, err := s.ListOf(ctx, storage.Of{User: "ann"}, "", 1); return err },
		"ListOfNobody":  func() error { _, err := s.ListOf(ctx, storage.Of{}, "", 0); return err },
		"Guilds":        func() error { _, err := s.Guilds(ctx); return err },
		"Forget":        func() error { return s.Forget(ctx, "m", "ann") },
		"Rename":        func() error { return s.Rename(ctx, "m", "ann", "Anna") },
		"SettingsKeys":  func() error { _, err := s.SettingsKeys(ctx, "x"); return err },
		"Settings":      func() error { _, err := s.Settings(ctx, "u"); return err },
		"SaveSettings":  func() error { return s.SaveSettings(ctx, "u", storage.Settings{Theme: "x"}) },
		"Delete":        func() error { return s.Delete(ctx, "n", 99) },
		"State":         func() error { _, err := s.State(ctx, "n"); return err },
		"SaveState":     func() error { return s.SaveState(ctx, "n", []byte("x")) },
	}
}

func states(t *testing.T, s storage.Store) {
	is := func(key, want string) {
		t.Helper()
		if got, err := s.State(t.Context(), key); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v, want %q", key, got, err, want)
		}
	}
	is("a", "")
	given := []byte{0, 0xff, 'x'}
	must(t, s.SaveState(t.Context(), "a", given))
	must(t, s.SaveState(t.Context(), "ab", []byte("other")))
	given[0] = 'y'
	is("a", "\x00\xffx")
	got, _ := s.State(t.Context(), "a")
	got[0] = 'z'
	is("a", "\x00\xffx")
	must(t, s.SaveState(t.Context(), "a", nil))
	must(t, s.SaveState(t.Context(), "a", nil))
	is("a", "")
	is("ab", "other")
	is("", "")
	if err := s.SaveState(t.Context(), "", []byte("x")); err == nil {
		t.Error("saved under no key")
	}
	must(t, s.SaveState(t.Context(), "a", make([]byte, storage.MaxState)))
	if err := s.SaveState(t.Context(), "a", make([]byte, storage.MaxState+1)); err == nil {
		t.Error("saved more than MaxState")
	}
}

func endedContext(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls(t, ctx, s) {
		isErr(t, name, call(), context.Canceled)
	}
	same(t, s, r)
	_, err := s.Load(t.Context(), "n")
	isErr(t, "Load of what was not created", err, storage.ErrNotFound)
}

func closedStore(t *testing.T, s storage.Store) {
	create(t, s, Challenge(t, "m", 0))
	must(t, s.Close())
	for name, call := range calls(t, t.Context(), s) {
		isErr(t, name, call(), storage.ErrClosed)
	}
	isErr(t, "Close", s.Close(), storage.ErrClosed)
}

func closeWhileBusy(t *testing.T, s storage.Store) {
	create(t, s, Challenge(t, "m", 0))
	var all sync.WaitGroup
	begun := make(chan struct{}, 1000)
	for range 4 {
		all.Go(func() {
			for {
				for name, call := range calls(t, t.Context(), s) {
					switch err := call(); {
					case errors.Is(err, storage.ErrClosed):
						return
					case err != nil && !errors.Is(err, storage.ErrExists) && !errors.Is(err, storage.ErrConflict) && !errors.Is(err, storage.ErrNotFound):
						t.Errorf("%s: %v", name, err)
						return
					}
				}
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	<-begun
	must(t, s.Close())
	all.Wait()
}
