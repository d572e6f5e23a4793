package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"testing"
)

// guildsHandler lists guilds as Discord does, but for pages that spoil answers,
// which count from 1.
func guildsHandler(t *testing.T, all []string, spoil func(w http.ResponseWriter, page int) bool) http.HandlerFunc {
	pages := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/api/v9/users/@me/guilds" || r.Header.Get("Authorization") != "Bot "+botToken {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
		after, err2 := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
		if err != nil || err2 != nil || limit < 1 || limit > 200 {
			t.Errorf("query %s", r.URL.RawQuery)
		}
		pages++
		if spoil != nil && spoil(w, pages) {
			return
		}
		out := []map[string]any{}
		for _, id := range all {
			if n, _ := strconv.ParseUint(id, 10, 64); n > after && len(out) < limit {
				out = append(out, map[string]any{"id": id, "name": "x"})
			}
		}
		json.NewEncoder(w).Encode(out)
	}
}

func guildIDs(n int) []string {
	all := []string{}
	for i := range n {
		all = append(all, strconv.Itoa(i+95)) // more digits come later in order, not in the alphabet
	}
	return all
}

func TestGuildsAreListedPageByPage(t *testing.T) {
	for _, n := range []int{0, 1, 199, 200, 201, 450} {
		h := guildsHandler(t, guildIDs(n), nil)
		got, err := testREST(t, h).Guilds(t.Context())
		ids := []string{}
		for _, g := range got {
			ids = append(ids, g.ID)
		}
		if err != nil || got == nil || !slices.Equal(ids, guildIDs(n)) {
			t.Errorf("%d guilds: listed %d, %v", n, len(got), err)
		}
	}
}

func TestAnIncompleteListOfGuildsIsNone(t *testing.T) {
	answer := func(status int, body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for name, spoil := range map[string]func(http.ResponseWriter){
		"an outage":           answer(503, "upstream connect error"),
		"a refusal":           answer(403, `{"code":50001,"message":"Missing Access"}`),
		"another page":        answer(200, "<html>"),
		"null":                answer(200, "null"),
		"an object":           answer(200, "{}"),
		"the first again":     answer(200, `[{"id":"95"}]`),
		"no IDs":              answer(200, `[{"name":"x"}]`),
		"out of order":        answer(200, `[{"id":"900"},{"id":"899"}]`),
		"a broken-off answer": func(w http.ResponseWriter) { w.Header().Set("Content-Length", "100"); io.WriteString(w, "[") },
	} {
		for first := 1; first <= 3; first++ {
			t.Run(fmt.Sprint(name, " on page ", first), func(t *testing.T) {
				if name == "the first again" && first == 1 {
					t.Skip("it is the first")
				}
				h := guildsHandler(t, guildIDs(300), func(w http.ResponseWriter, page int) bool {
					if page < first {
						return false
					}
					spoil(w)
					return true
				})
				got, err := testREST(t, h).Guilds(t.Context())
				var e *Error
				if got != nil || !errors.As(err, &e) || e.Op != "GET /users/@me/guilds" {
					t.Errorf("%d guilds, %v", len(got), err)
				}
				if name != "a refusal" && !errors.Is(err, ErrUnavailable) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

func TestAListOfGuildsEnds(t *testing.T) {
	pages := 0
	endless := func(w http.ResponseWriter, r *http.Request) {
		pages++
		fmt.Fprintf(w, `[{"id":"%d"}]`, pages)
	}
	if got, err := testREST(t, endless).Guilds(t.Context()); got != nil || !errors.Is(err, ErrUnavailable) || pages != maxGuildPages {
		t.Errorf("%d guilds after %d pages, %v", len(got), pages, err)
	}
}
