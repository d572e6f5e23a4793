package bot

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/render"
)

// emojiShelf is an application's emoji at Discord.
type emojiShelf struct {
	list    []discord.AppEmoji
	next    int
	fail    error // what the next upload fails with, once
	creates int
	before  func() // runs before the next upload, once
}

func (s *emojiShelf) Self(context.Context) (discord.Account, error) {
	return discord.Account{App: "900"}, nil
}

func (s *emojiShelf) AppEmoji(context.Context, string) ([]discord.AppEmoji, error) {
	return slices.Clone(s.list), nil
}

func (s *emojiShelf) CreateAppEmoji(_ context.Context, _, name string, png []byte) (discord.AppEmoji, error) {
	if f := s.before; f != nil {
		s.before = nil
		f()
	}
	s.creates++
	if err := s.fail; err != nil {
		s.fail = nil
		return discord.AppEmoji{}, err
	}
	if slices.ContainsFunc(s.list, func(e discord.AppEmoji) bool { return e.Name == name }) {
		return discord.AppEmoji{}, discord.ErrRejected
	}
	return s.add(name), nil
}

func (s *emojiShelf) DeleteAppEmoji(_ context.Context, _, id string) error {
	s.list = slices.DeleteFunc(s.list, func(e discord.AppEmoji) bool { return e.ID == id })
	return nil
}

func (s *emojiShelf) add(name string) discord.AppEmoji {
	s.next++
	e := discord.AppEmoji{ID: fmt.Sprint(1000 + s.next), Name: name}
	s.list = append(s.list, e)
	return e
}

func (s *emojiShelf) has(name string) bool {
	return slices.ContainsFunc(s.list, func(e discord.AppEmoji) bool { return e.Name == name })
}

func shelved(s *emojiShelf) (*emojis, *[]time.Duration) {
	var waits []time.Duration
	e := newEmojis(s, slog.New(slog.DiscardHandler))
	e.wait = func(_ context.Context, d time.Duration) bool { waits = append(waits, d); return true }
	return e, &waits
}

// old names an emoji of an earlier version.
func old(tile render.Tile) string {
	return strings.TrimSuffix(view.EmojiName(tile), render.TilesVersion) + "0000"
}

func TestEmojiAreUploadedOnceAndOldOnesRemoved(t *testing.T) {
	tiles := render.Tiles()
	s := &emojiShelf{}
	s.add(old(tiles[0]))
	s.add("mascot_0000")
	s.add("mascot")
	e, waits := shelved(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.list) != len(tiles)+2 || s.has(old(tiles[0])) || !s.has("mascot") || !s.has("mascot_0000") {
		t.Errorf("%d emoji", len(s.list))
	}
	for _, w := range *waits {
		if w < emojiEvery {
			t.Errorf("a call after only %v", w)
		}
	}
	again, _ := shelved(s)
	if err := again.run(t.Context()); err != nil || s.creates != len(tiles) {
		t.Errorf("%v, %d uploads", err, s.creates)
	}
}

func TestEmojiOfANewerVersionStay(t *testing.T) {
	s := &emojiShelf{}
	e, _ := shelved(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	newer := s.add(old(render.Tiles()[0]))
	again, _ := shelved(s)
	if err := again.run(t.Context()); err != nil || !s.has(newer.Name) {
		t.Errorf("%v; it was removed", err)
	}
}

func TestEmojiOfTwoProcessesAtOnce(t *testing.T) {
	s := &emojiShelf{}
	e, _ := shelved(s)
	s.before = func() { // the other one does everything meanwhile
		other, _ := shelved(s)
		if err := other.run(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := e.run(t.Context()); err != nil {
		t.Error(err)
	}
	if n := len(render.Tiles()); len(s.list) != n || s.creates != n+1 {
		t.Errorf("%d emoji after %d uploads", len(s.list), s.creates)
	}
}

func TestEmojiUploadsBackOff(t *testing.T) {
	s := &emojiShelf{fail: &discord.Error{RetryAfter: 20 * time.Minute}}
	e, waits := shelved(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(*waits, 20*time.Minute) || len(s.list) != len(render.Tiles()) {
		t.Errorf("%d emoji, waits %v", len(s.list), slices.Max(*waits))
	}
	refused := &emojiShelf{fail: discord.ErrForbidden}
	e, _ = shelved(refused)
	if err := e.run(t.Context()); err == nil || refused.creates != 1 {
		t.Errorf("%v after %d uploads", err, refused.creates)
	}
}
