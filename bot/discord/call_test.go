package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/view"
)

// roundTrip is Discord without a network, so that time can be made up.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// reply makes an answer; headers are "Name: value" separated by "; ".
func reply(status int, headers, body string) *http.Response {
	h := http.Header{}
	kind := "text/html"
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		kind = "application/json"
	}
	h.Set("Content-Type", kind)
	for _, line := range strings.Split(headers, "; ") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			h.Set(name, value)
		}
	}
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status) + " " + http.StatusText(status),
		Header: h, Body: io.NopCloser(strings.NewReader(body)),
	}
}

func fakeREST(t *testing.T, f roundTrip) *REST {
	t.Helper()
	r, err := NewREST(Settings{Token: botToken, Transport: f})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status, code int
		webhook      bool // on an interaction route; otherwise on a channel's
		want         error
	}{
		{404, 10062, true, ErrUnknownInteraction},
		{400, 40060, true, ErrAcknowledged},
		{401, 50027, true, ErrTokenExpired},
		{404, 10015, true, ErrTokenExpired},
		{401, 0, true, ErrTokenExpired},
		{404, 0, true, ErrTokenExpired},
		{404, 10008, true, ErrMessageGone},
		{404, 10008, false, ErrMessageGone},
		{404, 10003, false, ErrChannelGone},
		{403, 50001, false, ErrChannelGone},
		{403, 50013, false, ErrForbidden},
		{403, 0, false, ErrForbidden},
		{400, 50083, false, ErrArchived},
		{400, 50083, true, ErrArchived},
		{400, 160005, false, ErrLocked},
		{400, 160006, false, ErrTooManyThreads},
		{400, 160007, false, ErrTooManyThreads},
		{400, 30046, false, ErrTooManyEdits},
		{429, 30046, false, ErrTooManyEdits},
		{429, 30046, true, ErrTooManyEdits},
		{429, 10008, false, ErrMessageGone},
		{429, 50013, false, ErrForbidden},
		{403, 50007, false, ErrDMClosed},
		{403, 50278, false, ErrDMClosed},
		{401, 0, false, ErrBadToken},
		{400, 50035, false, ErrRejected},
		{413, 40005, false, ErrRejected},
		{400, 50006, true, ErrRejected},
	} {
		t.Run(fmt.Sprintf("%d code %d, webhook %t", c.status, c.code, c.webhook), func(t *testing.T) {
			n := 0
			r := fakeREST(t, func(*http.Request) (*http.Response, error) {
				n++
				return reply(c.status, "", fmt.Sprintf(`{"code":%d,"message":"why %s"}`, c.code, interactionToken)), nil
			})
			var err error
			if c.webhook {
				_, err = r.EditOriginal(t.Context(), request, view.Message{Text: "x"}, nil)
			} else {
				err = r.Edit(t.Context(), "600", "700", view.Message{Text: "x"}, nil)
			}
			var e *Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Status != c.status || e.Code != c.code {
				t.Errorf("%v, want %v", err, c.want)
			}
			if n != 1 {
				t.Errorf("sent %d times", n)
			}
			if c.webhook && strings.Contains(err.Error(), interactionToken) {
				t.Errorf("the token is in %q", err)
			}
			if !strings.Contains(err.Error(), "why") {
				t.Errorf("Discord's words are not in %q", err)
			}
		})
	}
	t.Run("a 429 that is not a rate limit holds up no other call", func(t *testing.T) {
		n := 0
		r := fakeREST(t, func(*http.Request) (*http.Response, error) {
			if n++; n == 1 {
				return reply(429, "Retry-After: 3000; X-RateLimit-Reset-After: 3000", `{"code":30046,"message":"too many","retry_after":3000}`), nil
			}
			return reply(200, "", `{"id":"701"}`), nil
		})
		if err := r.Edit(t.Context(), "600", "700", view.Message{Text: "x"}, nil); !errors.Is(err, ErrTooManyEdits) {
			t.Fatal(err)
		}
		if err := r.Edit(t.Context(), "600", "701", view.Message{Text: "x"}, nil); err != nil {
			t.Errorf("the next edit: %v", err)
		}
	})
	t.Run("a rejected form says which fields are wrong", func(t *testing.T) {
		r := fakeREST(t, func(*http.Request) (*http.Response, error) {
			return reply(400, "", `{"code":50035,"message":"Invalid Form Body","errors":{
				"content":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH","message":"Must be 2000 or fewer in length."}]},
				"components":{"0":{"components":{"1":{"custom_id":{"_errors":[{"code":"DUPLICATE","message":"used twice"}]}}}}}}}`), nil
		})
		err := r.Edit(t.Context(), "600", "700", view.Message{Text: "x"}, nil)
		want := "Invalid Form Body: components.0.components.1.custom_id: used twice (DUPLICATE); content: Must be 2000 or fewer in length. (BASE_TYPE_MAX_LENGTH)"
		if !errors.Is(err, ErrRejected) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v", err)
		}
	})
}

