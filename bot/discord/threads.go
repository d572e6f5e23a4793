package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

const (
	// MaxThreadName is the most characters that the name of a thread can have. A longer
	// one is cut.
	MaxThreadName = 100
	// threadListed is for how many minutes without messages a thread stays among the
	// channels: the longest that Discord offers, which is also the longest time for a
	// move.
	threadListed = 7 * 24 * 60
	// codeHasThread is Discord's for a message from which a thread was started before.
	codeHasThread = 160004
)

// threadStart is the body of a call that starts a thread.
type threadStart struct {
	Name   string `json:"name"`
	Listed int    `json:"auto_archive_duration"`
	// Type is for a thread without a message. Discord makes it private unless told.
	Type discordgo.ChannelType `json:"type,omitempty"`
	// Message is the first one of a forum post.
	Message *message `json:"message,omitempty"`
}

func (r *REST) threadNamed(name string) threadStart {
	cut, whole := clip(name, MaxThreadName)
	if !whole {
		r.log.Error("cut the name of a thread, which was too long")
	}
	return threadStart{Name: cut, Listed: threadListed}
}

// StartThread starts a public thread in a text channel, without a message there, and
// returns its ID. Its name has 1 to [MaxThreadName] characters. It is sent at most once.
// It fails with [ErrForbidden] unless the application may create public threads, and with
// [ErrTooManyThreads].
func (r *REST) StartThread(ctx context.Context, channel, name string) (string, error) {
	body := r.threadNamed(name)
	body.Type = discordgo.ChannelTypeGuildPublicThread
	return r.message(ctx, call{
		method: http.MethodPost, op: "/channels/{channel}/threads", path: threadsPath(channel),
		bucket: "thread " + channel, payload: body,
	})
}

// StartThreadFrom starts a public thread from a message of a text channel, as
// [REST.StartThread] does, and returns its ID, which is the message's. A message has one
// thread at most: where there is one already, nothing changes and that is not a failure.
func (r *REST) StartThreadFrom(ctx context.Context, channel, message, name string) (string, error) {
	id, err := r.message(ctx, call{
		method: http.MethodPost, op: "/channels/{channel}/messages/{message}/threads",
		path:   "channels/" + url.PathEscape(channel) + "/messages/" + url.PathEscape(message) + "/threads",
		bucket: "thread " + channel, payload: r.threadNamed(name), again: true,
	})
	if e := (*Error)(nil); errors.As(err, &e) && e.Code == codeHasThread {
		return message, nil
	}
	return id, err
}

// StartPost starts a post in a forum with its first message, and returns the IDs of both
// (they are the same today). It is sent at most once. It fails with [ErrForbidden] unless
// the application may send messages in the forum, with [ErrTooManyThreads], and with
// [ErrPrivate] for a private message.
func (r *REST) StartPost(ctx context.Context, forum, name string, m view.Message, picture []byte) (thread, messageID string, err error) {
	if m.Private {
		return "", "", ErrPrivate
	}
	body := r.threadNamed(name)
	first, files := r.encode(m, picture)
	body.Message = &first
	var got struct {
		ID      string `json:"id"`
		Message struct {
			ID string `json:"id"`
		} `json:"message"`
	}
	err = r.get(ctx, call{
		method: http.MethodPost, op: "/channels/{channel}/threads", path: threadsPath(forum),
		bucket: "thread " + forum, payload: body, files: files,
	}, &got)
	if got.Message.ID == "" {
		got.Message.ID = got.ID // Discord's own description of the answer lacks the message
	}
	return got.ID, got.Message.ID, err
}

func threadsPath(channel string) string { return "channels/" + url.PathEscape(channel) + "/threads" }

// threadChange is the body of a call that changes a thread; nil leaves a field as it is.
type threadChange struct {
	Archived *bool `json:"archived,omitempty"`
	Locked   *bool `json:"locked,omitempty"`
}

// ArchiveThread closes a thread: whoever writes there opens it again, and messages in it
// cannot be edited meanwhile. One that is closed already is left as it is. It fails with
// [ErrForbidden] unless the application started the thread or may manage threads.
func (r *REST) ArchiveThread(ctx context.Context, thread string) error {
	yes := true
	err := r.changeThread(ctx, thread, threadChange{Archived: &yes})
	if errors.Is(err, ErrArchived) {
		return nil
	}
	return err
}

// LockThread closes a thread so that only people who manage threads can open it or write
// there. It fails with [ErrForbidden] unless the application may manage threads, even if
// it started the thread.
func (r *REST) LockThread(ctx context.Context, thread string) error {
	yes, no := true, false
	err := r.changeThread(ctx, thread, threadChange{Archived: &yes, Locked: &yes})
	if !errors.Is(err, ErrArchived) {
		return err
	}
	// Only an open thread can be changed.
	if err := r.changeThread(ctx, thread, threadChange{Archived: &no, Locked: &yes}); err != nil {
		return err
	}
	return r.changeThread(ctx, thread, threadChange{Archived: &yes})
}

// ReopenThread opens an archived thread, so that messages in it can be edited. One that is
// open already is left as it is. It fails with [ErrForbidden] if the thread is locked and
// the application may not manage threads, or if it may not write there, and with
// [ErrTooManyThreads].
func (r *REST) ReopenThread(ctx context.Context, thread string) error {
	no := false
	return r.changeThread(ctx, thread, threadChange{Archived: &no})
}

func (r *REST) changeThread(ctx context.Context, thread string, to threadChange) error {
	_, err := r.message(ctx, call{
		method: http.MethodPatch, op: "/channels/{channel}", path: "channels/" + url.PathEscape(thread),
		bucket: "channel " + thread, payload: to, again: true,
	})
	return err
}

// OpenDM returns the channel of the direct messages with a person, who need not have
// written to the application before. That the person takes messages shows only when one
// is sent: [REST.Post] fails with [ErrDMClosed] if not. The channel never changes, so it
// can be kept; Discord does not want many to be opened in a short time, and answers with
// [ErrRateLimited].
func (r *REST) OpenDM(ctx context.Context, user match.UserID) (string, error) {
	return r.message(ctx, call{
		method: http.MethodPost, op: "/users/@me/channels", path: "users/@me/channels",
		bucket: "dm", again: true,
		payload: struct {
			Recipient match.UserID `json:"recipient_id"`
		}{user},
	})
}

// place is what discordgo does not read of where an interaction comes from.
type place struct {
	Channel struct {
		Type   discordgo.ChannelType `json:"type"`
		Parent string                `json:"parent_id"` // of a channel that is no thread, its category
		Thread struct {
			Archived bool `json:"archived"`
			Locked   bool `json:"locked"`
		} `json:"thread_metadata"`
	} `json:"channel"`
}

// placeOf reads the place of an interaction, as far as it can be read.
func placeOf(data json.RawMessage) (p place) {
	_ = json.Unmarshal(data, &p) // what cannot be read has been logged
	return p
}

// tell completes a request.
func (p place) tell(r *Request) {
	switch p.Channel.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
		r.Thread, r.Parent = true, p.Channel.Parent
		r.Archived, r.Locked = p.Channel.Thread.Archived, p.Channel.Thread.Locked
	}
}
