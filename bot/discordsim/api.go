package discordsim

import (
	"encoding/json"
	"log/slog"
	"time"
)

// Options set up a [Server]. The zero value is ready to use.
type Options struct {
	// Clock gives the time; nil is [SystemClock].
	Clock Clock
	// AckWithin is how long the bot has for the first answer to an
	// interaction; 0 is Discord's 3 s.
	AckWithin time.Duration
	// TokenLife is how long an interaction token can be used after the first
	// answer; 0 is Discord's 15 min.
	TokenLife time.Duration
	// BotToken is the only token accepted (without "Bot "); "" accepts any.
	BotToken string
	// BotName is the bot's user name; "" is "lasca".
	BotName string
	// HeartbeatInterval is what HELLO names; 0 is Discord's 41.25 s.
	HeartbeatInterval time.Duration
	// IdentifyEvery is how long after an IDENTIFY the next one is answered with
	// op 9; Discord has 5 s. 0 is no such limit, so that tests can start bots one
	// after the other.
	IdentifyEvery time.Duration
	// CloseSilent closes connections (4009) that have sent no heartbeat for two
	// intervals, as Discord does, and counts it as a violation. Leave it off
	// where a clock is moved by hand: the bot's heart beats by the real one.
	CloseSilent bool
	// OldMessageEdits is how many edits of a message older than an hour are
	// accepted in any one hour before error 30046; 0 is 5. Discord publishes
	// no number.
	OldMessageEdits int
	// RouteLimit and RouteWindow are the rate limit of each bucket (a route of one
	// channel); 0 is 1,000 requests in 1 s, far more than Discord allows.
	RouteLimit  int
	RouteWindow time.Duration
	// GlobalLimit is the number of requests a second over all routes but
	// interaction answers, Discord has 50; 0 is no limit.
	GlobalLimit int
	// MaxRequests bounds the log behind [Server.Requests]; 0 is 10,000.
	MaxRequests int
	// MaxMessages bounds the messages kept in each channel, the oldest go
	// first; 0 is 200.
	MaxMessages int
	// Log receives what happens at debug level and violations at warning
	// level; nil discards it.
	Log *slog.Logger
}

// User is somebody with an account. None has an avatar.
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
}

// ChannelType is Discord's number for a kind of channel.
type ChannelType int

// The kinds of channel that are modelled.
const (
	TextChannel   ChannelType = 0
	DMChannel     ChannelType = 1
	ThreadChannel ChannelType = 11
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
	Archived    bool   `json:"archived"` // threads only
	Locked      bool   `json:"locked"`   // threads only
}

// Guild is a server in the sense of Discord's users.
type Guild struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Locale  string `json:"preferred_locale"`
	OwnerID string `json:"owner_id"`
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

// Component types that are modelled.
const (
	ActionRow         = 1
	Button            = 2
	StringSelect      = 3
	TextInput         = 4
	UserSelect        = 5
	RoleSelect        = 6
	MentionableSelect = 7
	ChannelSelect     = 8
	Section           = 9
	TextDisplay       = 10
	Thumbnail         = 11
	MediaGallery      = 12
	File              = 13
	Separator         = 14
	Container         = 17
	Label             = 18
)

// Button styles.
const (
	PrimaryButton   = 1
	SecondaryButton = 2
	SuccessButton   = 3
	DangerButton    = 4
	LinkButton      = 5
)

