package discord

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

const (
	// callTime bounds a call whose context has no deadline.
	callTime = 15 * time.Second
	// attempts is how often a call is sent at most.
	attempts = 3
	// backOff is the wait before the second attempt after a fault of Discord's;
	// it doubles.
	backOff = 200 * time.Millisecond
)

// call is one thing to be asked of Discord.
type call struct {
	method string
	op     string // the path with names for IDs, for errors: it has no token
	path   string // below the API's root, escaped
	// bucket names the rate limit; "" for the interaction routes, which have
	// their own, one a token, and are not bound to the global one.
	bucket  string
	payload any // nil for none
	files   []file
	again   bool   // sending it twice does no more than sending it once
	secret  string // the interaction's token, to keep it out of errors
}

// do asks, as often as it is harmless and the context allows, and returns the
// answer's body. Twice reports whether an attempt before the last one may have
// succeeded.
func (r *REST) do(ctx context.Context, c call) (body []byte, twice bool, err error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTime)
		defer cancel()
	}
	var contentType string
	var data []byte
	switch {
	case len(c.files) > 0:
		contentType, data, err = form(c.payload, c.files)
	case c.payload != nil:
		contentType = "application/json"
		data, err = json.Marshal(c.payload)
	}
	if err != nil {
		return nil, false, &Error{Op: c.method + " " + c.op, kind: ErrRejected, Text: err.Error()}
	}

	for attempt := 1; ; attempt++ {
		body, failure, unsent := r.once(ctx, c, contentType, data)
		if failure == nil {
			return body, twice, nil
		}
		var wait time.Duration
		switch {
		case attempt == attempts:
			return nil, twice, failure
		case failure.kind == ErrRateLimited:
			wait = failure.RetryAfter
		case failure.kind == ErrUnavailable && failure.cause == nil && (c.again || unsent):
			wait = backOff<<(attempt-1) + rand.N(backOff)
			twice = twice || !unsent
		default:
			return nil, twice, failure
		}
		if sleep(ctx, wait) != nil {
			return nil, twice, failure
		}
	}
}

// once asks once. Unsent reports that Discord cannot have seen it.
func (r *REST) once(ctx context.Context, c call, contentType string, data []byte) (body []byte, failure *Error, unsent bool) {
	failed := func(kind error, text string, cause error) *Error {
		return &Error{Op: c.method + " " + c.op, kind: kind, Text: r.redact(text, c.secret), cause: cause}
	}
	begin := time.Now()
	release, wait, err := r.limits.acquire(ctx, c.bucket)
	r.waited(time.Since(begin))
	if err != nil {
		if wait > 0 {
			e := failed(ErrRateLimited, "", err)
			e.RetryAfter = wait
			return nil, e, true
		}
		return nil, failed(ErrUnavailable, "not sent", err), true
	}
	var n notes
	// A limiter of discordgo's own would keep a bucket for each token for ever,
	// sleep without regard to the context, and hold up every game's edits behind
	// one lock.
	begin = time.Now()
	body, err = r.session.RequestWithLockedBucket(c.method, discordgo.EndpointAPI+c.path, contentType, data,
		discordgo.NewRatelimiter().LockBucket(""), 0, discordgo.WithContext(withNotes(ctx, &n)))
	r.noteDate(n.date, begin.Add(time.Since(begin)/2))
	r.called(c.method+" "+c.op, n.status, time.Since(begin))
	var why refusal
	readable := false
	if n.status >= 400 {
		readable = json.Unmarshal(body, &why) == nil
		if exact := seconds(why.RetryAfter); exact > 0 {
			n.retryAfter = exact // the header has it in whole seconds, rounded up
		}
		n.global = n.global || why.Global
	}
	release(&n)

	switch {
	case n.status == 0 || n.status < 400 && err != nil:
		// No answer, or one that broke off.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // u itself prints the address, token and all
		}
		e := failed(ErrUnavailable, err.Error(), contextCause(ctx, err))
		e.Status = n.status
		var dial *net.OpError
		return nil, e, errors.As(err, &dial) && dial.Op == "dial"
	case n.status >= 200 && n.status < 300:
		return body, nil, false
	case n.status < 400:
		e := failed(ErrUnavailable, "unexpected redirection", nil)
		e.Status = n.status
		return nil, e, true
	}
	e := failed(kindOf(n.status, why.Code, c.secret != ""), why.text(), nil)
	e.Status, e.Code = n.status, why.Code
	if n.status == http.StatusTooManyRequests {
		e.kind = ErrRateLimited
		e.RetryAfter = n.retryAfter
		if e.RetryAfter == 0 {
			e.RetryAfter = blindWait
		}
		switch {
		case !readable:
			// Not Discord but Cloudflare in front of it, and it means everything.
			e.Text = "banned for a while by Cloudflare, in front of Discord"
			r.limits.refused(e.RetryAfter, true)
		case n.global:
			r.limits.refused(e.RetryAfter, false)
		}
	}
	return nil, e, n.status == http.StatusTooManyRequests
}

// redact takes secrets out of a text that others wrote.
func (r *REST) redact(text string, secrets ...string) string {
	for _, s := range append(secrets, r.token) {
		if s == "" {
			continue
		}
		text = strings.ReplaceAll(text, s, "[token]")
		text = strings.ReplaceAll(text, url.PathEscape(s), "[token]")
	}
	return text
}
