package storagetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func listOf(t *testing.T, s storage.Store) {
	all := map[match.ID]storage.Record{}
	put := func(r storage.Record, guild string, commands ...match.Command) {
		r.Match, r.Place.Guild = Apply(t, r.Match, commands...), guild
		create(t, s, r)
		all[r.Match.ID] = r
	}
	listed := func(of storage.Of, after match.ID, limit int, want ...match.ID) {
		t.Helper()
		got, err := s.ListOf(t.Context(), of, after, limit)
		isList(t, "list", ids(got), err, want...)
		for _, r := range got {
			if d := cmp.Diff(all[r.Match.ID].Normal(), r); d != "" {
				t.Error(d)
			}
		}
	}
	listed(storage.Of{User: "ann"}, "", 10)
	put(Challenge(t, "open", 3), "g")
	put(Challenge(t, "over", 2), "g", match.Accept{By: engine.Black}, match.Resign{By: engine.White})
	put(AgainstMachine(t, "machine", 1, false), "")
	put(Challenge(t, "declined", 0), "gg", match.Decline{By: engine.Black})
	quoted := Challenge(t, "quoted", 0)
	quoted.Match.Seats[1] = match.Seat{User: "<b>\"ö\\", Name: `"user":"eve","guild":"h"`}
	put(quoted, `"<ü>`)

	listed(storage.Of{User: "ann"}, "", 10, "declined", "machine", "open", "over", "quoted")
	listed(storage.Of{User: "ann"}, "", 2, "declined", "machine")
	listed(storage.Of{User: "ann"}, "machine", 2, "open", "over")
	listed(storage.Of{User: "ann"}, "n", 1, "open") // after an ID that is not stored
	listed(storage.Of{User: "ann"}, "quoted", 2)
	listed(storage.Of{User: "ann"}, "", 0)
	listed(storage.Of{User: "ann"}, "", -1)
	listed(storage.Of{User: "bob"}, "", 10, "declined", "open", "over")
	listed(storage.Of{User: "<b>\"ö\\"}, "", 10, "quoted")
	listed(storage.Of{User: "an"}, "", 10)
	listed(storage.Of{User: "eve"}, "", 10)
	listed(storage.Of{Guild: "g"}, "", 10, "open", "over")
	listed(storage.Of{Guild: `"<ü>`}, "", 10, "quoted")
	listed(storage.Of{Guild: "h"}, "", 10)
	listed(storage.Of{User: "bob", Guild: "gg"}, "", 10, "declined", "open", "over") // the person counts
	listed(storage.Of{}, "", 10)

	got, err := s.Guilds(t.Context())
	isList(t, "servers", got, err, `"<ü>`, "g", "gg")
	for _, id := range []match.ID{"open", "over"} {
		must(t, s.Delete(t.Context(), id, all[id].Match.Version))
	}
	got, err = s.Guilds(t.Context())
	isList(t, "servers", got, err, `"<ü>`, "gg")
}

func listManyOf(t *testing.T, s storage.Store) {
	// More than a store may look at in one go, the wanted ones far apart.
	const games, apart = 2400, 700
	var all sync.WaitGroup
	var want []match.ID
	records := make([]storage.Record, games)
	for i := range records {
		records[i] = Challenge(t, match.ID(fmt.Sprintf("%04d", i)), 0)
		if i%apart == apart-1 {
			records[i].Match.Seats[0].User = "eve"
			want = append(want, records[i].Match.ID)
		}
	}
	for part := range slices.Chunk(records, 24) { // at a time, since each waits for the disk
		all.Go(func() {
			for _, r := range part {
				if err := s.Create(t.Context(), r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := s.ListOf(t.Context(), storage.Of{User: "eve"}, "", 10)
	isList(t, "list", ids(got), err, want...)
	if got, err := s.ListOf(t.Context(), storage.Of{User: "bob"}, "", games+1); len(got) != games || err != nil {
		t.Errorf("%d of %d, %v", len(got), games, err)
	}
}

func forget(t *testing.T, s storage.Store) {
	var isOver = []match.Command{match.Accept{By: engine.Black}, match.Resign{By: engine.White}}
	r := Challenge(t, "m", 0)
	r.Screen = storage.Screen{Channel: "c1", Message: "x", Version: 2}
	create(t, s, r, Challenge(t, "on", 1), AgainstMachine(t, "machine", 2, true))

	for _, id := range []match.ID{"m", "on", "machine"} {
		before := load(t, s, id)
		isErr(t, "Forget before the end", s.Forget(t.Context(), id, "ann"), storage.ErrConflict)
		same(t, s, before)
	}
	must(t, s.Rename(t.Context(), "m", "eve", "Eve")) // who has no seat
	same(t, s, load(t, s, "m"))
	renamed := load(t, s, "m")
	renamed.Match.Seats[0].Name = "Anna"
	must(t, s.Rename(t.Context(), "m", "ann", "Anna"))
	same(t, s, renamed)
	isErr(t, "Rename in no game", s.Rename(t.Context(), "n", "ann", "Anna"), storage.ErrNotFound)
	r.Match = change(t, s, "m", isOver...)
	must(t, s.Rename(t.Context(), "m", "ann", "Late")) // it is over
	same(t, s, r)
	change(t, s, "machine", match.Resign{By: engine.White})
	due := due(t, s, storage.DueRemoval)

	must(t, s.Forget(t.Context(), "m", "eve")) // who has no seat
	must(t, s.Forget(t.Context(), "m", ""))
	must(t, s.Forget(t.Context(), "m", storage.Deleted))
	same(t, s, r)
	must(t, s.Forget(t.Context(), "m", "ann"))
	want := r
	want.Match.Seats[0], want.Match.Seen[0] = match.Seat{User: storage.Deleted}, time.Time{}
	same(t, s, want)
	must(t, s.Forget(t.Context(), "m", "ann")) // again
	must(t, s.Rename(t.Context(), "m", "ann", "Back"))
	same(t, s, want)
	isErr(t, "Forget of the last one", s.Forget(t.Context(), "m", "bob"), storage.ErrConflict)
	must(t, s.Forget(t.Context(), "machine", "ann"))
	same(t, s, want)
	isErr(t, "Forget in no game", s.Forget(t.Context(), "n", "ann"), storage.ErrNotFound)

	got, err := s.ListOf(t.Context(), storage.Of{User: "ann"}, "", 10)
	isList(t, "what is left", ids(got), err, "on")
	got, err = s.ListByUser(t.Context(), storage.Deleted, 10)
	isList(t, "what the deleted play", ids(got), err)
	list, err := s.ListDue(t.Context(), storage.DueRemoval, farFuture, 10)
	isList(t, "removal", list, err, due...)
}

func settingsKeys(t *testing.T, s storage.Store) {
	is := func(prefix string, want ...string) {
		t.Helper()
		got, err := s.SettingsKeys(t.Context(), prefix)
		isList(t, "keys", got, err, want...)
	}
	is("")
	for _, key := range []string{"guild 2", "guild 10", "guild", "person 1", "guilda"} {
		must(t, s.SaveSettings(t.Context(), key, storage.Settings{Text: true}))
	}
	is("guild ", "guild 10", "guild 2")
	is("", "guild", "guild 10", "guild 2", "guilda", "person 1")
	is("q")
	must(t, s.SaveSettings(t.Context(), "guild 10", storage.Settings{}))
	is("guild ", "guild 2")
}
