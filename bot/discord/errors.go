package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Kinds of failure. Every error of a [REST] call, except [ErrPrivate], is an
// [*Error] that wraps one of these; test with errors.Is.
var (
	// ErrUnknownInteraction says that Discord does not know the interaction:
	// the first answer came too late, or Discord lost it. Whether the person
	// saw anything is unknown.
	ErrUnknownInteraction = errors.New("unknown interaction")
	// ErrAcknowledged says that the interaction has already been answered, by us
	// or by another process with the same token.
	ErrAcknowledged = errors.New("interaction already acknowledged")
	// ErrTokenExpired says that the interaction's token no longer works. Use the
	// channel's routes.
	ErrTokenExpired = errors.New("interaction token expired")
	// ErrMessageGone says that the message does not exist, or is private, which
	// no channel route reaches.
	ErrMessageGone = errors.New("message gone")
	// ErrChannelGone says that the channel or its guild does not exist, or that
	// the bot may not see it.
	ErrChannelGone = errors.New("channel gone")
	// ErrNoChannel is an [ErrChannelGone] where the channel, such as a thread, does not
	// exist any more.
	ErrNoChannel = fmt.Errorf("%w: it does not exist", ErrChannelGone)
	// ErrForbidden says that the bot lacks a permission.
	ErrForbidden = errors.New("permission missing")
	// ErrArchived says that the thread is archived.
	ErrArchived = errors.New("thread archived")
	// ErrLocked says that the thread is locked.
	ErrLocked = errors.New("thread locked")
	// ErrTooManyThreads says that the guild has as many open threads as it can. Use the
	// channel itself.
	ErrTooManyThreads = errors.New("too many open threads")
	// ErrTooManyEdits says that a message older than an hour was edited too
	// often. Post a new one.
	ErrTooManyEdits = errors.New("too many edits of an old message")
	// ErrDMClosed says that the person does not accept direct messages from the
	// bot.
	ErrDMClosed = errors.New("direct messages closed")
	// ErrRateLimited says that Discord wants us to wait longer than the call's
	// context allows; [Error].RetryAfter says how long. Nothing was done.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnavailable says that Discord could not be reached or failed. Whether
	// it did what was asked is unknown.
	ErrUnavailable = errors.New("discord unavailable")
	// ErrBadToken says that the bot's token is wrong. Nothing works until the
	// operator sets the right one.
	ErrBadToken = errors.New("bot token refused: copy it again from the application's Bot page")
	// ErrRejected says that the request itself is wrong; the text has Discord's
	// reasons. Sending it again does not help.
	ErrRejected = errors.New("request rejected")
)

// ErrPrivate says that a message for one person was about to go to a channel,
// where everybody would see it. Nothing was sent.
var ErrPrivate = errors.New("a private message cannot go to a channel")

// Error is a failed call. Its text contains no token.
type Error struct {
	Op     string // "POST /channels/{channel}/messages"
	Status int    // HTTP's; 0 if there was no answer
	Code   int    // Discord's; 0 if there was none
	// Text is what Discord or the network says. If fields of the request are
	// wrong, it names them.
	Text string
	// RetryAfter is how long Discord wants us to wait, for [ErrRateLimited].
	RetryAfter time.Duration

	kind  error
	cause error // of the context or the network, never one that holds an address
}

// Error names the call, the kind of failure, the codes and Discord's reasons.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "discord: %s: %v", e.Op, e.kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d", e.Status)
		if e.Code != 0 {
			fmt.Fprintf(&b, ", code %d", e.Code)
		}
		b.WriteByte(')')
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %v", e.RetryAfter)
	}
	if e.Text != "" {
		b.WriteString(": " + e.Text)
	}
	return b.String()
}

// Unwrap returns the kind of failure and, if the call's context was done, the
// context's error.
func (e *Error) Unwrap() []error {
	if e.cause != nil {
		return []error{e.kind, e.cause}
	}
	return []error{e.kind}
}

// kindOf returns the kind of failure that an answer means. Discord's code wins over
// HTTP's status: 30046, for example, comes with 429 and is not a rate limit.
// Webhook routes are those with an interaction's token.
func kindOf(status, code int, webhook bool) error {
	switch code {
	case 10062:
		return ErrUnknownInteraction
	case 40060:
		return ErrAcknowledged
	case 50027, 10015:
		return ErrTokenExpired
	case 10008:
		return ErrMessageGone
	case 10003:
		return ErrNoChannel
	case 10004, 50001:
		return ErrChannelGone
	case 50013:
		return ErrForbidden
	case 50083:
		return ErrArchived
	case 160005:
		return ErrLocked
	case 160006, 160007:
		return ErrTooManyThreads
	case 40003: // direct messages were opened too fast
		return ErrRateLimited
	case 40058: // a new forum post lacks its first message, which is on its way
		return ErrUnavailable
	case 30046:
		return ErrTooManyEdits
	case 50007, 50278:
		return ErrDMClosed
	}
	switch {
	case status == http.StatusTooManyRequests:
		return ErrRateLimited
	case status >= 500:
		return ErrUnavailable
	case webhook && (status == http.StatusUnauthorized || status == http.StatusNotFound):
		return ErrTokenExpired
	case status == http.StatusUnauthorized:
		return ErrBadToken
	case status == http.StatusForbidden:
		return ErrForbidden
	}
	return ErrRejected
}

// refusal is the body of an error in Discord's form.
type refusal struct {
	Code       int             `json:"code"`
	Message    string          `json:"message"`
	Errors     json.RawMessage `json:"errors"`
	RetryAfter float64         `json:"retry_after"` // seconds
	Global     bool            `json:"global"`
}

// maxRefusalText is the most bytes of an error's text that others wrote.
const maxRefusalText = 1000

// text is the message, with the fields that Discord found wrong.
func (r refusal) text() string {
	text := r.Message
	if fields := fieldErrors(r.Errors); len(fields) > 0 {
		text += ": " + strings.Join(fields, "; ")
	}
	if len(text) > maxRefusalText {
		text = strings.ToValidUTF8(text[:maxRefusalText], "") + "…"
	}
	return text
}

// fieldErrors flattens Discord's nested errors, as
// "components.0.components.1.custom_id: must be unique (CODE)".
func fieldErrors(raw json.RawMessage) []string {
	var tree any
	if json.Unmarshal(raw, &tree) != nil {
		return nil
	}
	var list []string
	var walk func(path string, v any)
	walk = func(path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		for k, v := range m {
			if k != "_errors" {
				walk(strings.TrimPrefix(path+"."+k, "."), v)
				continue
			}
			faults, _ := v.([]any)
			for _, f := range faults {
				if f, ok := f.(map[string]any); ok {
					list = append(list, strings.TrimPrefix(fmt.Sprintf("%s: %v (%v)", path, f["message"], f["code"]), ": "))
				}
			}
		}
	}
	walk("", tree)
	slices.Sort(list)
	return list
}

// contextCause returns the context's error if the call failed because of it.
func contextCause(ctx context.Context, err error) error {
	if e := ctx.Err(); e != nil {
		return e
	}
	for _, e := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, e) {
			return e
		}
	}
	return nil
}
