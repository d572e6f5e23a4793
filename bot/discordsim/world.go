package discordsim

import (
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// AddUser makes an account and gives its ID. Name is made lower case; an empty
// Name is taken from DisplayName and the other way round; an empty Locale becomes
// "en-US"; an ID that is free is kept. When the name is taken, nothing changes
// and the existing user's ID comes back, so that a world can be set up again over
// an opened journal.
func (s *Server) AddUser(u User) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.DisplayName == "" {
		u.DisplayName = u.Name
	}
	if u.Name == "" {
		u.Name = u.DisplayName
	}
	u.Name = strings.ToLower(u.Name)
	for _, id := range s.userOrder {
		if s.users[id].Name == u.Name {
			return id
		}
	}
	setDefault(&u.Locale, "en-US")
	if !check.IsSnowflake(u.ID) || s.users[u.ID] != nil {
		u.ID = s.newID()
	}
	s.users[u.ID] = &u
	s.userOrder = append(s.userOrder, u.ID)
	s.record(recUser, u)
	s.emit(Event{Kind: EventWorld})
	return u.ID
}

// SetDisplayName changes what others see. Nothing is filtered, so it can be as
// hostile as real names are.
func (s *Server) SetDisplayName(userID, name string) {
	s.changeUser(userID, func(u *User) { u.DisplayName = name })
}

// AddGuild makes a guild with the bot as a member and gives its ID. An empty
// locale becomes "en-US".
func (s *Server) AddGuild(name, locale string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.newGuild(name, locale)
	g.join(s.botID, &member{Permissions: DefaultBotPermissions, Joined: s.clock.Now()})
	s.guilds[g.ID] = g
	s.guildOrder = append(s.guildOrder, g.ID)
	s.record(recGuild, g)
	s.emit(Event{Kind: EventWorld})
	s.dispatchGuild(g.ID, intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	return g.ID
}

func (s *Server) newGuild(name, locale string) *guild {
	setDefault(&locale, "en-US")
	if s.opts.Shards > 1 {
		// Guilds of one millisecond would share a shard.
		s.lastID = max(s.lastID, (s.lastID>>22+1)<<22-1)
	}
	return &guild{Guild: Guild{ID: s.newID(), Name: name, Locale: locale, OwnerID: s.botID}, Members: map[string]*member{}}
}

func (g *guild) join(userID string, m *member) {
	if g.Members[userID] == nil {
		g.order = append(g.order, userID)
	}
	g.Members[userID] = m
}

// AddChannel makes a text channel and gives its ID; "" when the guild does not
// exist.
func (s *Server) AddChannel(guildID, name string) string {
	return s.addChannel(Channel{Type: TextChannel, GuildID: guildID, Name: name})
}

// AddThread makes a public thread in a text channel or an empty post in a forum and
// gives its ID; "" when the channel does not exist. It is nobody's in particular: see
// [Actor.StartThread] and [Actor.StartPost].
func (s *Server) AddThread(parentID, name string) string {
	return s.addChannel(Channel{Type: ThreadChannel, ParentID: parentID, Name: name})
}

func (s *Server) addChannel(c Channel) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Type == ThreadChannel {
		p := s.channels[c.ParentID]
		if p == nil || p.Type != TextChannel && p.Type != ForumChannel {
			return ""
		}
		c.GuildID = p.GuildID
	}
	if s.guilds[c.GuildID] == nil {
		return ""
	}
	return s.putChannel(c).ID
}

// putChannel adds a channel; with an ID of "" it gets one. The caller holds s.mu.
func (s *Server) putChannel(c Channel) *channel {
	if c.ID == "" {
		c.ID = s.newID()
	}
	ch := &channel{Channel: c, Allowed: map[string]Permissions{}}
	s.channels[c.ID] = ch
	s.channelOrder = append(s.channelOrder, c.ID)
	s.record(recChannel, ch)
	s.emit(Event{Kind: EventWorld, ChannelID: c.ID})
	switch c.Type {
	case TextChannel, ForumChannel:
		s.dispatchGuild(ch.GuildID, intentGuilds, "CHANNEL_CREATE", s.channelJSON(ch))
	case ThreadChannel:
		s.dispatchThread("THREAD_CREATE", ch)
	}
	return ch
}

