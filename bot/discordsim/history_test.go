package discordsim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var ids []string
	for range 60 {
		_, out := w.rest("POST", "/channels/"+w.general+"/messages", obj{"content": "x", "allowed_mentions": quiet})
		ids = append(ids, out["id"].(string))
	}
	list := func(query string) (got []string) {
		t.Helper()
		status, out := w.rest("GET", "/channels/"+w.general+"/messages"+query, nil)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %v", query, status, out)
		}
		text, err := json.Marshal(out["list"])
		var messages []struct{ ID string }
		if err == nil {
			err = json.Unmarshal(text, &messages)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			got = append(got, m.ID)
		}
		return got
	}
	is := func(query string, from, to int) { // to the older one, both included
		t.Helper()
		var want []string
		for i := from; i >= to; i-- {
			want = append(want, ids[i])
		}
		if got := list(query); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	is("", 59, 10)
	is("?limit=2", 59, 58)
	is("?limit=100", 59, 0)
	is("?limit=2&before="+ids[10], 9, 8)
	is("?limit=2&after="+ids[10], 12, 11)
	is("?after="+ids[59], -1, 0)
	for _, bad := range []string{"?limit=0", "?limit=101", "?limit=x", "?after=x"} {
		if status, _ := w.rest("GET", "/channels/"+w.general+"/messages"+bad, nil); status != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, status)
		}
	}
	w.s.ClearViolations()
}
