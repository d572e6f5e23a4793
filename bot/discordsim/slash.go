package discordsim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Available gives the commands that the person can use in a channel, as the
// client would offer them.
func (a *Actor) Available(channelID string) ([]check.Command, error) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	_, ch, err := a.place(channelID)
	if err != nil {
		return nil, err
	}
	list, err := a.available(ch)
	out := make([]check.Command, 0, len(list))
	for _, c := range list {
		out = append(out, *c)
	}
	return out, err
}

// available gives the commands the person can use in the channel, those of the
// guild before global ones. The caller holds s.mu.
func (a *Actor) available(ch *channel) ([]*check.Command, error) {
	s := a.s
	p := s.permissions(ch, a.id)
	if ch.GuildID != "" && !p.Has(UseApplicationCommands) {
		return nil, fmt.Errorf("%w: no permission to use commands", ErrForbidden)
	}
	switch {
	case ch.Archived || ch.Locked && !p.Has(ManageThreads):
		return nil, fmt.Errorf("%w: the thread is archived or locked", ErrForbidden)
	case ch.Type == ForumChannel || s.hasBlocked(ch, a.id):
		return nil, fmt.Errorf("%w: there is no line to write in", ErrForbidden)
	}
	var own, global []*check.Command
	for _, c := range s.commands {
		if len(s.commandOwners(ch, a.id, c)) == 0 {
			continue
		}
		if c.DefaultMemberPermissions != nil && ch.GuildID != "" {
			need, _ := strconv.ParseUint(*c.DefaultMemberPermissions, 10, 64)
			if p != allPermissions && (need == 0 || !p.Has(Permissions(need))) {
				continue
			}
		}
		switch {
		case c.GuildID != "" && c.GuildID == ch.GuildID:
			own = append(own, c)
		case c.GuildID == "":
			global = append(global, c)
		}
	}
	return append(own, global...), nil
}

// Slash runs a slash command. path is the command with its subcommands ("lasca
// play"). options are by name: string, bool, int, int64, float64 or
// json.Number; users are named by ID, <@ID>, @name or display name. Everything
// is checked against the registered command first ([ErrUnknownCommand],
// [ErrOption]).
func (a *Actor) Slash(ctx context.Context, channelID, path string, options map[string]any) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		l, rest, err := a.leaf(u, ch, strings.TrimPrefix(path, "/"))
		if err != nil {
			return nil, err
		}
		if rest != "" {
			return nil, fmt.Errorf("%w: %q after the command", ErrUnknownCommand, rest)
		}
		return a.command(u, ch, l, options)
	})
}

// Type runs a slash command as typed: "/lasca play level:4 colour:white". An
// option's value reaches to the next option. Command, option and choice names
// may be the default ones or those of the user's language.
func (a *Actor) Type(ctx context.Context, channelID, line string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		l, typed, err := a.parse(u, ch, line)
		if err != nil {
			return nil, err
		}
		options := map[string]any{}
		for _, t := range typed {
			options[t.name] = t.value
		}
		return a.command(u, ch, l, options)
	})
}

// Autocomplete asks the bot for suggestions while the last option of the line
// is being typed: "/lasca move move:c3". The other options go along as far as
// they are complete.
func (a *Actor) Autocomplete(ctx context.Context, channelID, line string) ([]check.Choice, error) {
	r, err := a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		l, typed, err := a.parse(u, ch, line)
		if err != nil {
			return nil, err
		}
		if len(typed) == 0 {
			return nil, fmt.Errorf("%w: no option to complete", ErrOption)
		}
		last := typed[len(typed)-1]
		given := map[string]any{}
		for _, t := range typed[:len(typed)-1] {
			given[t.name] = t.value
		}
		return a.complete(u, ch, l, given, last.name, last.value)
	})
	if err != nil {
		return nil, err
	}
	return r.Choices, nil
}

// Complete asks the bot for suggestions for an option of a command while text is
// being typed there. options are those filled in already, as for [Actor.Slash].
func (a *Actor) Complete(ctx context.Context, channelID, path string, options map[string]any, option, text string) ([]check.Choice, error) {
	r, err := a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		l, rest, err := a.leaf(u, ch, strings.TrimPrefix(path, "/"))
		if err != nil {
			return nil, err
		}
		if rest != "" {
			return nil, fmt.Errorf("%w: %q after the command", ErrUnknownCommand, rest)
		}
		return a.complete(u, ch, l, options, option, text)
	})
	if err != nil {
		return nil, err
	}
	return r.Choices, nil
}

