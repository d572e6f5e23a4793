package discord

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

var (
	// ErrUnsupported says that an interaction is of a kind that this program
	// never asks for: a modal, a menu, a command that it does not have.
	ErrUnsupported = errors.New("interaction of an unsupported kind")
	// ErrOptions says that a command's options are incomplete or impossible. The
	// text names the option.
	ErrOptions = errors.New("bad command options")
)

// Kind is the kind of an interaction.
type Kind uint8

// The kinds of interaction that are understood. The zero value is none of them.
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
	// Name is what others see, made harmless by [CleanName]. It may still
	// contain markdown and things that look like mentions. It is "" where nothing
	// of it can be shown, and never the ID, which tells nobody anything.
	Name string
	Bot  bool
}

// Request is an interaction as plain values.
type Request struct {
	ID    string // a snowflake; a replayed event has the same
	Token string // secret; good for 15 minutes from Created
	App   string // the application's ID
	Kind  Kind   // 0 if unsupported
	User  User

	Guild   string // "" in direct messages
	Channel string

	Locale      string // the person's, one of Discord's locales
	PlaceLocale string // the guild's; in direct messages the person's

	// Message is the message that a pressed button is on, MessagePrivate whether
	// the person alone sees it. No channel route reaches a private one.
	Message        string
	MessagePrivate bool

	Intent intent.Intent // for Command and Button; nil if Decode failed

	// Of an Autocomplete: the option that is being typed, what has been typed of
	// it, and the game chosen beside it, if any and well-formed.
	Option, Typed string
	Game          match.ID

	// Permissions are the application's in that channel, Discord's bits.
	Permissions int64
	// MemberPermissions are the person's there; 0 in direct messages.
	MemberPermissions int64

	Created time.Time // when Discord made it, by its clock; zero if the ID is bad
}

// CanAttach reports whether pictures can be posted in the channel.
func (r Request) CanAttach() bool { return r.may(discordgo.PermissionAttachFiles) }

// CanSend reports whether messages of the application itself, other than
// answers to the interaction, may be possible in the channel. False is certain;
// true is not, since Discord does not say here whether the channel is a thread.
func (r Request) CanSend() bool {
	return r.may(discordgo.PermissionViewChannel) &&
		(r.may(discordgo.PermissionSendMessages) || r.may(discordgo.PermissionSendMessagesInThreads))
}

// CanManage reports whether the person may change what holds for the whole
// guild: Manage Server or Administrator. False in direct messages.
func (r Request) CanManage() bool {
	return r.Guild != "" && r.MemberPermissions&(discordgo.PermissionManageGuild|discordgo.PermissionAdministrator) != 0
}

func (r Request) may(bit int64) bool {
	return r.Permissions&(bit|discordgo.PermissionAdministrator) != 0
}

// Decode reads an interaction. Its error wraps [ErrUnsupported], [ErrOptions],
// [intent.ErrMalformed] or [intent.ErrOutdated]; everything else in the request
// is filled even then as far as it was readable, so that the person can be told.
//
// A challenge's Us compares the challenged account with the application's ID,
// which are the same for every application made since 2016.
//
// It does not check whether the person may do what is asked.
func Decode(i *discordgo.Interaction) (Request, error) {
	if i == nil {
		return Request{}, fmt.Errorf("%w: empty", ErrUnsupported)
	}
	r := Request{
		ID: i.ID, Token: i.Token, App: i.AppID,
		Guild: i.GuildID, Channel: i.ChannelID,
		Locale: string(i.Locale), PlaceLocale: string(i.Locale),
		Permissions: i.AppPermissions,
	}
	if i.GuildID != "" && i.GuildLocale != nil && *i.GuildLocale != "" {
		r.PlaceLocale = string(*i.GuildLocale)
	}
	if t, err := discordgo.SnowflakeTimestamp(i.ID); err == nil {
		r.Created = t
	}
	// Guild interactions have a member, the others a user.
	if m := i.Member; m != nil {
		r.User = userOf(m.User, m)
		r.MemberPermissions = m.Permissions
	} else {
		r.User = userOf(i.User, nil)
	}
	if m := i.Message; m != nil {
		r.Message = m.ID
		r.MessagePrivate = m.Flags&discordgo.MessageFlagsEphemeral != 0
	}

	// discordgo's accessors panic when type and data do not fit: the data's own
	// type decides.
	var err error
	switch data := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
			r.Kind = Autocomplete
			err = r.decodeTyping(data)
			break
		}
		r.Kind = Command
		r.Intent, err = decodeCommand(data, i.AppID)
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
	if err == nil && (r.User.ID == "" || r.ID == "" || r.Token == "") {
		r.Kind, r.Intent = 0, nil
		err = fmt.Errorf("%w: no user, ID or token", ErrUnsupported)
	}
	return r, err
}

