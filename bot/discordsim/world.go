package discordsim

import (
	"slices"
	"strings"
	"time"
)

// guild is a Guild with its members.
type guild struct {
	Guild
	Members map[string]*member
	order   []string // user IDs in the order of joining
	outage  bool     // not kept in the journal: one ends with the server
}

type member struct {
	Permissions Permissions
	Joined      time.Time
}

// channel is a Channel with what was said in it.
type channel struct {
	Channel
	// Allowed holds the permissions of users (by ID) for whom the channel
	// differs from the guild.
	Allowed  map[string]Permissions
	messages []*message // oldest first
}

// AddUser makes an account and gives its ID. Name is made lower case; an empty
// Name is taken from DisplayName and the other way round; an empty Locale is
// "en-US"; an ID that is free is kept. When the name is taken nothing changes and the existing user's ID
// comes back, so that a world can be set up again over an opened journal.
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
	if !isSnowflake(u.ID) || s.users[u.ID] != nil {
		u.ID = s.newID()
	}
	s.users[u.ID] = &u
	s.userOrder = append(s.userOrder, u.ID)
	s.record(recUser, u)
	s.emit(Event{Kind: EventWorld})
	return u.ID
}

// SetDMClosed says whether the user refuses direct messages from the bot.
func (s *Server) SetDMClosed(userID string, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[userID]; u != nil {
		u.DMClosed = closed
		s.record(recUser, *u)
		s.emit(Event{Kind: EventWorld})
	}
}

// SetLocale changes the language of a user's client.
func (s *Server) SetLocale(userID, locale string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[userID]; u != nil {
		u.Locale = locale
		s.record(recUser, *u)
		s.emit(Event{Kind: EventWorld})
	}
}

// SetDisplayName changes what others see. Nothing is filtered, so it can be as
// hostile as real names are.
func (s *Server) SetDisplayName(userID, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[userID]; u != nil {
		u.DisplayName = name
		s.record(recUser, *u)
		s.emit(Event{Kind: EventWorld})
	}
}

// AddGuild makes a guild with the bot as a member and gives its ID. An empty
// locale is "en-US".
func (s *Server) AddGuild(name, locale string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	setDefault(&locale, "en-US")
	g := &guild{Guild: Guild{ID: s.newID(), Name: name, Locale: locale, OwnerID: s.botID}, Members: map[string]*member{}}
	g.join(s.botID, &member{Permissions: DefaultBotPermissions, Joined: s.clock.Now()})
	s.guilds[g.ID] = g
	s.guildOrder = append(s.guildOrder, g.ID)
	s.record(recGuild, g)
	s.emit(Event{Kind: EventWorld})
	s.dispatchGuild(intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	return g.ID
}

func (g *guild) join(userID string, m *member) {
	if g.Members[userID] == nil {
		g.order = append(g.order, userID)
	}
	g.Members[userID] = m
}

// AddChannel makes a text channel and gives its ID; "" when there is no such guild.
func (s *Server) AddChannel(guildID, name string) string {
	return s.addChannel(Channel{Type: TextChannel, GuildID: guildID, Name: name})
}

// AddThread makes a public thread in a text channel and gives its ID; "" when
// there is no such channel.
func (s *Server) AddThread(parentID, name string) string {
	return s.addChannel(Channel{Type: ThreadChannel, ParentID: parentID, Name: name})
}

func (s *Server) addChannel(c Channel) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Type == ThreadChannel {
		p := s.channels[c.ParentID]
		if p == nil || p.Type != TextChannel {
			return ""
		}
		c.GuildID = p.GuildID
	}
	if s.guilds[c.GuildID] == nil {
		return ""
	}
	return s.putChannel(c).ID
}

// putChannel adds a channel. The caller holds s.mu.
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
	case TextChannel:
		s.dispatchGuild(intentGuilds, "CHANNEL_CREATE", s.channelJSON(ch))
	case ThreadChannel:
		s.dispatchGuild(intentGuilds, "THREAD_CREATE", s.channelJSON(ch))
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
	name := "CHANNEL_DELETE"
	if ch.Type == ThreadChannel {
		name = "THREAD_DELETE"
	}
	if ch.Type != DMChannel {
		s.dispatchGuild(intentGuilds, name, s.channelJSON(ch))
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
		s.dispatchGuild(intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	}
}

// Leave ends a membership. When the bot leaves it is told GUILD_DELETE.
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
		s.dispatchGuild(intentGuilds, "GUILD_DELETE", map[string]any{"id": guildID})
	}
}

// SetOutage makes a guild unavailable, as in an outage of Discord's, or available
// again. A bot with the intent for guilds is told GUILD_DELETE with
// "unavailable", which does not mean that it was removed, and GUILD_CREATE
// afterwards. READY lists the guild all the same; its route answers with 503.
// Nothing else changes.
func (s *Server) SetOutage(guildID string, out bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guildID]
	switch {
	case g == nil || g.Members[s.botID] == nil || g.outage == out:
	case out:
		g.outage = true
		s.dispatchGuild(intentGuilds, "GUILD_DELETE", map[string]any{"id": guildID, "unavailable": true})
	default:
		g.outage = false
		s.dispatchGuild(intentGuilds, "GUILD_CREATE", s.guildCreateJSON(g))
	}
}

// SetThread archives, reopens, locks or unlocks a thread.
func (s *Server) SetThread(threadID string, archived, locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ch := s.channels[threadID]; ch != nil && ch.Type == ThreadChannel {
		s.setThread(ch, archived, locked)
	}
}