// complete begins to ask for suggestions. The caller holds s.mu.
func (a *Actor) complete(u *User, ch *channel, l leaf, options map[string]any, option, text string) (*interaction, error) {
	i := slices.IndexFunc(l.options, func(o check.CommandOption) bool {
		return option == o.Name || option == localized(o.Name, o.NameLocalizations, u.Locale)
	})
	if i < 0 {
		return nil, fmt.Errorf("%w: %q is not an option", ErrOption, option)
	}
	focus := &l.options[i]
	if !focus.Autocomplete {
		return nil, fmt.Errorf("%w: %s has no autocomplete", ErrOption, focus.Name)
	}
	given := maps.Clone(options)
	if given == nil {
		given = map[string]any{}
	}
	given[focus.Name] = text
	in := &interaction{kind: kindAutocomplete, userID: u.ID, focusType: focus.Type}
	return a.begin(in, u, ch, l, given, focus.Name)
}

// UserCommand runs a user command ("Apps" in the menu of a person) by its
// default or localized name.
func (a *Actor) UserCommand(ctx context.Context, channelID, name, targetUserID string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		cmds, err := a.available(ch)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(cmds, func(c *check.Command) bool {
			return c.Type == check.UserCommand && (c.Name == name || localized(c.Name, c.NameLocalizations, u.Locale) == name)
		})
		if i < 0 {
			return nil, fmt.Errorf("%w: user command %q", ErrUnknownCommand, name)
		}
		if a.s.users[targetUserID] == nil {
			return nil, fmt.Errorf("%w: %q", ErrUnknownUser, targetUserID)
		}
		cmd := cmds[i]
		data := map[string]any{
			"id": cmd.ID, "name": cmd.Name, "type": check.UserCommand, "target_id": targetUserID,
			"resolved": a.s.resolvedUsers(ch, []string{targetUserID}),
		}
		if cmd.GuildID != "" {
			data["guild_id"] = cmd.GuildID
		}
		in := &interaction{kind: kindCommand, userID: u.ID, command: cmd.Name, owners: a.s.commandOwners(ch, u.ID, cmd)}
		return a.s.begin(in, ch, data, nil), nil
	})
}

// leaf finds a command that the person can use here, and gives what follows it.
func (a *Actor) leaf(u *User, ch *channel, line string) (leaf, string, error) {
	cmds, err := a.available(ch)
	if err != nil {
		return leaf{}, "", err
	}
	return matchPath(cmds, line, u.Locale)
}

// parse splits a typed line.
func (a *Actor) parse(u *User, ch *channel, line string) (leaf, []typedOption, error) {
	line, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "/")
	if !ok {
		return leaf{}, nil, fmt.Errorf("%w: a command begins with a slash", ErrUnknownCommand)
	}
	l, rest, err := a.leaf(u, ch, line)
	if err != nil {
		return leaf{}, nil, err
	}
	var names []string
	for i := range l.options {
		o := &l.options[i]
		names = append(names, o.Name)
		if n := localized(o.Name, o.NameLocalizations, u.Locale); n != o.Name {
			names = append(names, n)
		}
	}
	typed, err := splitOptions(rest, names)
	return l, typed, err
}

// command runs a command with options. The caller holds s.mu.
func (a *Actor) command(u *User, ch *channel, l leaf, options map[string]any) (*interaction, error) {
	return a.begin(&interaction{kind: kindCommand, userID: u.ID}, u, ch, l, options, "")
}

// begin checks the options of a command and starts its interaction. focus is the
// option being completed, "" if none. The caller holds s.mu.
func (a *Actor) begin(in *interaction, u *User, ch *channel, l leaf, options map[string]any, focus string) (*interaction, error) {
	values, people, err := a.s.optionValues(u, ch, l, options, focus)
	if err != nil {
		return nil, err
	}
	data := commandData(l, values)
	if len(people) > 0 {
		data["resolved"] = a.s.resolvedUsers(ch, people)
	}
	in.command, in.owners = strings.Join(l.path, " "), a.s.commandOwners(ch, u.ID, l.cmd)
	return a.s.begin(in, ch, data, nil), nil
}
