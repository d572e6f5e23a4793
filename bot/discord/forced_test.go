package discord

import (
	"net/http"
	"testing"

	"github.com/lascabot/lascabot/bot/view"
)

func TestAnAnswerThatDiscordMakesPrivateIsNoticed(t *testing.T) {
	req := Request{ID: "1", Token: "t", App: "2"}
	for name, c := range map[string]struct {
		body string
		send func(*REST, *Forced, view.Message) error
	}{
		"the first answer": {`{"resource":{"message":{"id":"1","flags":64}}}`, func(r *REST, f *Forced, m view.Message) error {
			_, err := r.Respond(WithForced(t.Context(), f), req, m, nil)
			return err
		}},
		"one that was deferred": {`{"id":"1","flags":64}`, func(r *REST, f *Forced, m view.Message) error {
			_, err := r.EditOriginal(WithForced(t.Context(), f), req, m, nil)
			return err
		}},
	} {
		var f, asked, not Forced
		body := c.body
		r := fakeREST(t, func(*http.Request) (*http.Response, error) { return reply(200, "", body), nil })
		err := c.send(r, &f, view.Message{Text: "x"})
		if err == nil {
			err = c.send(r, &asked, view.Message{Text: "x", Private: true})
		}
		body = `{"id":"1","resource":{"message":{"id":"1","flags":0}}}`
		if err == nil {
			err = c.send(r, &not, view.Message{Text: "x"})
		}
		if err != nil || !f.Any() || asked.Any() || not.Any() {
			t.Errorf("%s: %v; forced %t, when it was to be private %t, when it is public %t", name, err, f.Any(), asked.Any(), not.Any())
		}
	}
}
