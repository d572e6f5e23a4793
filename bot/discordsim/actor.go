package discordsim

import (
	"context"
	"fmt"
)

// Actor is a person at a client. It does only what Discord's client would let the
// person do. The methods that start an interaction return with the bot's first
// answer, when the time for it has run out ([ErrNoAnswer]), or when ctx is done.
type Actor struct {
	s  *Server
	id string
}

// As gives the actor for a user ID. With an unknown ID the actor's methods return
// [ErrUnknownUser].
func (s *Server) As(userID string) *Actor { return &Actor{s: s, id: userID} }

// ID gives the user ID.
func (a *Actor) ID() string { return a.id }

// start begins an interaction with s.mu held and waits for the answer without.
func (a *Actor) start(ctx context.Context, channelID string, begin func(u *User, ch *channel) (*interaction, error)) (*Reply, error) {
	s := a.s
	s.mu.Lock()
	u, ch, err := a.place(channelID)
	var in *interaction
	if err == nil {
		in, err = begin(u, ch)
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case o := <-in.done:
		return o.reply, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// place finds the person and a channel they can see. The caller holds s.mu.
func (a *Actor) place(channelID string) (*User, *channel, error) {
	if a.s.closed {
		return nil, nil, ErrClosed
	}
	u := a.s.users[a.id]
	if u == nil {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknownUser, a.id)
	}
	ch := a.s.channels[channelID]
	if ch == nil || !a.s.permissions(ch, a.id).Has(ViewChannel) {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknownChannel, channelID)
	}
	return u, ch, nil
}

// Say posts a plain message of 1 to 2,000 characters. Mentions in it notify
// people.
func (a *Actor) Say(ctx context.Context, channelID, content string) (Message, error) {
	if err := ctx.Err(); err != nil {
		return Message{}, err
	}
	s := a.s
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ch, err := a.place(channelID)
	if err != nil {
		return Message{}, err
	}
	p := s.permissions(ch, a.id)
	need := SendMessages
	if ch.Type == ThreadChannel {
		need = SendMessagesInThreads
	}
	if !p.Has(need) || ch.Locked && !p.Has(ManageThreads) || ch.Type == ForumChannel || s.hasBlocked(ch, a.id) {
		return Message{}, fmt.Errorf("%w: no permission to write", ErrForbidden)
	}
	content, err = sayable(content)
	if err != nil {
		return Message{}, err
	}
	m := s.newMessage(ch, *u)
	m.Content = content
	s.post(ch, m, nil, false)
	return m.view(), nil
}

// OpenDM gives the ID of the channel for direct messages between the person and
// the bot; "" for an unknown person.
func (a *Actor) OpenDM() string {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if u := a.s.users[a.id]; u == nil || u.Bot {
		return ""
	}
	return a.s.dm(a.id).ID
}

// Dismiss hides one of the person's own ephemeral messages, as the client's
// "Dismiss message" does. The bot does not learn of it.
func (a *Actor) Dismiss(channelID, messageID string) error {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	_, ch, err := a.place(channelID)
	if err != nil {
		return err
	}
	m := ch.find(messageID)
	if m == nil || m.EphemeralFor != a.id || m.Hidden {
		return fmt.Errorf("%w: %q", ErrUnknownMessage, messageID)
	}
	m.Hidden = true
	a.s.record(recMessage, m)
	a.s.emitMessage(EventMessageDelete, m)
	return nil
}
