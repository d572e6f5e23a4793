package discord

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// option is an option of subcommands: how it is registered, without its texts,
// and how the value that Discord sends is read.
type option[T any] struct {
	OptionSpec
	absent T                                  // what it means if it is not given
	want   string                             // what the value must be, for the error
	read   func(a *args, value any) (T, bool) // false if the value is something else
}

// anyOption is an option of any type.
type anyOption interface{ spec(texts) OptionSpec }

func options(list ...anyOption) []anyOption { return list }

// listed makes an option with fixed values, shown in this order. The function sent
// returns what Discord sends for a value: a string or an int.
func listed[T any](name string, absent T, values []T, sent func(T) any) option[T] {
	o := option[T]{OptionSpec: OptionSpec{Type: optionString, Name: name}, absent: absent}
	var names []string
	for _, v := range values {
		s := sent(v)
		if _, number := s.(int); number {
			o.Type = optionInteger
		}
		o.Choices = append(o.Choices, ChoiceSpec{Value: s})
		names = append(names, fmt.Sprint(s))
	}
	o.want = "one of " + strings.Join(names, ", ")
	o.read = func(_ *args, value any) (T, bool) {
		if f, ok := value.(float64); ok && f == float64(int(f)) {
			value = int(f)
		}
		for i, c := range o.Choices {
			if c.Value == value {
				return values[i], true
			}
		}
		return absent, false
	}
	return o
}

// spec is the option as it is registered.
func (o option[T]) spec(t texts) OptionSpec {
	s := t.described(o.OptionSpec, "option."+o.Name)
	s.Choices = nil
	for _, c := range o.Choices {
		key := fmt.Sprintf("choice.%s.%v", o.Name, c.Value)
		s.Choices = append(s.Choices, ChoiceSpec{Name: t.base(key), NameLocalizations: t.all(key), Value: c.Value})
	}
	return s
}

// in reads the option from a command's arguments.
func (o option[T]) in(a *args) T { return o.from(a, a.value(o.Name)) }

// from reads a value; nil means that the option was not given.
func (o option[T]) from(a *args, value any) T {
	if value == nil {
		if o.Required {
			a.fail("%s is missing", o.Name)
		}
		return o.absent
	}
	v, ok := o.read(a, value)
	if !ok {
		a.fail("%s must be %s", o.Name, o.want)
		return o.absent
	}
	return v
}

// args are a command's arguments, and the first error in reading them.
type args struct {
	data discordgo.ApplicationCommandInteractionData
	app  string // the application's ID
	list []*discordgo.ApplicationCommandInteractionDataOption
	err  error // wraps [ErrOptions]

	gameName string // what stands for a game and is not its ID
}

// subcommand finds the subcommand and its arguments, and returns its name as
// [subcommands] has it.
func (a *args) subcommand() (string, error) {
	// Discord may leave out the type of a slash command, which then is 0.
	if a.data.CommandType > discordgo.ChatApplicationCommand || a.data.Name != root {
		return "", fmt.Errorf("%w: command %.40q", ErrUnsupported, a.data.Name)
	}
	list, group := a.data.Options, ""
	if len(list) == 1 && list[0] != nil && list[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup {
		list, group = list[0].Options, list[0].Name+" "
	}
	if len(list) != 1 || list[0] == nil || list[0].Type != discordgo.ApplicationCommandOptionSubCommand {
		return "", fmt.Errorf("%w: there is no subcommand", ErrOptions)
	}
	a.list = list[0].Options
	return group + list[0].Name, nil
}

// value returns an option's value, or nil if the option was not given.
func (a *args) value(name string) any {
	for _, o := range a.list {
		if o != nil && o.Name == name {
			return o.Value
		}
	}
	return nil
}

// account reads the ID of an account that the interaction describes.
func (a *args) account(value any) (User, bool) {
	id, _ := value.(string)
	known := a.data.Resolved
	if known == nil || known.Users[id] == nil || known.Users[id].ID != id {
		return User{}, false
	}
	return userOf(known.Users[id], known.Members[id]), id != ""
}

// game reads which game is meant: an ID, as Discord sends for a suggestion that
// was picked, or a text in place of it, which goes to gameName. No name of a
// suggestion is longer than [view.MaxChoice].
func (a *args) game(value any) (intent.Ref, bool) {
	text, ok := value.(string)
	text = strings.TrimSpace(text)
	id := match.ID(text)
	if id == "" || intent.ValidGame(id) {
		return intent.Ref{Game: id}, ok
	}
	a.gameName = text
	return intent.Ref{}, utf8.RuneCountInString(text) <= view.MaxChoice
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, values...))
	}
}