// Component is one component of a message or modal with the field names of
// Discord. Which fields mean something depends on Type.
type Component struct {
	Type        int            `json:"type"`
	ID          int            `json:"id,omitempty"`
	CustomID    string         `json:"custom_id,omitempty"`
	Style       int            `json:"style,omitempty"`
	Label       string         `json:"label,omitempty"`
	Description string         `json:"description,omitempty"`
	Emoji       *Emoji         `json:"emoji,omitempty"`
	URL         string         `json:"url,omitempty"`
	Disabled    bool           `json:"disabled,omitempty"`
	Placeholder string         `json:"placeholder,omitempty"`
	MinValues   *int           `json:"min_values,omitempty"`
	MaxValues   *int           `json:"max_values,omitempty"`
	MinLength   *int           `json:"min_length,omitempty"`
	MaxLength   *int           `json:"max_length,omitempty"`
	Required    *bool          `json:"required,omitempty"`
	Value       string         `json:"value,omitempty"`
	Options     []SelectOption `json:"options,omitempty"`
	Components  []Component    `json:"components,omitempty"`
	Component   *Component     `json:"component,omitempty"` // of a Label
	Accessory   *Component     `json:"accessory,omitempty"`
	Content     string         `json:"content,omitempty"` // of a TextDisplay
	Media       *Media         `json:"media,omitempty"`
	File        *Media         `json:"file,omitempty"`
	Items       []GalleryItem  `json:"items,omitempty"`
	Spoiler     bool           `json:"spoiler,omitempty"`
	AccentColor *int           `json:"accent_color,omitempty"`
	Divider     *bool          `json:"divider,omitempty"`
	Spacing     int            `json:"spacing,omitempty"`
}

// Emoji is the emoji of a button or option. Only Unicode emoji are modelled, so ID is always empty.
type Emoji struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
}

// SelectOption is a line of a string select menu.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// Media names a file, in messages "attachment://name".
type Media struct {
	URL string `json:"url"`
}

// GalleryItem is a picture of a media gallery.
type GalleryItem struct {
	Media       Media  `json:"media"`
	Description string `json:"description,omitempty"`
	Spoiler     bool   `json:"spoiler,omitempty"`
}

// Message flags.
const (
	FlagSuppressEmbeds       = 1 << 2
	FlagEphemeral            = 1 << 6
	FlagLoading              = 1 << 7
	FlagSuppressNotification = 1 << 12
	FlagComponentsV2         = 1 << 15
)

// Message is a message as one person sees it. It is a copy: changing it changes nothing.
type Message struct {
	ID        string
	ChannelID string
	GuildID   string
	Author    User
	Content   string
	// Components are the rows below the message or, with FlagComponentsV2, its whole body.
	Components  []Component
	Attachments []Attachment
	Embeds      []json.RawMessage
	Flags       int
	// EphemeralFor is the only user who sees the message; "" is everybody.
	EphemeralFor string
	// Loading is true while a deferred answer is not there yet ("… is thinking").
	Loading bool
	// Failed is true for a deferred answer that never came while its token lived.
	Failed    bool
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
	// Pings are the users (IDs) whom the message really notified.
	Pings []string
	// PingsEveryone is true when @everyone or @here was notified.
	PingsEveryone bool
	// ReplyTo is the message answered; "" is none.
	ReplyTo string
	// Interaction says which interaction the message answers; nil is none.
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
}

// Command kinds.
const (
	ChatInputCommand = 1
	UserCommand      = 2
	MessageCommand   = 3
)

// Option types of commands.
const (
	SubCommand        = 1
	SubCommandGroup   = 2
	StringOption      = 3
	IntegerOption     = 4
	BooleanOption     = 5
	UserOption        = 6
	ChannelOption     = 7
	RoleOption        = 8
	MentionableOption = 9
	NumberOption      = 10
	AttachmentOption  = 11
)

// Command is a registered command, with Discord's field names.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Version                  string            `json:"version"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	NSFW                     bool              `json:"nsfw"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types"`
}

// CommandOption is an option of a command, a subcommand or a subcommand group.
type CommandOption struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
}

// Choice is a choice of an option or an autocomplete suggestion. Value is a
// string or a json.Number.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// ReplyKind says how the bot answered an interaction first.
type ReplyKind string

// The first answers.
const (
	ReplyMessage        ReplyKind = "message"         // callback type 4
	ReplyDeferred       ReplyKind = "deferred"        // type 5: "thinking"
	ReplyDeferredUpdate ReplyKind = "deferred update" // type 6: nothing visible yet
	ReplyUpdate         ReplyKind = "update"          // type 7
	ReplyChoices        ReplyKind = "choices"         // type 8
	ReplyModal          ReplyKind = "modal"           // type 9
)

