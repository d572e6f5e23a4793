package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/trace"
)

const (
	// callTime is the time for a call whose context has no deadline.
	callTime = 15 * time.Second
	// firstTime is the time for a first answer. Discord takes none after three
	// seconds, but its confirmation may be slow.
	firstTime = 5 * time.Second
	// attempts is how often a call is sent at most.
	attempts = 3
	// backOff is the wait before the second attempt when Discord has failed. It
	// doubles.
	backOff = 200 * time.Millisecond
)

// call is a request to Discord.
type call struct {
	method string
	op     string // the path with names in place of IDs, for errors: no token is in it
	path   string // below the API's root, escaped
	// bucket names the rate limit. It is "" for the interaction routes, which have
	// limits of their own, one for each token, and are exempt from the global one.
	bucket  string
	payload any // nil for none
	files   []file
	again   bool   // sending it twice does no more than sending it once
	secret  string // the interaction's token, to keep it out of errors
}

// do sends a call, as often as is harmless and the context allows, and returns
// the answer's body. Twice reports whether an attempt before the last one may
// have succeeded.
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
		if failure.kind == ErrUnavailable && !unsent {
			doubted(ctx)
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

// once sends a call once. Unsent reports that Discord cannot have acted on it.
func (r *REST) once(ctx context.Context, c call, contentType string, data []byte) (body []byte, failure *Error, unsent bool) {
	ctx, span := trace.Start(ctx, trace.Discord, c.method+" "+c.op)
	defer func() { span.EndAs(outcomeOf(failure)) }()
	begin := time.Now()
	release, wait, err := r.limits.acquire(ctx, c.bucket)
	r.waited(time.Since(begin))
	span.Set(trace.RouteKey, c.method+" "+c.op)
	span.SetInt(trace.WaitedKey, time.Since(begin).Milliseconds())
	if err != nil {
		if wait > 0 {
			e := r.failed(c, ErrRateLimited, 0, "", err)
			e.RetryAfter = wait
			return nil, e, true
		}
		return nil, r.failed(c, ErrUnavailable, 0, "not sent", err), true
	}
	body, n, why, err := r.send(ctx, c, contentType, data)
	release(&n)
	span.SetInt(trace.StatusKey, int64(n.status))

	switch {
	case n.status == 0 || n.status < 400 && err != nil:
		// There was no answer, or it broke off.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // u itself prints the address, token and all
		}
		var dial *net.OpError
		return nil, r.failed(c, ErrUnavailable, n.status, err.Error(), contextCause(ctx, err)), errors.As(err, &dial) && dial.Op == "dial"
	case n.status >= 200 && n.status < 300:
		return body, nil, false
	case n.status < 400:
		return nil, r.failed(c, ErrUnavailable, n.status, "unexpected redirection", nil), true
	}
	return nil, r.refused(c, n, why), n.limited
}

// outcomeOf sorts what became of a request, for a trace.
func outcomeOf(e *Error) string {
	switch {
	case e == nil:
		return "ok"
	case errors.Is(e, ErrRateLimited):
		return "rate limited"
	case errors.Is(e, ErrUnavailable):
		return "unavailable"
	}
	return "refused"
}

// send makes the request and reads what the answer says besides its body. Why is
// nil if the answer is not a refusal in Discord's form.
func (r *REST) send(ctx context.Context, c call, contentType string, data []byte) (body []byte, n notes, why *refusal, err error) {
	begin := time.Now()
	// discordgo's own limiter would keep a bucket for each token forever, sleep
	// without regard to the context, and hold up every game's edits behind one
	// lock. This one is thrown away.
	body, err = r.session.RequestWithLockedBucket(c.method, discordgo.EndpointAPI+c.path, contentType, data,
		discordgo.NewRatelimiter().LockBucket(""), 0, discordgo.WithContext(withNotes(ctx, &n)))
	r.noteDate(n.date, begin.Add(time.Since(begin)/2))
	r.called(c.method+" "+c.op, n.status, time.Since(begin))
	if n.status < 400 {
		return body, n, nil, err
	}
	var got refusal
	if json.Unmarshal(body, &got) == nil {
		why = &got
	}
	if exact := seconds(got.RetryAfter); exact > 0 {
		n.retryAfter = exact // the header has whole seconds, rounded up
	}
	n.global = n.global || got.Global
	n.limited = kindOf(n.status, got.Code, c.secret != "") == ErrRateLimited
	return body, n, why, err
}

// refused makes the error of a refusal, and remembers one that concerns more than
// this call.
func (r *REST) refused(c call, n notes, why *refusal) *Error {
	unreadable := why == nil
	if unreadable {
		why = &refusal{}
	}
	e := r.failed(c, kindOf(n.status, why.Code, c.secret != ""), n.status, why.text(), nil)
	e.Code = why.Code
	if !n.limited {
		return e
	}
	e.RetryAfter = cmp.Or(n.retryAfter, blindWait)
	switch {
	case unreadable:
		// Cloudflare, in front of Discord, does not answer in Discord's form. It
		// means every call.
		e.Text = "Cloudflare, in front of Discord, has banned this machine for a while"
		r.limits.refused(e.RetryAfter, true)
	case n.global:
		r.limits.refused(e.RetryAfter, false)
	}
	return e
}

// failed makes a call's error, without the secrets that its text may quote.
func (r *REST) failed(c call, kind error, status int, text string, cause error) *Error {
	return &Error{Op: c.method + " " + c.op, Status: status, kind: kind, Text: r.redact(text, c.secret), cause: cause}
}

// redact removes the tokens from a text that others wrote.
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