// userOf joins what Discord says of an account and, in a guild, of its
// membership. Either may be nil.
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
		if v.Name = CleanName(name); v.Name != "" {
			break
		}
	}
	return v
}

// decodeTyping reads which option is being typed.
func (r *Request) decodeTyping(data discordgo.ApplicationCommandInteractionData) error {
	o, err := subcommand(data)
	if err != nil {
		return err
	}
	for _, opt := range o.list {
		if opt == nil {
			continue
		}
		text, isText := opt.Value.(string)
		switch {
		case opt.Focused && isText:
			r.Option, r.Typed = opt.Name, text
		case opt.Name == optGame && isText && validGame(match.ID(text)):
			r.Game = match.ID(text)
		}
	}
	if r.Option == "" {
		return fmt.Errorf("%w: nothing is being typed", ErrOptions)
	}
	return nil
}

// decodeCommand reads a command as what it asks for.
func decodeCommand(data discordgo.ApplicationCommandInteractionData, app string) (intent.Intent, error) {
	if data.CommandType == discordgo.UserApplicationCommand {
		return challenge(data, data.TargetID, intent.Random, engine.Kawu, app)
	}
	o, err := subcommand(data)
	if err != nil {
		return nil, err
	}
	switch o.name {
	case cmdPlay:
		level, err := o.integer(optLevel, defaultLevel, 1, match.MaxLevel)
		if err != nil {
			return nil, err
		}
		side, rules, err := o.sideAndRules()
		if err != nil {
			return nil, err
		}
		return intent.Play{Level: level, Side: side, Rules: rules}, nil
	case cmdChallenge:
		side, rules, err := o.sideAndRules()
		if err != nil {
			return nil, err
		}
		user, err := o.text(optUser, "")
		if err != nil {
			return nil, err
		}
		return challenge(data, user, side, rules, app)
	case cmdMove:
		path, err := o.text(optPath, "")
		if err != nil {
			return nil, err
		}
		path = strings.TrimSpace(path)
		if path == "" {
			return nil, fmt.Errorf("%w: %s is missing", ErrOptions, optPath)
		}
		ref, err := o.game()
		if err != nil {
			return nil, err
		}
		return intent.Move{Ref: ref, Text: path}, nil
	case cmdBoard, cmdHint, cmdUndo, cmdDraw, cmdResign:
		ref, err := o.game()
		if err != nil {
			return nil, err
		}
		switch o.name {
		case cmdBoard:
			return intent.Board{Ref: ref}, nil
		case cmdHint:
			return intent.Hint{Ref: ref}, nil
		case cmdUndo:
			return intent.Undo{Ref: ref}, nil
		case cmdDraw:
			return intent.Draw{Ref: ref}, nil
		}
		return intent.AskResign{Ref: ref}, nil
	case cmdGames:
		return intent.Games{}, nil
	case cmdRules:
		return intent.Rules{}, nil
	case cmdHelp:
		return intent.Help{}, nil
	case cmdLook:
		return o.look()
	case groupPrivacy + " " + privacyShow:
		return intent.MyData{}, nil
	case groupPrivacy + " " + privacyExport:
		return intent.ExportData{}, nil
	case groupPrivacy + " " + privacyDelete:
		return intent.AskDeleteData{}, nil
	}
	return nil, fmt.Errorf("%w: command %.40q", ErrUnsupported, o.name)
}

// challenge makes a challenge of an account that the interaction resolves.
func challenge(data discordgo.ApplicationCommandInteractionData, user string, side intent.Side, rules engine.Rules, app string) (intent.Intent, error) {
	if user == "" {
		return nil, fmt.Errorf("%w: %s is missing", ErrOptions, optUser)
	}
	if data.Resolved == nil || data.Resolved.Users[user] == nil || data.Resolved.Users[user].ID != user {
		return nil, fmt.Errorf("%w: Discord says nothing of user %.20q", ErrOptions, user)
	}
	u := userOf(data.Resolved.Users[user], data.Resolved.Members[user])
	return intent.Challenge{
		User: u.ID, Name: u.Name, Robot: u.Bot, Us: user == app,
		Side: side, Rules: rules,
	}, nil
}