// Reply is the bot's first answer to an interaction.
type Reply struct {
	InteractionID string
	Kind          ReplyKind
	ChannelID     string
	// MessageID is the new message (ReplyMessage, ReplyDeferred) or the one
	// that carried the component (ReplyUpdate, ReplyDeferredUpdate).
	MessageID string
	Ephemeral bool
	Choices   []Choice // ReplyChoices
	Modal     *Modal   // ReplyModal
	// Took is the time by the server's clock between sending the interaction and the answer.
	Took time.Duration
}

// Modal is a form the bot opened. Fill it with [Actor.SubmitModal].
type Modal struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []Component `json:"components"`

	channelID string
	messageID string
	userID    string
}

// EventKind says what an [Event] is about.
type EventKind string

// The kinds of event.
const (
	EventMessageCreate EventKind = "message_create"
	EventMessageUpdate EventKind = "message_update"
	EventMessageDelete EventKind = "message_delete"
	// EventMention says that UserID was notified by message MessageID.
	EventMention EventKind = "mention"
	// EventWorld says that users, guilds, channels or permissions changed.
	EventWorld EventKind = "world"
	// EventCommands says that the registered commands changed.
	EventCommands EventKind = "commands"
	// EventBot says that the bot came online or went offline.
	EventBot EventKind = "bot"
	// EventResync says that this subscriber was too slow and missed events: read everything again.
	EventResync EventKind = "resync"
)

// Event is a change of the world, see [Server.Subscribe].
type Event struct {
	// Seq grows by at least one from event to event over the life of the process.
	Seq       uint64
	Kind      EventKind
	ChannelID string
	MessageID string
	// UserID is the only user who may learn of the event (ephemeral messages,
	// mentions); "" is everybody who can see the channel.
	UserID string
	// Message is the new state, nil unless the event creates or updates a message.
	Message *Message
}

// FileInfo describes an uploaded file without its bytes.
type FileInfo struct {
	Field       string // "files[0]"
	Filename    string
	ContentType string
	Size        int // bytes
}

// Request is one REST request of the bot as logged. Interaction and webhook
// tokens in Path are as sent.
type Request struct {
	// N counts the requests from 1.
	N      int
	Time   time.Time
	Method string
	// Route is the method and Discord's path template without the version,
	// "PATCH /channels/{channel_id}/messages/{message_id}"; "" when unknown.
	Route string
	// Path is the path with the version as sent, Query the raw query.
	Path, Query string
	// Version is 9 or 10.
	Version int
	// Body is the JSON body or payload_json; nil when there is none.
	Body  json.RawMessage
	Files []FileInfo
	// Status and Response are Discord's answer; Status is 0 when the answer
	// was dropped or is not there yet.
	Status   int
	Response json.RawMessage
	// Dropped says that a fault closed the connection instead of answering.
	Dropped bool
}

// Fault is a failure of the REST interface, made by the function given to
// [Server.SetFault].
type Fault struct {
	// Delay waits, by the server's clock, before anything else is done.
	Delay time.Duration
	// DropBefore closes the connection without doing the work.
	DropBefore bool
	// DropAfter does the work, then closes the connection without an answer.
	DropAfter bool
	// Status answers with this status (429, 500, 502, 503, 404, …) without
	// doing the work; 0 goes on normally.
	Status int
	// Code and Message are Discord's error code and text in the JSON answer.
	Code    int
	Message string
	// RetryAfter and Scope ("user", "global", "shared") belong to status 429.
	RetryAfter time.Duration
	Scope      string
	// HTML answers with a web page, as the proxy in front of Discord does.
	HTML bool
}

// Permissions is a set of Discord's permission bits.
type Permissions uint64

// The permission bits that mean something here.
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

	// DefaultMemberPermissions is what a member has unless told otherwise.
	DefaultMemberPermissions = ViewChannel | SendMessages | EmbedLinks | AttachFiles |
		ReadMessageHistory | UseApplicationCommands | CreatePublicThreads | SendMessagesInThreads
	// DefaultBotPermissions is what the bot has unless told otherwise.
	DefaultBotPermissions = DefaultMemberPermissions
)
