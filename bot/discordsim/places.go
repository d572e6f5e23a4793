package discordsim

import (
	"net/http"
	"slices"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Where the application is without its bot: direct messages among people, and guilds
// that have not added it. Whoever has installed it for themselves can use its commands
// there. The bot hears of these places through interactions alone, and can only answer
// those.

// Interaction contexts on the wire.
const (
	contextGuild   = 0
	contextBotDM   = 1
	contextPrivate = 2
)

// Kinds of installation on the wire.
const (
	guildInstall = 0
	userInstall  = 1
)

// maxUserFollowUps is how many messages may follow the first answer where the
// application is by a person's installation alone.
const maxUserFollowUps = 5

// SetInstalled makes the user install the application for themselves, or remove it
// again. It is apart from its being in guilds.
func (s *Server) SetInstalled(userID string, installed bool) {
	s.changeUser(userID, func(u *User) { u.Installed = installed })
}

// AddForeignGuild makes a guild that the bot is not in and gives its ID. An empty locale
// becomes "en-US".
func (s *Server) AddForeignGuild(name, locale string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.newGuild(name, locale)
	s.guilds[g.ID] = g
	s.guildOrder = append(s.guildOrder, g.ID)
	s.record(recGuild, g)
	s.emit(Event{Kind: EventWorld})
	return g.ID
}

// AddGroupDM makes direct messages among several people, of whom the bot is none, and
// gives the channel's ID; "" if there are not at least two people or one is unknown.
func (s *Server) AddGroupDM(name string, userIDs ...string) string {
	return s.addPrivate(Channel{Type: GroupChannel, Name: name, Recipients: userIDs})
}

// AddDM makes direct messages between two people, or finds those that there are, and
// gives the channel's ID; "" if one is unknown or both are the same.
func (s *Server) AddDM(userID, otherID string) string {
	return s.addPrivate(Channel{Type: DMChannel, Recipients: []string{userID, otherID}})
}

func (s *Server) addPrivate(c Channel) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Recipients = slices.Clone(c.Recipients)
	slices.Sort(c.Recipients)
	if len(slices.Compact(slices.Clone(c.Recipients))) != len(c.Recipients) || len(c.Recipients) < 2 {
		return ""
	}
	for _, id := range c.Recipients {
		if u := s.users[id]; u == nil || u.Bot {
			return ""
		}
	}
	for _, ch := range s.channels {
		if c.Type == DMChannel && ch.Type == DMChannel && slices.Equal(ch.Recipients, c.Recipients) {
			return ch.ID
		}
	}
	return s.putChannel(c).ID
}

// OpenDMWith gives the ID of the channel for direct messages between the person and
// somebody else; "" if that is nobody else.
func (a *Actor) OpenDMWith(userID string) string {
	if userID == a.s.botID {
		return a.OpenDM()
	}
	return a.s.AddDM(a.id, userID)
}

// context says what kind of place a channel is, in the numbers of interactions.
func (ch *channel) context() int {
	switch {
	case ch.GuildID != "":
		return contextGuild
	case ch.RecipientID != "":
		return contextBotDM
	}
	return contextPrivate
}

// guildOwner gives the owner of the installation in the place of a channel: the guild,
// or "0" for direct messages with the bot; "" if the bot is not there.
func (s *Server) guildOwner(ch *channel) string {
	switch ch.context() {
	case contextGuild:
		if g := s.guilds[ch.GuildID]; g == nil || g.Members[s.botID] == nil {
			return ""
		}
		return ch.GuildID
	case contextBotDM:
		return "0"
	}
	return ""
}

// commandOwners gives the installations by which the person can use a command in a
// channel, see [InteractionMetadata]; none if they cannot. The command says for which
// places and kinds of installation it is. Not documented: what an application that does
// not say so has; here it is every place, and guilds' installations.
func (s *Server) commandOwners(ch *channel, userID string, c *check.Command) map[string]string {
	owners := map[string]string{}
	if c.GuildID == "" && len(c.Contexts) > 0 && !slices.Contains(c.Contexts, ch.context()) {
		return owners
	}
	byGuild := len(c.IntegrationTypes) == 0 || slices.Contains(c.IntegrationTypes, guildInstall)
	if id := s.guildOwner(ch); id != "" && byGuild {
		owners["0"] = id
	}
	if c.GuildID == "" && s.users[userID].Installed && slices.Contains(c.IntegrationTypes, userInstall) {
		owners["1"] = userID
	}
	return owners
}

// componentOwners gives the installations by which a component of a message works. The
// person who presses it need not be the one who has installed the application.
func (s *Server) componentOwners(ch *channel, m *message) map[string]string {
	owners := map[string]string{}
	if id := s.guildOwner(ch); id != "" {
		owners["0"] = id
	}
	if m.Interaction != nil && m.Interaction.Owners["1"] != "" {
		owners["1"] = m.Interaction.Owners["1"]
	}
	return owners
}

// byUserOnly reports whether the application is there by a person's installation alone.
func (in *interaction) byUserOnly() bool { return in.owners["0"] == "" && in.owners["1"] != "" }

// appPermissions gives what the application may do in the place of an interaction. Not
// documented: what it is in a guild without the bot; here it is what of these
// permissions the person has.
func (s *Server) appPermissions(in *interaction, ch *channel) Permissions {
	const outside = EmbedLinks | AttachFiles | MentionEveryone
	switch {
	case !in.byUserOnly():
		return s.permissions(ch, s.botID)
	case ch.GuildID == "":
		return outside
	}
	return outside & s.permissions(ch, in.userID)
}

// forcedPrivate reports whether only the person sees an answer, whatever the bot says:
// where the bot is not, that takes a permission of the person's.
func (s *Server) forcedPrivate(in *interaction, ch *channel) bool {
	return in.byUserOnly() && ch.GuildID != "" && !s.permissions(ch, in.userID).Has(UseExternalApps)
}

// oneMore counts a message after the first answer and refuses one too many.
func (in *interaction) oneMore() *apiError {
	if in.byUserOnly() && in.followUps == maxUserFollowUps {
		return mistake(http.StatusBadRequest, 40094, "This interaction has reached the maximum number of follow-up messages")
	}
	in.followUps++
	return nil
}

// IsMember reports whether somebody (or the bot) is in a guild.
func (s *Server) IsMember(guildID, userID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.guilds[guildID]
	return g != nil && g.Members[userID] != nil
}
