package discordsim

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// AddForum makes a forum, a channel that only has threads, and gives its ID; "" when the
// guild does not exist.
func (s *Server) AddForum(guildID, name string) string {
	return s.addChannel(Channel{Type: ForumChannel, GuildID: guildID, Name: name})
}

// StartThread starts a thread in a text channel and gives its ID: from a message, or
// beside all of them with a message ID of "". It takes the permission Create Public
// Threads.
func (a *Actor) StartThread(channelID, messageID, name string) (string, error) {
	s := a.s
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ch, err := a.starting(channelID, name, TextChannel)
	if err != nil {
		return "", err
	}
	if messageID == "" {
		if e := s.mayStart(ch, a.id, false); e != nil {
			return "", forbidden(e)
		}
		return s.newThread(ch, a.id, "", body).ID, nil
	}
	m, err := a.visible(ch, messageID)
	if err != nil {
		return "", err
	}
	if m.EphemeralFor != "" {
		return "", fmt.Errorf("%w: only you see the message", ErrForbidden)
	}
	thread, e := s.threadFrom(ch, m, a.id, body)
	if e != nil {
		return "", forbidden(e)
	}
	return thread.ID, nil
}

// StartPost starts a post in a forum with its first message, and gives the ID that both
// have.
func (a *Actor) StartPost(forumID, name, content string) (string, error) {
	s := a.s
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ch, err := a.starting(forumID, name, ForumChannel)
	if err != nil {
		return "", err
	}
	content, err = sayable(content)
	if err != nil {
		return "", err
	}
	if e := s.mayStart(ch, a.id, false); e != nil {
		return "", forbidden(e)
	}
	thread := s.newThread(ch, a.id, "", body)
	m := s.newMessage(thread, *s.users[a.id])
	m.ID, m.Content = thread.ID, content
	s.post(thread, m, nil, false)
	return thread.ID, nil
}

// starting finds the place for a new thread. The caller holds s.mu.
func (a *Actor) starting(channelID, name string, kind ChannelType) (check.Thread, *channel, error) {
	_, ch, err := a.place(channelID)
	if err != nil {
		return check.Thread{}, nil, err
	}
	if ch.Type != kind {
		return check.Thread{}, nil, fmt.Errorf("%w: the channel has no such threads", ErrForbidden)
	}
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > check.MaxThreadName || !utf8.ValidString(name) {
		return check.Thread{}, nil, fmt.Errorf("%w: a thread's name has 1 to %d characters", ErrBadInput, check.MaxThreadName)
	}
	return check.Thread{Name: name}, ch, nil
}

// sayable gives a text as it is sent, if it can be.
func sayable(content string) (string, error) {
	content = strings.TrimSpace(content)
	if n := utf8.RuneCountInString(content); n < 1 || n > check.MaxContent || !utf8.ValidString(content) {
		return "", fmt.Errorf("%w: a message has 1 to %d characters", ErrBadInput, check.MaxContent)
	}
	return content, nil
}

func forbidden(e *apiError) error { return fmt.Errorf("%w: %s", ErrForbidden, e.message) }

// Archive closes a thread: the person started it or manages threads.
func (a *Actor) Archive(threadID string) error { return a.change(threadID, true, nil) }

// Unarchive opens a thread again: the person may write in it, and it is not locked unless
// they manage threads.
func (a *Actor) Unarchive(threadID string) error { return a.change(threadID, false, nil) }

// Lock closes a thread and leaves it to those who manage threads, of whom the person is
// one.
func (a *Actor) Lock(threadID string) error { return a.lock(threadID, true) }

// Unlock opens a locked thread for everybody again: the person manages threads.
func (a *Actor) Unlock(threadID string) error { return a.lock(threadID, false) }

func (a *Actor) lock(threadID string, locked bool) error { return a.change(threadID, locked, &locked) }

// change archives or opens a thread and, unless locked is nil, locks or unlocks it. Clients
// do in one press what takes a bot two requests.
func (a *Actor) change(threadID string, archived bool, locked *bool) error {
	s := a.s
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ch, err := a.place(threadID)
	if err != nil {
		return err
	}
	if ch.Type != ThreadChannel {
		return fmt.Errorf("%w: it is not a thread", ErrForbidden)
	}
	to := check.Thread{Archived: &archived, Locked: locked}
	e := s.mayChange(ch, a.id, to)
	if e == nil {
		e = s.change(ch, to)
	}
	if e != nil {
		return forbidden(e)
	}
	return nil
}
