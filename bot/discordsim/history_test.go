package discordsim_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Options{})
	path := "/channels/" + w.general + "/messages"
	var ids []string
	for range 60 {
		ids = append(ids, w.send(w.general, obj{"content": "x"}))
	}
	is := func(query string, want ...string) {
		t.Helper()
		status, out := w.rest("GET", path+query, nil)
		var got []string
		list, _ := out["list"].([]any)
		for _, m := range list {
			got = append(got, m.(obj)["id"].(string))
		}
		slices.Reverse(got)
		if status != http.StatusOK || !slices.Equal(got, want) {
			t.Errorf("%q: %d, %q, want %q", query, status, got, want)
		}
	}
	is("", ids[10:]...)
	is("?limit=2", ids[58:]...)
	is("?limit=100", ids...)
	is("?limit=2&before="+ids[10], ids[8:10]...)
	is("?limit=2&after="+ids[10], ids[11:13]...)
	is("?after=" + ids[59])
	said, err := w.sim.As(w.ann).Say(w.ctx, w.general, "a secret")
	if err != nil {
		t.Fatal(err)
	}
	_, out := w.rest("GET", path+"?limit=1", nil)
	if m := out["list"].([]any)[0].(obj); m["id"] != said.ID || m["content"] != "" {
		t.Errorf("what others say: %v", m)
	}
	if v := w.sim.Violations(); len(v) > 0 {
		t.Errorf("%q", v)
	}
	bot := w.sim.BotID()
	w.sim.SetChannelPermissions(w.general, bot, w.sim.Permissions(w.general, bot)&^discordsim.ReadMessageHistory)
	is("")
	for _, bad := range []string{"?limit=0", "?limit=101", "?limit=x", "?after=x"} {
		if status, _ := w.rest("GET", path+bad, nil); status != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, status)
		}
	}
	w.violated("limit")
}
