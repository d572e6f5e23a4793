package bot_test

import (
	"errors"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
)

func TestChallenge(t *testing.T) {
	t.Parallel()
	t.Run("only the challenged person can answer, only the challenger can withdraw", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.says(w.click(w.ann, asked, "Accept"), "Only Ben can answer")
		w.says(w.click(w.ann, asked, "Decline"), "Only Ben can answer")
		w.private(w.ben, w.click(w.ben, asked, "Withdraw")) // he is refused
		m := w.click(w.ann, asked, "Withdraw")
		w.says(m, "withdrew the challenge")
		if len(labels(m)) != 0 {
			t.Errorf("there are still buttons: %v", labels(m))
		}
	})
	t.Run("a declined challenge loses its buttons", func(t *testing.T) {
		w := newWorld(t)
		m := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben"), "Decline")
		w.says(m, "Ben declined")
		if len(labels(m)) != 0 {
			t.Errorf("there are still buttons: %v", labels(m))
		}
	})
	t.Run("a challenge expires", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.clock.Advance(play.ChallengeTime + time.Minute)
		w.private(w.ben, w.click(w.ben, asked, "Accept")) // too late
		w.stop()
		w.start() // the bot looks for expired challenges when it starts
		w.until(w.ann, asked, "in time")
	})
	t.Run("you cannot challenge yourself or another bot; this bot says how to play it", func(t *testing.T) {
		w := newWorld(t)
		robot := w.join(discordsim.User{Name: "robo", DisplayName: "Robo", Bot: true}).ID()
		for user, text := range map[string]string{
			w.ann.ID(): "cannot challenge yourself", robot: "Other bots do not play", w.sim.BotID(): "With pleasure",
		} {
			m := w.typed(w.ann, "/lasca challenge user:<@"+user+">")
			w.private(w.ann, m)
			w.says(m, text)
		}
	})
	t.Run("the context menu of a person challenges too", func(t *testing.T) {
		w := newWorld(t)
		reply, err := w.ann.UserCommand(w.ctx, w.channel, "Challenge to Lasca", w.ben.ID())
		if err != nil {
			t.Fatal(err)
		}
		w.says(w.message(w.ann, reply), "challenges you")
	})
	t.Run("the same challenge again leads to the first, and the challenged person plays on", func(t *testing.T) {
		w := newWorld(t)
		var last discordsim.Message
		for range 8 {
			last = w.typed(w.ann, "/lasca challenge user:@Ben")
		}
		w.private(w.ann, last)
		w.says(last, "there already")
		w.only(w.ben)
		w.picture(w.typed(w.ben, "/lasca play level:1 colour:white"))
	})
	t.Run("a challenge without an opponent does not become a game against the machine", func(t *testing.T) {
		w := newWorld(t)
		for _, line := range []string{"/lasca challenge", "/lasca challenge user:nobody", "/lasca challenge colour:white"} {
			if _, err := w.ann.Type(w.ctx, w.channel, line); !errors.Is(err, discordsim.ErrOption) {
				t.Errorf("%s: %v, want ErrOption", line, err)
			}
		}
		if list, _ := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10); len(list) != 0 {
			t.Errorf("%d games", len(list))
		}
	})
	t.Run("nobody else can answer or withdraw it", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
		before := w.only(w.ann)
		for _, label := range []string{"Accept", "Decline", "Withdraw"} {
			m := w.click(cleo, asked, label)
			w.private(cleo, m)
			w.says(m, "between Ann and Ben")
		}
		w.unchanged(w.ann, before)
		w.says(w.click(w.ben, asked, "Accept"), "move 1")
	})
}

func TestAChallengeIsMadeWhereTheOtherCanReadIt(t *testing.T) {
	w := newWorld(t)
	m := w.typedDM(w.ann, "/lasca challenge user:"+w.ben.ID())
	w.says(m, "Challenge people in a channel")
	if list := w.games(w.ben); len(list) != 0 {
		t.Errorf("%d games were made", len(list))
	}
}
