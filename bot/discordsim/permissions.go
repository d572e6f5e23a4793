package discordsim

import "slices"

// Permissions is a set of Discord's permission bits.
type Permissions uint64

// The permission bits that something here depends on or that everybody has.
const (
	Administrator          Permissions = 1 << 3
	ManageChannels         Permissions = 1 << 4
	ManageGuild            Permissions = 1 << 5
	ViewChannel            Permissions = 1 << 10
	SendMessages           Permissions = 1 << 11
	ManageMessages         Permissions = 1 << 13
	EmbedLinks             Permissions = 1 << 14
	AttachFiles            Permissions = 1 << 15
	ReadMessageHistory     Permissions = 1 << 16
	MentionEveryone        Permissions = 1 << 17
	UseApplicationCommands Permissions = 1 << 31
	ManageThreads          Permissions = 1 << 34
	CreatePublicThreads    Permissions = 1 << 35
	SendMessagesInThreads  Permissions = 1 << 38
	// UseExternalApps lets the answers of an application that a person has installed be
	// seen by others.
	UseExternalApps Permissions = 1 << 50

	// DefaultMemberPermissions is what a member has unless told otherwise.
	DefaultMemberPermissions = ViewChannel | SendMessages | EmbedLinks | AttachFiles |
		ReadMessageHistory | UseApplicationCommands | CreatePublicThreads | SendMessagesInThreads | UseExternalApps
	// DefaultBotPermissions is what the bot has unless told otherwise.
	DefaultBotPermissions = DefaultMemberPermissions
)

// allPermissions is what an administrator has: every bit Discord defines now.
const allPermissions Permissions = 1<<51 - 1

// dmPermissions is what app_permissions says in direct messages.
const dmPermissions = ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone

// Has reports whether all bits of q are in p.
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

// permissions gives what the user may do in the channel. The caller holds s.mu.
func (s *Server) permissions(ch *channel, userID string) Permissions {
	if ch.GuildID == "" {
		if userID == ch.RecipientID || userID == s.botID && ch.RecipientID != "" || slices.Contains(ch.Recipients, userID) {
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
		return 0 // whoever cannot see a channel can do nothing in it
	}
	return p
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
		if ch.Type == TextChannel || ch.Type == ForumChannel {
			s.dispatchGuild(ch.GuildID, intentGuilds, "CHANNEL_UPDATE", s.channelJSON(ch))
		}
	}
}