// options are those of one subcommand.
type options struct {
	name string // after its group's and a blank, where it is in one
	list []*discordgo.ApplicationCommandInteractionDataOption
}

// subcommand returns the subcommand's name and options.
func subcommand(data discordgo.ApplicationCommandInteractionData) (options, error) {
	// A command type of 0 is one that Discord left out: a slash command.
	if data.CommandType > discordgo.ChatApplicationCommand || data.Name != cmdRoot {
		return options{}, fmt.Errorf("%w: command %.40q", ErrUnsupported, data.Name)
	}
	list, group := data.Options, ""
	if len(list) == 1 && list[0] != nil && list[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup {
		list, group = list[0].Options, list[0].Name+" "
	}
	if len(list) != 1 || list[0] == nil || list[0].Type != discordgo.ApplicationCommandOptionSubCommand {
		return options{}, fmt.Errorf("%w: no subcommand", ErrOptions)
	}
	return options{name: group + list[0].Name, list: list[0].Options}, nil
}

// value returns an option's value, or nil if it was not given.
func (o options) value(name string) any {
	for _, opt := range o.list {
		if opt != nil && opt.Name == name {
			return opt.Value
		}
	}
	return nil
}

// text returns a text option, or absent if it was not given.
func (o options) text(name, absent string) (string, error) {
	switch v := o.value(name).(type) {
	case nil:
		return absent, nil
	case string:
		return v, nil
	}
	return "", fmt.Errorf("%w: %s is not a text", ErrOptions, name)
}

// integer returns a number option within limits, or absent if it was not given.
func (o options) integer(name string, absent, low, high int) (int, error) {
	switch v := o.value(name).(type) {
	case nil:
		return absent, nil
	case float64:
		if v >= float64(low) && v <= float64(high) && v == float64(int(v)) {
			return int(v), nil
		}
	}
	return 0, fmt.Errorf("%w: %s is not a whole number from %d to %d", ErrOptions, name, low, high)
}

// choice returns a text option that is one of some values, or absent.
func (o options) choice(name, absent string, values []string) (string, error) {
	v, err := o.text(name, absent)
	if err != nil || v == absent {
		return v, err
	}
	for _, c := range values {
		if v == c {
			return v, nil
		}
	}
	return "", fmt.Errorf("%w: %s is none of %s", ErrOptions, name, strings.Join(values, ", "))
}

func (o options) sideAndRules() (intent.Side, engine.Rules, error) {
	side, err := o.choice(optColour, string(intent.Random), colours)
	if err != nil {
		return "", 0, err
	}
	name, err := o.choice(optRules, engine.Kawu.String(), rulesets())
	if err != nil {
		return "", 0, err
	}
	rules, err := engine.ParseRules(name)
	if err != nil {
		return "", 0, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return intent.Side(side), rules, nil
}

// game returns the game that was named, if any.
func (o options) game() (intent.Ref, error) {
	text, err := o.text(optGame, "")
	if err != nil {
		return intent.Ref{}, err
	}
	// The list of games is only a suggestion: people can type anything.
	id := match.ID(strings.TrimSpace(text))
	if id != "" && !validGame(id) {
		return intent.Ref{}, fmt.Errorf("%w: %s is not a game's number", ErrOptions, optGame)
	}
	return intent.Ref{Game: id}, nil
}

func (o options) look() (intent.Intent, error) {
	theme, err := o.choice(optTheme, "", themes)
	if err != nil {
		return nil, err
	}
	boards, err := o.choice(optBoards, "", boardKinds)
	if err != nil {
		return nil, err
	}
	v := intent.Look{Theme: theme}
	switch boards {
	case boardsPictures:
		v.Text = "off"
	case boardsLetters:
		v.Text = "on"
	}
	switch e := o.value(optEveryone).(type) {
	case nil:
	case bool:
		v.Everyone = e
	default:
		return nil, fmt.Errorf("%w: %s is not yes or no", ErrOptions, optEveryone)
	}
	return v, nil
}

// validGame reports whether a text can be a game's ID: 1 to [intent.MaxGameLen]
// ASCII letters and digits.
func validGame(id match.ID) bool {
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return id != "" && len(id) <= intent.MaxGameLen
}
