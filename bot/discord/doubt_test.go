package discord

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/lascabot/lascabot/bot/view"
)

// Whoever makes a call has to know that an attempt may still come into effect, also
// when another attempt has succeeded.
func TestACallThatMayStillComeIntoEffectIsDoubted(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				r := fakeREST(t, func(req *http.Request) (*http.Response, error) {
					if n++; n == 1 {
						return fault(req)
					}
					return reply(200, "", `{"id":"1"}`), nil
				})
				var first, second Doubt
				edit := func(d *Doubt) {
					if err := r.Edit(WithDoubt(t.Context(), d), "8", "9", view.Message{Text: "x"}, nil); err != nil {
						t.Error(err)
					}
				}
				edit(&first)
				edit(&second)
				if !first.Any() || second.Any() {
					t.Errorf("the first is doubted: %t, the second: %t", first.Any(), second.Any())
				}
			})
		})
	}
	t.Run("not what Discord has refused", func(t *testing.T) {
		var d Doubt
		r := fakeREST(t, func(*http.Request) (*http.Response, error) { return reply(403, "", `{"code":50013}`), nil })
		if err := r.Edit(WithDoubt(t.Context(), &d), "8", "9", view.Message{Text: "x"}, nil); err == nil || d.Any() {
			t.Errorf("%v, doubted: %t", err, d.Any())
		}
	})
}
