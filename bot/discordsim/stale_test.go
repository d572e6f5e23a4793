package discordsim_test

import (
	"errors"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestStaleClicks(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	seen := ""
	w.bot(func(i obj) {
		seen = i["data"].(obj)["custom_id"].(string)
		w.callback(i, 6, nil)
	})
	id := w.send(w.general, obj{"content": "no buttons any more", "allowed_mentions": obj{"parse": []any{}}})
	ann := w.sim.As(w.ann)
	if _, err := ann.ClickStale(w.ctx, w.general, id, "gone"); err != nil || seen != "gone" {
		t.Errorf("a press on a button that has gone: %q, %v", seen, err)
	}
	w.sim.DeleteMessage(w.general, id)
	if _, err := ann.ClickStale(w.ctx, w.general, id, "gone"); !errors.Is(err, discordsim.ErrUnknownMessage) {
		t.Errorf("on a deleted message: %v", err)
	}
	w.sim.DeleteMessage(w.general, id)
	w.sim.DeleteMessage("0", id)
	w.clean()
}
