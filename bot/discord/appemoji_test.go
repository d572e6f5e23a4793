package discord

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppEmojiCalls(t *testing.T) {
	var got []sent
	r := testREST(t, func(w http.ResponseWriter, req *http.Request) {
		got = append(got, readRequest(t, req))
		switch req.Method {
		case http.MethodGet:
			_, _ = io.WriteString(w, `{"items":[{"id":"5","name":"empty_d188","animated":false}]}`)
		case http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"id":"6","name":"left_d188"}`)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	list, err := r.AppEmoji(t.Context(), "900")
	if err != nil || len(list) != 1 || list[0] != (AppEmoji{"5", "empty_d188"}) {
		t.Errorf("%v, %v", list, err)
	}
	if e, err := r.CreateAppEmoji(t.Context(), "900", "left_d188", []byte("PNG")); err != nil || e != (AppEmoji{"6", "left_d188"}) {
		t.Errorf("%v, %v", e, err)
	}
	if err := r.DeleteAppEmoji(t.Context(), "900", "5"); err != nil {
		t.Error(err)
	}
	const path = "/api/v9/applications/900/emojis"
	want := []sent{
		{method: "GET", path: path},
		{method: "POST", path: path, body: `{"name":"left_d188","image":"data:image/png;base64,UE5H"}`},
		{method: "DELETE", path: path + "/5"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sent{}, sentFile{})); diff != "" {
		t.Error(diff)
	}
}
