package discord

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

var (
	// ErrUnsupported says that this program does not offer what the person used:
	// a modal, a menu, an unknown command.
	ErrUnsupported = errors.New("interaction of an unsupported kind")
	// ErrOptions says that a command's options are incomplete or impossible. The
	// text names the option and says what it must be.
	ErrOptions = errors.New("bad command options")
	// ErrGameName says that a command names its game by a text that is not an ID,
	// most often the name of a suggestion: some clients send that when people do
	// not pick it from the list. The text is in [Request.GameName], and the intent
	// is whole but for the game. Find the game and give it to [intent.InGame]. An
	// error that wraps ErrGameName also wraps [ErrOptions].
	ErrGameName = errors.New("a name in place of a game's number")
)

// Kind is the kind of an interaction.
type Kind uint8

// The kinds of interaction that the program understands. The zero value is not
// one of them.
const (
	Command      Kind = iota + 1 // a slash command or a user's context menu
	Button                       // a press on a button
	Autocomplete                 // an option is being typed
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Command:
		return "command"
	case Button:
		return "button"
	case Autocomplete:
		return "autocomplete"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// User is the person behind an interaction.
type User struct {
	ID match.UserID
	// Name is what others see, made harmless by [view.CleanName]. It may still
	// contain markdown and things that look like mentions. It is "" if nothing in
	// it can be shown; it is never the ID, which would tell nobody who it is.
	Name string
	Bot  bool
}

// Request is an interaction as plain values.
type Request struct {
	ID    string // a snowflake; a replayed event has the same
	Token string // secret; valid for 15 minutes from Created
	App   string // the application's ID
	Kind  Kind   // 0 if unsupported
	User  User

	Guild   string // "" in direct messages
	Channel string
	// Outside says that the bot is not there, neither in the guild nor in the direct
	// messages among people: somebody has installed the application for themselves. It
	// can only answer, by this interaction's token. Where the bot is as well, it is false.
	Outside bool
	Thread  bool // Channel is a thread; [Decode] cannot tell
	// Of a thread: the text channel or forum that it belongs to, and its state when the
	// interaction was made. [Decode] cannot tell these either; [Gateway] does. Messages of
	// an archived thread cannot be edited, and an answer there fails with [ErrArchived].
	Parent           string
	Archived, Locked bool

	Locale      string // the person's, one of Discord's locales
	PlaceLocale string // the guild's; in direct messages the person's

	// Message is the message that the pressed button is on. If MessagePrivate, only
	// the person sees it, and no channel route reaches it.
	Message        string
	MessagePrivate bool
	// MessageCreated is when Discord made that message, by its clock.
	MessageCreated time.Time

	// Intent is for Command and Button. It is nil if Decode failed, except with
	// [ErrGameName].
	Intent intent.Intent

	// GameName is what the person wrote for the game if it is not an ID: at most
	// [view.MaxChoice] characters, for Command and Autocomplete.
	GameName string

	// For an Autocomplete: the option that is being typed, what has been typed so
	// far, and the game that another option names, if that is well-formed.
	Option, Typed string
	Game          match.ID
	Typing        string // and of which subcommand

	// Permissions are the application's in the channel, in Discord's bits.
	Permissions int64
	// MemberPermissions are the person's in the channel; 0 in direct messages.
	MemberPermissions int64

	Created time.Time // when Discord made it, by its clock; zero if the ID is malformed
}

// OnlyPrivate reports whether Discord is known to show answers there to the person alone,
// whatever they ask for: in a guild without the bot, that takes a permission of the
// person's. Discord may do so for other reasons: [Forced].
func (r Request) OnlyPrivate() bool {
	return r.Outside && r.Guild != "" && r.MemberPermissions&(discordgo.PermissionUseExternalApps|discordgo.PermissionAdministrator) == 0
}

// CanAttach reports whether the application may post pictures in the channel.
func (r Request) CanAttach() bool { return r.may(discordgo.PermissionAttachFiles) }

// CanSee reports whether the application sees the channel. If not, it can answer,
// but neither change the answer later than the token allows nor post.
func (r Request) CanSee() bool { return r.may(discordgo.PermissionViewChannel) }

// CanThread reports whether the application may start threads in the channel and write in
// them. In a forum it takes no more than sending messages, but no interaction comes from a
// forum itself.
func (r Request) CanThread() bool {
	return r.Guild != "" && r.may(discordgo.PermissionCreatePublicThreads) && r.may(discordgo.PermissionSendMessagesInThreads)
}

// CanManageThreads reports whether the application may lock threads, and write in locked
// ones.
func (r Request) CanManageThreads() bool {
	return r.Guild != "" && r.may(discordgo.PermissionManageThreads)
}

// CanPost reports whether the application may post messages in the channel other than
// as answers.
func (r Request) CanPost() bool {
	if r.Thread {
		return r.may(discordgo.PermissionSendMessagesInThreads)
	}
	return r.may(discordgo.PermissionSendMessages)
}

// CanManage reports whether the person may change settings of the whole guild:
// whether they have Manage Server or Administrator. It is false in direct
// messages, and where the bot is not: it has no settings there.
func (r Request) CanManage() bool {
	return r.Guild != "" && !r.Outside && r.MemberPermissions&(discordgo.PermissionManageGuild|discordgo.PermissionAdministrator) != 0
}

// CanModerate reports whether the person may end other people's games in the channel:
// whether they have Manage Channels there, or Administrator. It is false in direct
// messages.
func (r Request) CanModerate() bool {
	return r.Guild != "" && r.MemberPermissions&(discordgo.PermissionManageChannels|discordgo.PermissionAdministrator) != 0
}

func (r Request) may(bit int64) bool {
	return r.Permissions&(bit|discordgo.PermissionAdministrator) != 0
}

// Decode reads an interaction. Its error wraps [ErrUnsupported], [ErrOptions]
// (with or without [ErrGameName]), [intent.ErrMalformed] or [intent.ErrOutdated].
// Even then it fills in the rest of the request as far as it can, so that the
// person can be told.
//
// Us in a challenge compares the challenged account with the application's ID.
// The bot of every application made since 2016 has that ID.
//
// Decode does not check whether the person may do what they ask for.
func Decode(i *discordgo.Interaction) (Request, error) {
	if i == nil {
		return Request{}, fmt.Errorf("%w: the interaction is empty", ErrUnsupported)
	}
	r := Request{
		ID: i.ID, Token: i.Token, App: i.AppID,
		Guild: i.GuildID, Channel: i.ChannelID, Outside: outside(i),
		Locale: string(i.Locale), PlaceLocale: string(i.Locale),
		Permissions: i.AppPermissions,
	}
	if i.GuildID != "" && i.GuildLocale != nil && *i.GuildLocale != "" {
		r.PlaceLocale = string(*i.GuildLocale)
	}
	r.Created = snowflakeTime(i.ID)
	// Guild interactions have a member, the others a user.
	if m := i.Member; m != nil {
		r.User = userOf(m.User, m)
		r.MemberPermissions = m.Permissions
	} else {
		r.User = userOf(i.User, nil)
	}
	if m := i.Message; m != nil {
		r.Message = m.ID
		r.MessageCreated = snowflakeTime(m.ID)
		r.MessagePrivate = m.Flags&discordgo.MessageFlagsEphemeral != 0
	}

	// The data's own type decides: discordgo's accessors panic if it does not fit
	// the interaction's type.
	var err error
	switch data := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
			r.Kind = Autocomplete
			err = r.decodeTyping(data)
			break
		}
		r.Kind = Command
		err = r.decodeCommand(data)
	case discordgo.MessageComponentInteractionData:
		if data.ComponentType != discordgo.ButtonComponent {
			err = fmt.Errorf("%w: component type %d", ErrUnsupported, data.ComponentType)
			break
		}
		r.Kind = Button
		r.Intent, err = intent.ParseCustomID(data.CustomID)
	default:
		err = fmt.Errorf("%w: type %d", ErrUnsupported, i.Type)
	}
	if (err == nil || errors.Is(err, ErrGameName)) && (r.User.ID == "" || r.ID == "" || r.Token == "") {
		r.Kind, r.Intent = 0, nil
		err = fmt.Errorf("%w: the interaction lacks a user, an ID or a token", ErrUnsupported)
	}
	return r, err
}

