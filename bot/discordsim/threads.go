package discordsim

import (
	"net/http"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Threads of text channels and posts of forums. What archiving does: nobody edits or
// uses commands in an archived thread, and whoever writes there opens it again. A locked
// one is left to those who manage threads.

const (
	// maxThreads is how many threads of a guild can be open at a time, unless
	// [Options] say another number.
	maxThreads = 1000
	// defaultAutoArchive is in minutes.
	defaultAutoArchive = 4320
	// flagHasThread is on a message from which a thread was started.
	flagHasThread = 1 << 5
)

var (
	errNoThreadsHere  = mistake(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	errHasThread      = refusal(http.StatusBadRequest, 160004, "A thread has already been created for this message")
	errTooManyThreads = refusal(http.StatusBadRequest, 160006, "Maximum number of active threads reached")
)

// threadRoutes are the routes for threads.
func threadRoutes() []route {
	return []route{
		{method: "POST", template: "/channels/{channel_id}/threads", h: startThread},
		{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", h: startThreadFrom},
		{method: "PATCH", template: "/channels/{channel_id}", h: changeThread},
	}
}

// startThread starts a thread without a message, or a forum post with its first one.
func startThread(c *call) (int, any, *apiError) {
	s := c.s
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	switch ch.Type {
	case TextChannel:
		body := f.StartThread(c.body, check.WithoutMessage, check.Request{})
		if err := c.finish(f); err != nil {
			return 0, nil, err
		}
		if err := s.mayStart(ch, s.botID, false); err != nil {
			return 0, nil, err
		}
		return http.StatusCreated, s.channelJSON(s.newThread(ch, s.botID, "", body)), nil
	case ForumChannel:
		body := f.StartThread(c.body, check.ForumPost, check.Request{Kind: check.FirstMessage, Version: c.version, Files: c.files, Emoji: s.hasEmoji})
		if err := c.finish(f); err != nil {
			return 0, nil, err
		}
		if body.Message.Empty(nil) {
			return 0, nil, errEmptyMessage
		}
		if err := s.mayStart(ch, s.botID, len(c.files) > 0); err != nil {
			return 0, nil, err
		}
		thread := s.newThread(ch, s.botID, "", body)
		m := s.newMessage(thread, *s.users[s.botID])
		m.ID = thread.ID // as with every forum post
		s.fill(m, body.Message, false)
		s.post(thread, m, body.Message.Mentions, false)
		out := s.channelJSON(thread)
		out["message"] = s.messageJSON(m)
		return http.StatusCreated, out, nil
	}
	return 0, nil, errNoThreadsHere
}

// startThreadFrom starts a thread from a message. Both have the same ID.
func startThreadFrom(c *call) (int, any, *apiError) {
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if ch.Type != TextChannel {
		return 0, nil, errNoThreadsHere
	}
	f := &check.Form{}
	body := f.StartThread(c.body, check.FromMessage, check.Request{})
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	thread, err := c.s.threadFrom(ch, m, c.s.botID, body)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, c.s.channelJSON(thread), nil
}

// threadFrom starts somebody's thread from a message. The caller holds s.mu.
func (s *Server) threadFrom(ch *channel, m *message, userID string, body check.Thread) (*channel, *apiError) {
	if err := s.mayStart(ch, userID, false); err != nil {
		return nil, err
	}
	if s.channels[m.ID] != nil {
		return nil, errHasThread
	}
	thread := s.newThread(ch, userID, m.ID, body)
	s.messageChanged(ch, m) // it has a thread now
	return thread, nil
}

// mayStart refuses a thread or forum post that somebody's permissions or the number of
// those that are open do not allow. The caller holds s.mu.
func (s *Server) mayStart(ch *channel, userID string, files bool) *apiError {
	need := CreatePublicThreads
	if ch.Type == ForumChannel {
		need = SendMessages // whatever the other permission says
	}
	if files {
		need |= AttachFiles
	}
	if !s.permissions(ch, userID).Has(need) {
		return errMissingPermission
	}
	return s.roomForThread(ch.GuildID)
}

// roomForThread refuses one open thread too many in a guild.
func (s *Server) roomForThread(guildID string) *apiError {
	open := 0
	for _, ch := range s.channels {
		if ch.Type == ThreadChannel && ch.GuildID == guildID && !ch.Archived {
			open++
		}
	}
	if open >= s.opts.ThreadLimit {
		return errTooManyThreads
	}
	return nil
}

// newThread adds a thread to a channel; with an ID of "" it gets one. The caller holds
// s.mu.
func (s *Server) newThread(parent *channel, userID, id string, body check.Thread) *channel {
	return s.putChannel(Channel{
		ID: id, Type: ThreadChannel, GuildID: parent.GuildID, ParentID: parent.ID, Name: body.Name,
		OwnerID: userID, AutoArchive: body.AutoArchive,
	})
}

// changeThread changes a thread's name or state.
func changeThread(c *call) (int, any, *apiError) {
	s := c.s
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	if ch.Type != ThreadChannel {
		return 0, nil, errNoThreadsHere
	}
	f := &check.Form{}
	to := f.ChangeThread(c.body)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	if err := s.mayChange(ch, s.botID, to); err != nil {
		return 0, nil, err
	}
	if ch.Archived && (to.Archived == nil || *to.Archived) {
		return 0, nil, errThreadArchived
	}
	if err := s.change(ch, to); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, s.channelJSON(ch), nil
}

// mayChange refuses a change of a thread that somebody's permissions do not allow.
// Opening it again takes no more than writing does; its other settings belong to those
// who manage threads and, but for the lock, to the person who started it. The caller
// holds s.mu.
func (s *Server) mayChange(ch *channel, userID string, to check.Thread) *apiError {
	p := s.permissions(ch, userID)
	opens := to.Archived != nil && !*to.Archived && to.Name == "" && to.AutoArchive == 0
	switch {
	case p.Has(ManageThreads):
		return nil
	case ch.Locked || to.Locked != nil:
		return errMissingPermission
	case opens && p.Has(SendMessagesInThreads), ch.OwnerID == userID:
		return nil
	}
	return errMissingPermission
}

// change makes a change of a thread that is allowed. The caller holds s.mu.
func (s *Server) change(ch *channel, to check.Thread) *apiError {
	archived, locked := ch.Archived, ch.Locked
	if to.Archived != nil {
		archived = *to.Archived
	}
	if to.Locked != nil {
		locked = *to.Locked
	}
	if ch.Archived && !archived {
		if err := s.roomForThread(ch.GuildID); err != nil {
			return err
		}
	}
	if to.Name != "" {
		ch.Name = to.Name
	}
	if to.AutoArchive != 0 {
		ch.AutoArchive = to.AutoArchive
	}
	s.setThread(ch, archived, locked)
	return nil
}

// setThread sets the state of a thread and announces it. The caller holds s.mu.
func (s *Server) setThread(ch *channel, archived, locked bool) {
	if ch.Archived != archived {
		ch.StateChanged = s.clock.Now()
	}
	ch.Archived, ch.Locked = archived, locked
	s.record(recChannel, ch)
	s.emit(Event{Kind: EventWorld, ChannelID: ch.ID})
	s.dispatchThread("THREAD_UPDATE", ch)
}

// SetThread archives, reopens, locks or unlocks a thread, as somebody who manages
// threads does.
func (s *Server) SetThread(threadID string, archived, locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ch := s.channels[threadID]; ch != nil && ch.Type == ThreadChannel {
		s.setThread(ch, archived, locked)
	}
}

// dispatchThread tells the bot about a thread, if it sees it. The caller holds s.mu.
func (s *Server) dispatchThread(event string, ch *channel) {
	if !s.permissions(ch, s.botID).Has(ViewChannel) {
		return
	}
	data := s.channelJSON(ch)
	switch event {
	case "THREAD_CREATE":
		data["newly_created"] = true
	case "THREAD_DELETE":
		data = map[string]any{"id": ch.ID, "guild_id": ch.GuildID, "parent_id": ch.ParentID, "type": int(ch.Type)}
	}
	s.dispatchGuild(ch.GuildID, intentGuilds, event, data)
}

// threadFields adds what only threads have to the wire form of a channel.
func (s *Server) threadFields(ch *channel, out map[string]any) {
	owner := ch.OwnerID
	if g := s.guilds[ch.GuildID]; owner == "" && g != nil {
		owner = g.OwnerID // of a thread that AddThread made
	}
	said := 0
	for _, m := range ch.messages {
		if m.EphemeralFor == "" && m.ID != ch.ID { // the first message of a forum post does not count
			said++
		}
	}
	made := snowflakeTime(ch.ID)
	changed := ch.StateChanged
	if changed.IsZero() {
		changed = made
	}
	minutes := ch.AutoArchive
	setDefault(&minutes, defaultAutoArchive)
	out["guild_id"], out["name"], out["parent_id"], out["owner_id"] = ch.GuildID, ch.Name, ch.ParentID, owner
	out["rate_limit_per_user"] = 0
	out["message_count"], out["total_message_sent"], out["member_count"] = said, said, 1
	out["thread_metadata"] = map[string]any{
		"archived": ch.Archived, "locked": ch.Locked, "auto_archive_duration": minutes,
		"archive_timestamp": stamp(changed), "create_timestamp": stamp(made),
	}
}

// threadOf gives the thread that was started from a message; nil if there is none.
func (s *Server) threadOf(m *message) *channel {
	if t := s.channels[m.ID]; t != nil && t.Type == ThreadChannel && t.ParentID == m.ChannelID {
		return t
	}
	return nil
}
