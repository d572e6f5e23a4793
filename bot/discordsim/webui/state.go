package webui

import (
	"net/http"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// tones is the number of avatar colours for people; tone 0 is the bot's.
const tones = 7

type userView struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"` // the display name
	Locale   string `json:"locale"`
	Bot      bool   `json:"bot"`
	Tone     int    `json:"tone"` // colour of the avatar, 0 to tones
	// Installed: the user has installed the application for themselves.
	Installed bool `json:"installed"`
	DMClosed  bool `json:"dmClosed"` // takes no direct messages from the bot
	// BotBlocked: the user gets no direct messages from the bot and cannot write to it.
	BotBlocked bool `json:"botBlocked"`
}

type guildView struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Foreign bool   `json:"foreign"` // the bot is not in it
}

type channelView struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"` // text, forum, thread, dm, group
	Name      string    `json:"name"`
	Guild     string    `json:"guild"`
	Parent    string    `json:"parent"`
	Archived  bool      `json:"archived"`
	Locked    bool      `json:"locked"`
	Recipient *userView `json:"recipient,omitempty"` // dm: the other side
	Last      string    `json:"last"`                // the newest message all can see, "" when empty
	Mentions  []string  `json:"mentions"`            // messages that notified the user, oldest first
	CanWrite  bool      `json:"canWrite"`
	Commands  []string  `json:"commands"` // IDs of the commands the user can run there
}

type stateView struct {
	Me        userView      `json:"me"`
	Bot       userView      `json:"bot"`
	BotOnline bool          `json:"botOnline"`
	Users     []userView    `json:"users"` // people by age of the account, the bot last
	Guilds    []guildView   `json:"guilds"`
	Channels  []channelView `json:"channels"`
	Commands  []commandView `json:"commands"`
	Examples  []string      `json:"examples"`
}

// asUser finds the user that a request is made as: the one whose name or ID is in
// ?as=, or the first person if it is empty.
func (u *ui) asUser(handle func(http.ResponseWriter, *http.Request, userView)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		as := r.URL.Query().Get("as")
		for _, user := range u.users() {
			if !user.Bot && (as == "" || user.ID == as || strings.EqualFold(user.Username, as)) {
				handle(w, r, user)
				return
			}
		}
		writeError(w, &apiError{http.StatusNotFound, CodeUnknownUser, "user " + as + " does not exist"})
	}
}

// users returns everybody, people first. Tones follow from the position, so that
// neighbours differ and a person's colour never changes.
func (u *ui) users() []userView {
	var people, bots []userView
	for _, user := range u.sim.Users() {
		if user.Bot {
			bots = append(bots, viewUser(user, 0))
		} else {
			people = append(people, viewUser(user, 1+len(people)%tones))
		}
	}
	return append(people, bots...)
}

func viewUser(user discordsim.User, tone int) userView {
	view := userView{ID: user.ID, Username: user.Name, Name: user.DisplayName, Locale: user.Locale, Bot: user.Bot, Tone: tone, Installed: user.Installed, DMClosed: user.DMClosed, BotBlocked: user.BotBlocked}
	if view.Name == "" {
		view.Name = user.Name
	}
	if view.Locale == "" {
		view.Locale = "en-US" // Discord's own default
	}
	return view
}

// find returns the user with the ID, or a nameless one if it is unknown.
func find(users []userView, id string) userView {
	for _, user := range users {
		if user.ID == id {
			return user
		}
	}
	return userView{ID: id, Name: "?"}
}

func (u *ui) state(w http.ResponseWriter, _ *http.Request, me userView) {
	users := u.users()
	state := stateView{
		Me: me, Bot: find(users, u.sim.BotID()), BotOnline: u.sim.BotOnline(), Users: users,
		Guilds: []guildView{}, Channels: []channelView{}, Examples: u.opts.Examples,
	}
	if state.Examples == nil {
		state.Examples = []string{}
	}
	for _, guild := range u.sim.Guilds() {
		state.Guilds = append(state.Guilds, guildView{guild.ID, guild.Name, !u.sim.IsMember(guild.ID, state.Bot.ID)})
	}
	var commands []check.Command
	for _, channel := range u.sim.Channels(me.ID) {
		view := u.viewChannel(channel, me, users)
		// Where commands cannot be run (a locked thread, a missing permission), none are listed.
		available, _ := u.sim.As(me.ID).Available(channel.ID)
		for _, command := range available {
			view.Commands = append(view.Commands, command.ID)
			if !slices.ContainsFunc(commands, func(c check.Command) bool { return c.ID == command.ID }) {
				commands = append(commands, command)
			}
		}
		state.Channels = append(state.Channels, view)
	}
	state.Commands = viewCommands(commands, me.Locale)
	writeJSON(w, http.StatusOK, state)
}

func (u *ui) viewChannel(channel discordsim.Channel, me userView, users []userView) channelView {
	view := channelView{
		ID: channel.ID, Kind: "text", Name: channel.Name, Guild: channel.GuildID, Parent: channel.ParentID,
		Archived: channel.Archived, Locked: channel.Locked, Mentions: []string{}, Commands: []string{},
	}
	write := discordsim.SendMessages
	if channel.Type == discordsim.ThreadChannel {
		write = discordsim.SendMessagesInThreads
	}
	may := u.sim.Permissions(channel.ID, me.ID)
	view.CanWrite = may.Has(write) && (!channel.Locked || may.Has(discordsim.ManageThreads))
	switch channel.Type {
	case discordsim.ForumChannel:
		view.Kind, view.CanWrite = "forum", false // people write in its posts
	case discordsim.ThreadChannel:
		view.Kind = "thread"
	case discordsim.GroupChannel:
		view.Kind = "group"
	case discordsim.DMChannel:
		other := find(users, u.sim.BotID())
		for _, id := range channel.Recipients {
			if id != me.ID {
				other = find(users, id)
			}
		}
		view.Kind, view.Name, view.Recipient = "dm", other.Name, &other
		if other.Bot {
			view.CanWrite = !me.BotBlocked
		}
	}
	for _, message := range u.sim.Messages(me.ID, channel.ID) {
		if message.EphemeralFor == "" {
			view.Last = message.ID
		}
		if notifies(message, me.ID, channel.GuildID == "") {
			view.Mentions = append(view.Mentions, message.ID)
		}
	}
	return view
}

// notifies reports whether a message drew the user's attention when it arrived:
// by a mention, or because it is a direct message.
func notifies(message discordsim.Message, userID string, direct bool) bool {
	if message.Author.ID == userID || message.EphemeralFor != "" {
		return false
	}
	direct = direct && message.Flags&check.FlagSuppressNotification == 0
	return direct || message.PingsEveryone || slices.Contains(message.Pings, userID)
}

// canSee reports whether the user sees the channel.
func (u *ui) canSee(me userView, channelID string) bool {
	return slices.ContainsFunc(u.sim.Channels(me.ID), func(c discordsim.Channel) bool { return c.ID == channelID })
}
