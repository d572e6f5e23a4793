package screen

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

func (b *bench) Board(context.Context, string, match.ID, uint64) (string, uint64, error) {
	if err := b.called("look", "", view.Message{}); err != nil {
		return "", 0, err
	}
	return b.board, b.shows, nil
}

// A message that an earlier run has left without recording it shows the game again,
// rather than a second one; Discord is asked once, and only about games of that time.
func TestAMessageOfAnEarlierRunIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		recent  bool   // the game has changed in this run
		none    bool   // no message is recorded
		board   string // what is there
		shows   uint64 // the version that it shows
		refuse  []error
		want    []string
		message string
	}{
		{name: "in place of the recorded one", board: "6", want: []string{"look", "edit 6"}, message: "6"},
		{name: "where none is recorded", none: true, board: "6", want: []string{"look", "edit 6"}, message: "6"},
		{name: "it shows more than is stored", board: "6", shows: 12, want: []string{"look", "edit 6"}, message: "6"},
		{name: "there is none", want: []string{"look", "edit 5"}, message: "5"},
		{name: "there is none at all", none: true, want: []string{"look", "post"}, message: "new"},
		{name: "the bot may not read", none: true, refuse: []error{discord.ErrForbidden}, want: []string{"look", "post"}, message: "new"},
		{name: "Discord is silent at first", none: true, board: "6", refuse: []error{discord.ErrUnavailable}, want: []string{"look", "look", "edit 6"}, message: "6"},
		{name: "the game is of this run", recent: true, board: "6", want: []string{"edit 5"}, message: "5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.board, b.shows, b.refuse["look"] = c.board, c.shows, c.refuse
				if c.none {
					b.game.Screen.Message = ""
				}
				if !c.recent {
					time.Sleep(time.Second)
				}
				want := uint64(7)
				if c.shows > want {
					want = c.shows + match.VersionJump
				}
				for range 3 {
					b.Refresh("9")
					b.settled(t)
					time.Sleep(time.Minute)
				}
				if !slices.Equal(b.calls, c.want) || b.game.Screen.Message != c.message || b.game.Screen.Version != want {
					t.Errorf("calls %q, recorded %+v", b.calls, b.game.Screen)
				}
				b.game.Match.Version++
				b.Refresh("9")
				b.settled(t)
				if n := len(b.calls) - len(c.want); n != 1 || b.calls[len(b.calls)-1] == "look" {
					t.Errorf("later: %q", b.calls)
				}
			})
		})
	}
}