// faults are failures that leave open whether Discord did what was asked.
var faults = map[string]roundTrip{
	"500":             func(*http.Request) (*http.Response, error) { return reply(500, "", `{"code":0,"message":"500"}`), nil },
	"502 of a proxy":  func(*http.Request) (*http.Response, error) { return reply(502, "", `<html>`+interactionToken), nil },
	"503":             func(*http.Request) (*http.Response, error) { return reply(503, "", ``), nil },
	"504":             func(*http.Request) (*http.Response, error) { return reply(504, "", `upstream`), nil },
	"520":             func(*http.Request) (*http.Response, error) { return reply(520, "", `<html>`), nil },
	"lost connection": func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
	"broken off answer": func(*http.Request) (*http.Response, error) {
		p := reply(200, "", "")
		p.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), brokenReader{}))
		return p, nil
	},
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestFaultsAreTriedAgainWhereHarmless(t *testing.T) {
	for _, c := range calls {
		// A message without a nonce or a thread without a message would be doubled.
		harmless := c.name != "FollowUp" && c.name != "StartThread" && c.name != "StartPost"
		for name, fault := range faults {
			t.Run(c.name+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := 0
					r := fakeREST(t, func(req *http.Request) (*http.Response, error) { n++; return fault(req) })
					_, err := c.do(t.Context(), r, view.Message{Text: "x"}, nil)
					if !errors.Is(err, ErrUnavailable) {
						t.Errorf("%v", err)
					}
					if want := map[bool]int{true: attempts, false: 1}[harmless]; n != want {
						t.Errorf("sent %d times, want %d", n, want)
					}
					for _, secret := range []string{interactionToken, botToken} {
						if strings.Contains(err.Error(), secret) {
							t.Errorf("a token is in %q", err)
						}
					}
				})
			})
		}
	}
	t.Run("Post without a nonce is sent once", func(t *testing.T) {
		n := 0
		r := fakeREST(t, func(*http.Request) (*http.Response, error) { n++; return reply(500, "", ``), nil })
		if _, err := r.Post(t.Context(), "600", view.Message{Text: "x"}, nil, ""); !errors.Is(err, ErrUnavailable) || n != 1 {
			t.Errorf("sent %d times: %v", n, err)
		}
	})
	t.Run("a call that cannot have been sent is always sent again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			r := fakeREST(t, func(*http.Request) (*http.Response, error) {
				if n++; n == 1 {
					return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
				}
				return reply(200, "", `{"id":"5"}`), nil
			})
			if id, err := r.FollowUp(t.Context(), request, view.Message{Text: "x"}, nil); err != nil || id != "5" {
				t.Errorf("%q, %v", id, err)
			}
		})
	})
	t.Run("the second try sends the same", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var bodies []string
			r := fakeREST(t, func(req *http.Request) (*http.Response, error) {
				b, _ := io.ReadAll(req.Body)
				bodies = append(bodies, string(b))
				if len(bodies) == 1 {
					return reply(503, "", ``), nil
				}
				return reply(200, "", `{"id":"5"}`), nil
			})
			m, picture := full()
			if _, err := r.Post(t.Context(), "600", m, picture, "n"); err != nil {
				t.Fatal(err)
			}
			if len(bodies) != 2 || bodies[0] != bodies[1] || bodies[0] == "" {
				t.Errorf("%d bodies, the same: %t", len(bodies), bodies[0] == bodies[len(bodies)-1])
			}
		})
	})
}

func TestAnswerThatGotThroughUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Discord took the first answer, but the connection broke before it said so.
		posts := 0
		r := fakeREST(t, func(req *http.Request) (*http.Response, error) {
			if req.Method == "GET" {
				return reply(200, "", `{"id":"71"}`), nil
			}
			if posts++; posts == 1 {
				return nil, io.ErrUnexpectedEOF
			}
			return reply(400, "", `{"code":40060,"message":"Interaction has already been acknowledged."}`), nil
		})
		if id, err := r.Respond(t.Context(), request, view.Message{Text: "x"}, nil); err != nil || id != "71" {
			t.Errorf("Respond: %q, %v", id, err)
		}
		posts = 0
		if err := r.Update(t.Context(), request, view.Message{Text: "x"}, nil); err != nil {
			t.Errorf("Update: %v", err)
		}
	})
}

func TestRateLimits(t *testing.T) {
	const limited = `{"message":"You are being rate limited.","retry_after":2.5,"global":false}`
	edit := func(ctx context.Context, r *REST, channel string) error {
		return r.Edit(ctx, channel, "700", view.Message{Text: "x"}, nil)
	}
	respond := func(ctx context.Context, r *REST) error {
		_, err := r.Respond(ctx, request, view.Message{Text: "x"}, nil)
		return err
	}
	took := func(t *testing.T, what string, want time.Duration, do func() error) {
		t.Helper()
		begun := time.Now()
		if err := do(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got := time.Since(begun); got != want {
			t.Errorf("%s took %v, want %v", what, got, want)
		}
	}
	// Only the first request is refused.
	once := func(p *http.Response) roundTrip {
		var mu sync.Mutex
		n := 0
		return func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if n++; n == 1 {
				return p, nil
			}
			return reply(200, "", `{"id":"1"}`), nil
		}
	}

	t.Run("a refused call is sent again when Discord says", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := fakeREST(t, once(reply(429, "", limited)))
			took(t, "edit", 2500*time.Millisecond, func() error { return edit(t.Context(), r, "1") })
			r = fakeREST(t, once(reply(429, "", limited)))
			took(t, "respond", 2500*time.Millisecond, func() error { return respond(t.Context(), r) })
			// The header has whole seconds, rounded up.
			r = fakeREST(t, once(reply(429, "Retry-After: 3", limited)))
			took(t, "edit", 2500*time.Millisecond, func() error { return edit(t.Context(), r, "1") })
		})
	})
	t.Run("all channels together stay below Discord's fifty calls a second, answers do not count", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := fakeREST(t, func(*http.Request) (*http.Response, error) { return reply(200, "", `{"id":"1"}`), nil })
			begun := time.Now()
			var wg sync.WaitGroup
			for n := range 185 {
				wg.Go(func() {
					if err := edit(t.Context(), r, fmt.Sprint(n)); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if took := time.Since(begun); took < 3900*time.Millisecond || took > 4100*time.Millisecond {
				t.Errorf("185 edits took %v", took)
			}
			took(t, "an answer", 0, func() error { return respond(t.Context(), r) })
		})
	})
	t.Run("a wait beyond the deadline fails at once and says how long it is", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := fakeREST(t, once(reply(429, "", limited)))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begun := time.Now()
			err := edit(ctx, r, "1")
			var e *Error
			if !errors.Is(err, ErrRateLimited) || !errors.As(err, &e) || e.RetryAfter != 2500*time.Millisecond || time.Since(begun) != 0 {
				t.Errorf("after %v: %v", time.Since(begun), err)
			}
			// The next one knows without asking.
			err = edit(ctx, r, "1")
			if !errors.Is(err, ErrRateLimited) || !errors.As(err, &e) || e.RetryAfter != 2500*time.Millisecond {
				t.Errorf("%v", err)
			}
			took(t, "another channel", 0, func() error { return edit(ctx, r, "2") })
		})
	})
	t.Run("a bucket that is used up is waited for, by its channel only", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := fakeREST(t, once(reply(200, "X-RateLimit-Remaining: 0; X-RateLimit-Reset-After: 4.5", `{"id":"1"}`)))
			took(t, "first", 0, func() error { return edit(t.Context(), r, "1") })
			took(t, "another channel", 0, func() error { return edit(t.Context(), r, "2") })
			took(t, "an answer", 0, func() error { return respond(t.Context(), r) })
			took(t, "second", 4500*time.Millisecond, func() error { return edit(t.Context(), r, "1") })
		})
	})
	t.Run("headers that cannot be read do not fail a call", func(t *testing.T) {
		n := 0
		r := fakeREST(t, func(*http.Request) (*http.Response, error) {
			n++
			return reply(200, "X-RateLimit-Remaining: some; X-RateLimit-Reset-After: soon; X-RateLimit-Reset: x", `{"id":"1"}`), nil
		})
		if err := edit(t.Context(), r, "1"); err != nil || n != 1 {
			t.Errorf("sent %d times, %v", n, err)
		}
	})
	t.Run("the global limit holds up all channels but no answers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := fakeREST(t, once(reply(429, "X-RateLimit-Global: true; Retry-After: 3", `{"message":"x","retry_after":3,"global":true}`)))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := edit(ctx, r, "1"); !errors.Is(err, ErrRateLimited) {
				t.Errorf("%v", err)
			}
			took(t, "an answer", 0, func() error { return respond(t.Context(), r) })
			took(t, "another channel", 3*time.Second, func() error { return edit(t.Context(), r, "2") })
		})
	})
	t.Run("a ban by Cloudflare holds up everything", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			for headers, wait := range map[string]time.Duration{"": blindWait, "Retry-After: 90": 90 * time.Second, "Retry-After: 1e99": maxWait} {
				n := 0
				r := fakeREST(t, func(*http.Request) (*http.Response, error) { n++; return reply(429, headers, "<html>"), nil })
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				var e *Error
				for i, err := range []error{edit(ctx, r, "1"), edit(ctx, r, "2"), respond(ctx, r)} {
					if !errors.Is(err, ErrRateLimited) || !errors.As(err, &e) || e.RetryAfter != wait {
						t.Errorf("call %d: %v", i, err)
					}
				}
				if n != 1 {
					t.Errorf("asked %d times", n)
				}
				cancel()
			}
		})
	})
	t.Run("it gives up in the end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			r := fakeREST(t, func(*http.Request) (*http.Response, error) { n++; return reply(429, "", limited), nil })
			if err := edit(t.Context(), r, "1"); !errors.Is(err, ErrRateLimited) || n != attempts {
				t.Errorf("%d times, %v", n, err)
			}
		})
	})
}

func TestCallsOfOneChannelTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		r := fakeREST(t, func(*http.Request) (*http.Response, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second) // of the made-up time
			mu.Lock()
			now--
			mu.Unlock()
			return reply(200, "", `{"id":"1"}`), nil
		})
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if err := r.Edit(t.Context(), "1", "700", view.Message{Text: "x"}, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most != 1 {
			t.Errorf("%d at once", most)
		}
		// A call stops waiting for its turn when its context ends.
		wg.Go(func() { r.Edit(t.Context(), "1", "700", view.Message{Text: "x"}, nil) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		begun := time.Now()
		err := r.Edit(ctx, "1", "700", view.Message{Text: "x"}, nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 300*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		wg.Wait()
	})
}

func TestLimitsForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fakeREST(t, func(*http.Request) (*http.Response, error) {
			return reply(200, "X-RateLimit-Remaining: 4; X-RateLimit-Reset-After: 5", `{"id":"1"}`), nil
		})
		for i := range 3 * maxBuckets {
			if err := r.EditText(t.Context(), strconv.Itoa(i), "1", view.Message{Text: "x"}); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Respond(t.Context(), Request{ID: strconv.Itoa(i), Token: "t"}, view.Message{Text: "x"}, nil); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // of the made-up time
		}
		if n := len(r.limits.buckets); n > maxBuckets {
			t.Errorf("%d buckets", n)
		}
	})
}

func TestCallsEndWithTheirContext(t *testing.T) {
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := fakeREST(t, func(req *http.Request) (*http.Response, error) {
					<-req.Context().Done()
					return nil, req.Context().Err()
				})
				ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
				defer cancel()
				begun := time.Now()
				_, err := c.do(ctx, r, view.Message{Text: "x"}, nil)
				if !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 2500*time.Millisecond {
					t.Errorf("after %v: %v", time.Since(begun), err)
				}
				if strings.Contains(err.Error(), interactionToken) {
					t.Errorf("the token is in %q", err)
				}
				begun = time.Now()
				if _, err = c.do(context.Background(), r, view.Message{Text: "x"}, nil); !errors.Is(err, ErrUnavailable) || time.Since(begun) != longest(c.name) {
					t.Errorf("without a deadline, after %v: %v", time.Since(begun), err)
				}
			})
		})
	}
}

// longest returns how long a call goes on whose context has no deadline.
func longest(call string) time.Duration {
	switch call {
	case "Respond", "Update", "Defer", "Defer private", "DeferUpdate", "Choices", "no Choices":
		return firstTime
	}
	return callTime
}
