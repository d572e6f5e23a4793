package play

import (
	"strconv"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// gameIn begins a game of Ann's against the machine in a channel.
func (b *bench) gameIn(channel string, id match.ID) storage.Record {
	b.t.Helper()
	who := asks(ann, id)
	who.ID = match.UserID("player of " + id)
	who.Place.Channel = channel
	r, err := b.Play(b.t.Context(), who, intent.Play{Level: 1, Side: intent.White})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestThousandsOfDeadChannelsKeepNobodyWaiting(t *testing.T) {
	b := newBench(t)
	r := b.gameIn("dead", "d")
	b.Refused(t.Context(), r, b.now.Add(time.Hour))
	for i := range 3 * sweepLimit {
		r.Match.ID, r.Place.Channel = match.ID("d"+strconv.Itoa(i)), "dead "+strconv.Itoa(i)
		if err := b.store.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		b.Refused(t.Context(), r, b.now.Add(time.Hour))
	}
	b.now = b.now.Add(time.Minute)
	b.gameIn("alive", "a")
	s := b.restarted()
	s.catchUp(t.Context())
	if len(b.refreshed) != 1 || b.refreshed[0] != "a" {
		t.Errorf("%d screens are refreshed", len(b.refreshed))
	}
	b.now = b.now.Add(time.Hour)
	b.refreshed = nil
	s.catchUp(t.Context())
	if len(b.refreshed) != sweepLimit {
		t.Errorf("%d screens are refreshed after the pause", len(b.refreshed))
	}
}

func TestASignOfLifeMakesTheChannelsGamesBeTriedAgain(t *testing.T) {
	b := newBench(t)
	for _, channel := range []string{"8", "9"} {
		for i := range 2 {
			r := b.gameIn(channel, match.ID(channel+strconv.Itoa(i)))
			b.Refused(t.Context(), r, b.now.Add(time.Hour))
		}
	}
	s := b.restarted()
	s.catchUp(t.Context()) // learns what waits
	for _, service := range []*Service{b.Service, s} {
		b.refreshed = nil
		for range 200 {
			service.Alive("8")
		}
		if len(b.refreshed) != 2 {
			t.Errorf("200 signs of life at once: %q", b.refreshed)
		}
		service.Alive("another")
	}
	r, err := b.Load(t.Context(), "80")
	if err != nil {
		t.Fatal(err)
	}
	s.Shown(t.Context(), r, storage.Screen{Channel: "8", Message: "m", Version: r.Match.Version})
	b.now = b.now.Add(2 * lifeEvery)
	b.refreshed = nil
	s.Alive("8")
	if len(b.refreshed) != 1 || b.refreshed[0] != "81" {
		t.Errorf("after one is shown: %q", b.refreshed)
	}
}

// A reminder that Discord refuses waits for its time, also after the end of the game.
func TestAReminderThatDiscordRefusesIsNotTriedAtEachSweep(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.duel("1")
	b.resign(ann, "1")
	r, err := b.store.Load(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	quiet, again := b.now, b.now.Add(time.Hour)
	if err := b.store.Shown(t.Context(), "1", storage.Screen{Channel: r.Place.Channel, Message: "m", Version: r.Match.Version, Quiet: quiet, Refused: 2, Again: again}); err != nil {
		t.Fatal(err)
	}
	b.refreshed = nil
	for at, want := range map[time.Time]int{quiet.Add(match.Away + time.Second): 0, again.Add(-time.Second): 0, again.Add(time.Second): 1} {
		b.now, b.refreshed = at, nil
		b.remind(t.Context())
		if len(b.refreshed) != want {
			t.Errorf("%v after the edit: tried %d times", at.Sub(quiet), len(b.refreshed))
		}
	}
}

func TestWhatIsNotCertainIsNotRecordedAsCertain(t *testing.T) {
	b := newBench(t)
	r := b.gameIn("8", "1")
	b.unclear = b.now.Add(10 * time.Second)
	b.Shown(t.Context(), r, storage.Screen{Channel: "8", Message: "m", Version: 1})
	r, err := b.Load(t.Context(), "1")
	if err != nil || !r.Screen.Again.Equal(b.unclear) {
		t.Fatalf("%+v, %v", r.Screen, err)
	}
	b.now, b.unclear = b.unclear, time.Time{}
	b.restarted().catchUp(t.Context())
	if len(b.refreshed) != 1 {
		t.Errorf("another run refreshes %q", b.refreshed)
	}
	b.Shown(t.Context(), r, storage.Screen{Channel: "8", Message: "m", Version: 1})
	if r, err = b.Load(t.Context(), "1"); err != nil || !r.Screen.Again.IsZero() {
		t.Errorf("%+v, %v", r.Screen, err)
	}
}

func TestAMessageOfAGameThatWasDeletedMeanwhileIsRetired(t *testing.T) {
	b := newBench(t)
	r, err := b.Play(t.Context(), asks(ann, "1"), intent.Play{Level: 1, Side: intent.White})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.Delete(t.Context(), r.Match.ID, r.Match.Version); err != nil {
		t.Fatal(err)
	}
	by := storage.Screen{Channel: room.Channel, Message: "m", Version: r.Match.Version}
	b.Shown(t.Context(), r, by) // it was on its way
	if len(b.retired) != 1 || b.retired[0].Message != "m" {
		t.Errorf("%+v are retired: the board looks alive", b.retired)
	}
}
