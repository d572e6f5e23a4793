package screen

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/storage"
)

func TestWhereTheBotIsNotATokenIsTheOnlyWay(t *testing.T) {
	for _, c := range []struct {
		name   string
		token  bool
		refuse map[string][]error
		want   []string
	}{
		{"it is used while it lives", true, nil, []string{"answer i"}},
		{"without one nothing is done", false, nil, nil},
		{"one that has expired early is given up", true, map[string][]error{"answer": {discord.ErrTokenExpired}}, []string{"answer i"}},
		{"a message that is gone is not posted anew", true, map[string][]error{"answer": {discord.ErrMessageGone}}, []string{"answer i"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.game.Place = storage.Place{Outside: storage.OutsideDM, Channel: "8"}
				for name, list := range c.refuse {
					b.refuse[name] = list
				}
				if c.token {
					b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
				}
				b.Refresh("9")
				b.settled(t)
				time.Sleep(time.Hour)
				b.Refresh("9")
				b.settled(t)
				if !slices.Equal(b.calls, c.want) || b.game.Screen.Refused > 0 || (len(b.shown) > 0) != (c.token && c.refuse == nil) {
					t.Errorf("calls %q, recorded %+v", b.calls, b.game.Screen)
				}
			})
		})
	}
	t.Run("a reminder is dropped", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.game.Place = storage.Place{Outside: storage.OutsideDM, Channel: "8"}
			b.game.Screen.Version, b.game.Screen.Quiet = 7, time.Now()
			b.opt.Refreshed = func(err error) {
				if err != nil {
					t.Error(err)
				}
			}
			b.Remember("5", discord.Request{ID: "i", Created: time.Now()})
			time.Sleep(10 * time.Minute)
			b.Refresh("9")
			b.settled(t)
			if len(b.calls) > 0 {
				t.Errorf("calls %q", b.calls)
			}
		})
	})
	t.Run("an old message says where the game goes on while its token lives", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.game.Place = storage.Place{Outside: "7", Channel: "8"}
			b.Remember("4", discord.Request{ID: "i", Created: time.Now()})
			b.Retire("9", "en", storage.Screen{Channel: "8", Message: "4"})
			b.Retire("9", "en", storage.Screen{Channel: "8", Message: "3"})
			b.settled(t)
			if !slices.Equal(b.calls, []string{"answer strip i"}) {
				t.Errorf("calls %q", b.calls)
			}
		})
	})
}
