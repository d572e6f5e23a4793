package discordsim

import (
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// User is somebody with an account. Nobody has an avatar.
type User struct {
	ID string `json:"id"`
	// Name is the unique user name ("ann").
	Name string `json:"username"`
	// DisplayName is what others see ("Ann"); it need not be unique.
	DisplayName string `json:"global_name"`
	// Locale is one of Discord's locales ("en-US", "de").
	Locale string `json:"locale"`
	Bot    bool   `json:"bot"`
	// DMClosed says that the user accepts no direct messages (error 50007).
	DMClosed bool `json:"dm_closed"`
	// BotBlocked says that the user has blocked the bot (error 50007).
	BotBlocked bool `json:"bot_blocked,omitempty"`
	// Installed says that the user has installed the application for themselves and
	// takes it along to wherever they are.
	Installed bool `json:"installed,omitempty"`
}

// Guild is what Discord's users call a server.
type Guild struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Locale  string `json:"preferred_locale"`
	OwnerID string `json:"owner_id"`
}

// guild is a Guild with its members.
type guild struct {
	Guild
	Members map[string]*member
	order   []string // user IDs in the order of joining
	outage  bool     // not in the journal: an outage ends with the server
}

type member struct {
	Permissions Permissions
	Joined      time.Time
}

// ChannelType is Discord's number for a kind of channel.
type ChannelType int

// The kinds of channel that are modelled.
const (
	TextChannel   ChannelType = 0
	DMChannel     ChannelType = 1
	GroupChannel  ChannelType = 3  // direct messages among several people
	ThreadChannel ChannelType = 11 // of a text channel, or a post of a forum
	ForumChannel  ChannelType = 15 // it has threads and no messages of its own
)

// Channel is a place for messages.
type Channel struct {
	ID       string      `json:"id"`
	Type     ChannelType `json:"type"`
	GuildID  string      `json:"guild_id"`  // "" in direct messages
	ParentID string      `json:"parent_id"` // of a thread
	Name     string      `json:"name"`
	// RecipientID is the person on the other side of the bot in direct messages.
	RecipientID string `json:"recipient_id"`
	// Recipients are the people of direct messages that the bot is no part of: two in a
	// DMChannel, more in a GroupChannel.
	Recipients []string `json:"recipients,omitempty"`
	Archived   bool     `json:"archived"` // threads only
	Locked     bool     `json:"locked"`   // threads only
	// OwnerID is who started a thread; "" if [Server.AddThread] did.
	OwnerID string `json:"owner_id,omitempty"`
	// AutoArchive is in minutes; 0 is the default. Nothing happens when they are over.
	AutoArchive int `json:"auto_archive,omitempty"`
	// StateChanged is when a thread was archived or opened again; zero if never.
	StateChanged time.Time `json:"state_changed,omitzero"`
}

// channel is a Channel with what was said in it.
type channel struct {
	Channel
	// Allowed holds the permissions of the users (by ID) for whom the channel
	// differs from the guild.
	Allowed  map[string]Permissions
	messages []*message // oldest first
}

// find gives a message by ID; nil when the channel does not have it.
func (ch *channel) find(id string) *message {
	for i := len(ch.messages) - 1; i >= 0; i-- {
		if ch.messages[i].ID == id {
			return ch.messages[i]
		}
	}
	return nil
}

// Attachment is a file of a message. Its bytes come from [Server.Attachment].
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"` // the alt text
	ContentType string `json:"content_type,omitempty"`
	Size        int    `json:"size"`             // bytes
	Width       int    `json:"width,omitempty"`  // pixels, pictures only
	Height      int    `json:"height,omitempty"` // pixels, pictures only
	// Path is where ServeHTTP serves the bytes ("/attachments/…").
	Path string `json:"path"`
}

// Message is a message as one person sees it. It is a copy: changing it changes
// nothing in the world.
type Message struct {
	ID        string
	ChannelID string
	GuildID   string
	Author    User
	Content   string
	// Components are the rows below the message or, with
	// [check.FlagComponentsV2], its whole body.
	Components  []check.Component
	Attachments []Attachment
	Flags       int
	// EphemeralFor is the only user who sees the message; "" means everybody.
	EphemeralFor string
	// Loading is true until a deferred answer is completed ("… is thinking").
	Loading bool
	// Failed is true for a deferred answer that never came while its token lived.
	Failed    bool
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
	// Pings are the users (IDs) whom the message really notified.
	Pings []string
	// PingsEveryone is true when @everyone or @here was notified.
	PingsEveryone bool
	// Interaction says which interaction the message answers; nil if none.
	Interaction *InteractionMetadata
}

// InteractionMetadata says what led to a message.
type InteractionMetadata struct {
	ID string `json:"id"`
	// Type is 2 for a command, 3 for a component, 5 for a modal.
	Type   int    `json:"type"`
	UserID string `json:"user_id"`
	// Command is the path of the command ("lasca play"); "" for components.
	Command string `json:"command,omitempty"`
	// Owners say by which installations the application could act: "0" has the guild's
	// ID ("0" in direct messages with the bot), "1" that of the person who installed it.
	Owners map[string]string `json:"owners,omitempty"`
}

// message is a Message with what only the server knows.
type message struct {
	Message
	// Mentioned are the users (IDs) in the "mentions" of the wire form.
	Mentioned []string
	Nonce     string
	// LateEdits are the times of edits made when the message was over an hour old.
	LateEdits []time.Time
	// Hidden is set when the owner dismissed an ephemeral message.
	Hidden bool
}

func (m *message) visibleTo(viewer string) bool {
	return viewer == "" || m.EphemeralFor == "" || m.EphemeralFor == viewer && !m.Hidden
}

// view gives a copy that shares nothing with m that either side would change:
// the slices inside a message are replaced, never written to.
func (m *message) view() Message {
	c := m.Message
	c.Components = check.CloneComponents(c.Components)
	c.Attachments = slices.Clone(c.Attachments)
	c.Pings = slices.Clone(c.Pings)
	return c
}

// stored gives what the check of an edit has to know of m; nil for nil.
func (m *message) stored() *check.Stored {
	if m == nil {
		return nil
	}
	out := &check.Stored{Content: m.Content, Flags: m.Flags, Components: len(m.Components)}
	for _, a := range m.Attachments {
		out.Attachments = append(out.Attachments, check.StoredFile{ID: a.ID, Filename: a.Filename})
	}
	return out
}
