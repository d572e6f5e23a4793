package discordsim_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// posted makes a world with a message that has a row of buttons and a menu.
func posted(t *testing.T, o discordsim.Options) (*world, string) {
	w := newWorld(t, o)
	off := button("off", "Off")
	off["disabled"] = true
	id := w.send(w.general, obj{"content": "board", "components": []obj{
		{"type": 1, "components": []obj{button("go", "Go"), off, {"type": 2, "style": 2, "custom_id": "hint", "emoji": obj{"name": "💡"}}}},
		{"type": 1, "components": []obj{{"type": 3, "custom_id": "menu", "max_values": 2, "options": []obj{
			{"label": "A", "value": "a"}, {"label": "B", "value": "b"}, {"label": "C", "value": "c"}}}}},
	}})
	return w, id
}

func TestButtonsAndMenus(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	var last obj
	w.bot(func(i obj) { last = i; w.callback(i, 6, nil) })
	ann := w.sim.As(w.ann)
	r, err := ann.Click(w.ctx, w.general, id, "go")
	if err != nil || r.Kind != discordsim.ReplyDeferredUpdate || r.MessageID != id {
		t.Fatalf("Click: %+v, %v", r, err)
	}
	if last["data"].(obj)["custom_id"] != "go" || last["data"].(obj)["component_type"] != 2.0 || last["message"].(obj)["id"] != id {
		t.Errorf("interaction = %v", last)
	}
	if _, err := ann.ClickLabel(w.ctx, w.general, id, "💡"); err != nil || last["data"].(obj)["custom_id"] != "hint" {
		t.Errorf("by emoji: %v, %v", last["data"], err)
	}
	if _, err := ann.Select(w.ctx, w.general, id, "menu", "c", "a"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"c", "a"}, last["data"].(obj)["values"]); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	for name, c := range map[string]struct {
		do   func() (*discordsim.Reply, error)
		want error
	}{
		"absent":      {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "gone") }, discordsim.ErrNoComponent},
		"disabled":    {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "off") }, discordsim.ErrDisabled},
		"no message":  {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, "1", "go") }, discordsim.ErrUnknownMessage},
		"a menu":      {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "menu") }, discordsim.ErrNoComponent},
		"not offered": {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "z") }, discordsim.ErrBadSelection},
		"twice":       {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "a", "a") }, discordsim.ErrBadSelection},
		"none":        {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu") }, discordsim.ErrBadSelection},
		"too many":    {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "a", "b", "c") }, discordsim.ErrBadSelection},
	} {
		if _, err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	w.clean()
}

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

func TestModal(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	var last obj
	w.bot(func(i obj) {
		last = i
		if i["type"] == 3.0 {
			w.callback(i, 9, obj{"custom_id": "form", "title": "Move", "components": row(obj{"type": 4, "custom_id": "move", "label": "Move", "style": 1, "max_length": 5})})
			return
		}
		w.callback(i, 7, obj{"content": "moved", "components": []obj{}, "allowed_mentions": quiet})
	})
	ann := w.sim.As(w.ann)
	r, err := ann.Click(w.ctx, w.general, id, "go")
	if err != nil || r.Kind != discordsim.ReplyModal || r.Modal.Title != "Move" {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := ann.Submit(w.ctx, r.Modal, map[string]any{"move": "c3-d4-e5"}); !errors.Is(err, discordsim.ErrBadInput) {
		t.Errorf("too long: %v", err)
	}
	if _, err := ann.Submit(w.ctx, r.Modal, map[string]any{"other": "c3"}); !errors.Is(err, discordsim.ErrNoComponent) {
		t.Errorf("unknown input: %v", err)
	}
	if _, err := w.sim.As(w.ben).Submit(w.ctx, r.Modal, map[string]any{"move": "c3"}); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("somebody else's form: %v", err)
	}
	r, err = ann.Submit(w.ctx, r.Modal, map[string]any{"move": "c3-d4"})
	if err != nil || r.Kind != discordsim.ReplyUpdate || r.MessageID != id {
		t.Fatalf("%+v, %v", r, err)
	}
	if v := last["data"].(obj)["components"].([]any)[0].(obj)["components"].([]any)[0].(obj)["value"]; v != "c3-d4" || last["type"] != 5.0 {
		t.Errorf("submitted %v", last)
	}
	w.clean()
}

func TestDismiss(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "private", "flags": 64, "allowed_mentions": quiet}) })
	r, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.As(w.ben).Dismiss(w.general, r.MessageID); !errors.Is(err, discordsim.ErrUnknownMessage) {
		t.Errorf("somebody else: %v", err)
	}
	if err := w.sim.As(w.ann).Dismiss(w.general, r.MessageID); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.sim.Message(w.ann, w.general, r.MessageID); ok {
		t.Error("the dismissed message is still seen")
	}
}

// TestManyPeopleAtOnce has everybody press at the same time while the bot
// answers each press in a goroutine of its own.
func TestManyPeopleAtOnce(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.bot(func(i obj) {
		go w.callback(i, 4, obj{"content": "ok", "flags": 64, "allowed_mentions": quiet})
	})
	const people, presses = 8, 5
	errs := make(chan error, people)
	for n := range people {
		id2 := w.sim.AddUser(discordsim.User{Name: "user" + string(rune('a'+n))})
		w.sim.Join(w.guild, id2)
		go func() {
			for range presses {
				if _, err := w.sim.As(id2).Click(w.ctx, w.general, id, "go"); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range people {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := len(w.sim.Messages("", w.general)); n != people*presses+1 {
		t.Errorf("%d messages, want %d", n, people*presses+1)
	}
	w.clean()
}