func (s *Server) setThread(ch *channel, archived, locked bool) {
	ch.Archived, ch.Locked = archived, locked
	s.record(recChannel, ch)
	s.emit(Event{Kind: EventWorld, ChannelID: ch.ID})
	s.dispatchGuild(intentGuilds, "THREAD_UPDATE", s.channelJSON(ch))
}

// SetMemberPermissions sets what a member (or the bot) may do in a guild.
func (s *Server) SetMemberPermissions(guildID, userID string, p Permissions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.guilds[guildID]; g != nil && g.Members[userID] != nil {
		g.Members[userID].Permissions = p
		s.record(recGuild, g)
		s.emit(Event{Kind: EventWorld})
	}
}

// SetChannelPermissions sets what a member (or the bot) may do in one channel
// and its threads, whatever the guild says.
func (s *Server) SetChannelPermissions(channelID, userID string, p Permissions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ch := s.channels[channelID]; ch != nil {
		ch.Allowed[userID] = p
		s.record(recChannel, ch)
		s.emit(Event{Kind: EventWorld, ChannelID: channelID})
		if ch.Type == TextChannel {
			s.dispatchGuild(intentGuilds, "CHANNEL_UPDATE", s.channelJSON(ch))
		}
	}
}

// allPermissions is what an administrator has: every bit Discord defines now.
const allPermissions Permissions = 1<<51 - 1

// dmPermissions is what app_permissions says in direct messages.
const dmPermissions = ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone

// permissions gives what the user may do in the channel. The caller holds s.mu.
func (s *Server) permissions(ch *channel, userID string) Permissions {
	if ch.Type == DMChannel {
		if userID == s.botID || userID == ch.RecipientID {
			return dmPermissions
		}
		return 0
	}
	g := s.guilds[ch.GuildID]
	if g == nil || g.Members[userID] == nil {
		return 0
	}
	p := g.Members[userID].Permissions
	if p.Has(Administrator) || g.OwnerID == userID && userID != s.botID {
		return allPermissions
	}
	if ch.ParentID != "" {
		if parent := s.channels[ch.ParentID]; parent != nil {
			if q, ok := parent.Allowed[userID]; ok {
				p = q
			}
		}
	}
	if q, ok := ch.Allowed[userID]; ok {
		p = q
	}
	if p.Has(Administrator) {
		return allPermissions
	}
	if !p.Has(ViewChannel) {
		return 0 // who cannot see a channel can do nothing in it
	}
	return p
}

// Has says whether all bits of q are in p.
func (p Permissions) Has(q Permissions) bool { return p&q == q }

// Permissions gives what a user may do in a channel; 0 for an unknown channel.
func (s *Server) Permissions(channelID, userID string) Permissions {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ch := s.channels[channelID]; ch != nil {
		return s.permissions(ch, userID)
	}
	return 0
}

// dm gives the direct messages of the bot with a user. The caller holds s.mu.
func (s *Server) dm(userID string) *channel {
	for _, id := range s.channelOrder {
		if ch := s.channels[id]; ch.Type == DMChannel && ch.RecipientID == userID {
			return ch
		}
	}
	return s.putChannel(Channel{Type: DMChannel, RecipientID: userID})
}

// Users gives everybody, the bot first, then in the order of appearance.
func (s *Server) Users() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]User, 0, len(s.userOrder))
	for _, id := range s.userOrder {
		out = append(out, *s.users[id])
	}
	return out
}

// Guilds gives all guilds in the order of making.
func (s *Server) Guilds() []Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Guild, 0, len(s.guildOrder))
	for _, id := range s.guildOrder {
		out = append(out, s.guilds[id].Guild)
	}
	return out
}

// Members gives the members of a guild in the order of joining.
func (s *Server) Members(guildID string) []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guildID]
	if g == nil {
		return nil
	}
	out := make([]User, 0, len(g.order))
	for _, id := range g.order {
		out = append(out, *s.users[id])
	}
	return out
}

// Channels gives the channels that the viewer can see (all of them for ""), in
// the order of making; threads and direct messages are among them.
func (s *Server) Channels(viewerID string) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Channel
	for _, id := range s.channelOrder {
		ch := s.channels[id]
		if viewerID == "" || s.permissions(ch, viewerID).Has(ViewChannel) {
			out = append(out, ch.Channel)
		}
	}
	return out
}

// Messages gives what the viewer sees in a channel, oldest first: public
// messages and the viewer's own ephemeral ones. The viewer "" sees everything,
// ephemeral messages of all people included.
func (s *Server) Messages(viewerID, channelID string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil || viewerID != "" && !s.permissions(ch, viewerID).Has(ViewChannel) {
		return nil
	}
	out := make([]Message, 0, len(ch.messages))
	for _, m := range ch.messages {
		if m.visibleTo(viewerID) {
			out = append(out, m.view())
		}
	}
	return out
}

// Message gives one message as the viewer sees it; false when it is not there
// or not theirs to see.
func (s *Server) Message(viewerID, channelID, messageID string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil || viewerID != "" && !s.permissions(ch, viewerID).Has(ViewChannel) {
		return Message{}, false
	}
	if m := ch.find(messageID); m != nil && m.visibleTo(viewerID) {
		return m.view(), true
	}
	return Message{}, false
}

// Commands gives the registered commands: the global ones and, with a guild ID, also that guild's.
func (s *Server) Commands(guildID string) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Command
	for _, c := range s.commands {
		if c.GuildID == "" || c.GuildID == guildID {
			out = append(out, *c)
		}
	}
	return out
}

// find gives a message by ID; nil when there is none.
func (ch *channel) find(id string) *message {
	for i := len(ch.messages) - 1; i >= 0; i-- {
		if ch.messages[i].ID == id {
			return ch.messages[i]
		}
	}
	return nil
}
