package discordsim_test

import (
	"errors"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

const openDMRoute = "POST /users/@me/channels"

// openDM asks for the channel of the direct messages with somebody.
func (w *world) openDM(user string) string {
	w.t.Helper()
	status, out := w.rest("POST", "/users/@me/channels", obj{"recipient_id": user})
	if status != 200 || out["type"] != 1.0 {
		w.t.Fatalf("%d %v", status, out)
	}
	return out["id"].(string)
}

func TestTheBotOpensDirectMessages(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	dm := w.openDM(w.ann)
	if again := w.openDM(w.ann); again != dm || w.sim.As(w.ann).OpenDM() != dm {
		t.Errorf("asked again: %s, want %s", again, dm)
	}
	w.send(dm, obj{"content": "your turn"})
	if got := len(w.sim.Messages(w.ann, dm)); got != 1 || len(w.sim.Messages(w.ben, dm)) != 0 {
		t.Errorf("Ann sees %d messages", got)
	}
	w.held(t, openDMRoute)
	w.refused("POST", "/users/@me/channels", obj{"recipient_id": "42"}, 400, 50033)
	w.clean()
	w.refused("POST", "/users/@me/channels", obj{"recipient_id": w.sim.BotID()}, 400, 50007)
	w.violated("50007")
	w.refused("POST", "/users/@me/channels", obj{"recipient_id": "ann"}, 400, 50035)
	w.violated("not snowflake")
	w.refused("POST", "/users/@me/channels", obj{}, 400, 50035)
	w.violated("recipient_id: This field is required")
}

func TestClosedDirectMessagesShowWhenOneIsSent(t *testing.T) {
	message := obj{"content": "x", "allowed_mentions": quiet}
	for name, c := range map[string]struct {
		set  func(w *world, on bool)
		code int
	}{
		"closed":  {func(w *world, on bool) { w.sim.As(w.ann).CloseDMs(on) }, 50007},
		"blocked": {func(w *world, on bool) { w.sim.As(w.ann).BlockBot(on) }, 50007},
		"in no guild together": {func(w *world, on bool) {
			if on {
				w.sim.Leave(w.guild, w.ann)
			} else {
				w.sim.SetInstalled(w.ann, true)
			}
		}, 50278},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			c.set(w, true)
			dm := w.openDM(w.ann)
			w.refused("POST", "/channels/"+dm+"/messages", message, 403, c.code)
			w.send(w.openDM(w.ben), obj{"content": "x"}) // others are not meant
			c.set(w, false)
			w.send(dm, obj{"content": "x"})
			w.clean()
		})
	}
}

func TestAnswersReachAPersonWhoseDirectMessagesAreClosed(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "here", "allowed_mentions": quiet}) })
	ann, level := w.sim.As(w.ann), map[string]any{"level": 2}
	dm := ann.OpenDM()
	ann.CloseDMs(true)
	if _, err := ann.Slash(w.ctx, dm, "lasca play", level); err != nil {
		t.Errorf("a command in closed direct messages: %v", err)
	}
	if _, err := ann.Say(w.ctx, dm, "hello"); err != nil {
		t.Errorf("writing to the bot: %v", err)
	}
	// Who has blocked the bot has no line to write in, there.
	ann.BlockBot(true)
	if _, err := ann.Slash(w.ctx, dm, "lasca play", level); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("a command to a blocked bot: %v", err)
	}
	if _, err := ann.Say(w.ctx, dm, "hello"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("writing to a blocked bot: %v", err)
	}
	if _, err := ann.Slash(w.ctx, w.general, "lasca play", level); err != nil {
		t.Errorf("a command elsewhere: %v", err)
	}
	w.clean()
}