// outside reports whether an interaction comes from where the bot is not: only a
// person's installation has authorized it, and it is not from the bot's own direct
// messages.
func outside(i *discordgo.Interaction) bool {
	_, guild := i.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationGuildInstall]
	_, user := i.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationUserInstall]
	return user && !guild && i.Context != discordgo.InteractionContextBotDM
}

// snowflakeTime returns when Discord made something, by its ID; zero if the ID
// is malformed.
func snowflakeTime(id string) time.Time {
	t, err := discordgo.SnowflakeTimestamp(id)
	if err != nil {
		return time.Time{}
	}
	return t
}

// userOf joins an account and, in a guild, its membership. Either may be nil.
func userOf(u *discordgo.User, m *discordgo.Member) User {
	if u == nil {
		return User{}
	}
	v := User{ID: match.UserID(u.ID), Bot: u.Bot}
	nick := ""
	if m != nil {
		nick = m.Nick
	}
	for _, name := range []string{nick, u.GlobalName, u.Username} {
		if v.Name = view.CleanName(name); v.Name != "" {
			break
		}
	}
	return v
}

// decodeTyping reads which option the person is typing.
func (r *Request) decodeTyping(data discordgo.ApplicationCommandInteractionData) error {
	a := args{data: data}
	name, err := a.subcommand()
	if err != nil {
		return err
	}
	r.Typing = name
	for _, o := range a.list {
		if o == nil {
			continue
		}
		if text, ok := o.Value.(string); ok && o.Focused {
			r.Option, r.Typed = o.Name, text
		}
	}
	if r.Option == "" {
		return fmt.Errorf("%w: no option is being typed", ErrOptions)
	}
	if r.Option != OptionGame {
		r.Game = optGame.in(&a).Game // "" if it is malformed
		if a.err == nil {
			r.GameName = a.gameName
		}
	}
	return nil
}

// decodeCommand reads a command's intent.
func (r *Request) decodeCommand(data discordgo.ApplicationCommandInteractionData) error {
	a := args{data: data, app: r.App}
	var in intent.Intent
	if data.CommandType == discordgo.UserApplicationCommand {
		in = challenge(&a, optUser.from(&a, data.TargetID), optColour.absent, optRules.absent, intent.Terms{})
	} else {
		name, err := a.subcommand()
		if err != nil {
			return err
		}
		i := slices.IndexFunc(subcommands, func(row subcommand) bool { return row.name == name })
		if i < 0 {
			return fmt.Errorf("%w: command %.40q", ErrUnsupported, name)
		}
		in = subcommands[i].intent(&a)
	}
	if a.err != nil {
		return a.err
	}
	if r.Intent, r.GameName = in, a.gameName; a.gameName != "" {
		return fmt.Errorf("%w: %w", ErrOptions, ErrGameName)
	}
	return nil
}