// RemoveChannel deletes a channel or thread, the threads in it, and all that
// was said there.
func (s *Server) RemoveChannel(channelID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels[channelID] == nil {
		return
	}
	for _, id := range slices.Clone(s.channelOrder) {
		if s.channels[id].ParentID == channelID {
			s.dropChannel(s.channels[id])
		}
	}
	s.dropChannel(s.channels[channelID])
}

func (s *Server) dropChannel(ch *channel) {
	for _, m := range ch.messages {
		s.forgetBlobs(m)
	}
	delete(s.channels, ch.ID)
	s.channelOrder = slices.DeleteFunc(s.channelOrder, func(id string) bool { return id == ch.ID })
	s.record(recChannelGone, ch.ID)
	s.emit(Event{Kind: EventWorld, ChannelID: ch.ID})
	switch {
	case ch.Type == ThreadChannel:
		s.dispatchThread("THREAD_DELETE", ch)
	case ch.GuildID != "":
		s.dispatchGuild(ch.GuildID, intentGuilds, "CHANNEL_DELETE", s.channelJSON(ch))
	}
}

// Join makes the user a member of the guild.
func (s *Server) Join(guildID, userID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, u := s.guilds[guildID], s.users[userID]
	if g == nil || u == nil || g.Members[userID] != nil {
		return
	}
	p := DefaultMemberPermissions
	if userID == s.botID {
		p = DefaultBotPermissions
	}
	g.join(userID, &member{Permissions: p, Joined: s.clock.Now()})
	if g.OwnerID == s.botID && !u.Bot {
		g.OwnerID = userID
	}
	s.record(recGuild, g)
	s.emit(Event{Kind: EventWorld})
	if userID == s.botID {
		s.dispatchGuild(g.ID, intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	}
}

// Leave ends a membership. When the bot leaves, it receives GUILD_DELETE.
func (s *Server) Leave(guildID, userID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guildID]
	if g == nil || g.Members[userID] == nil {
		return
	}
	delete(g.Members, userID)
	g.order = slices.DeleteFunc(g.order, func(id string) bool { return id == userID })
	s.record(recGuild, g)
	s.emit(Event{Kind: EventWorld})
	if userID == s.botID {
		s.dispatchGuild(guildID, intentGuilds, "GUILD_DELETE", map[string]any{"id": guildID})
	}
}

// SetOutage makes a guild unavailable, as in an outage of Discord's, or available
// again. A bot with the intent for guilds receives GUILD_DELETE with
// "unavailable", which does not mean that it was removed, and GUILD_CREATE
// afterwards. READY still lists the guild; its route answers with 503. Nothing
// else changes.
func (s *Server) SetOutage(guildID string, out bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guildID]
	switch {
	case g == nil || g.Members[s.botID] == nil || g.outage == out:
	case out:
		g.outage = true
		s.dispatchGuild(guildID, intentGuilds, "GUILD_DELETE", map[string]any{"id": guildID, "unavailable": true})
	default:
		g.outage = false
		s.dispatchGuild(g.ID, intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	}
}

// dm gives the channel of the direct messages between the bot and a user. The
// caller holds s.mu.
func (s *Server) dm(userID string) *channel {
	for _, id := range s.channelOrder {
		if ch := s.channels[id]; ch.Type == DMChannel && ch.RecipientID == userID {
			return ch
		}
	}
	return s.putChannel(Channel{Type: DMChannel, RecipientID: userID})
}

// DeleteMessage removes a message, as a moderator does. It does nothing if the
// message does not exist.
func (s *Server) DeleteMessage(channelID, messageID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil {
		return
	}
	if m := ch.find(messageID); m != nil {
		s.remove(ch, m)
	}
}
