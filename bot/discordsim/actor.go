package discordsim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Actor is a person at a client. It does only what Discord's client would let
// the person do. The methods that start an interaction return when the bot has
// answered first, when the time for that is over ([ErrNoAnswer]), or when ctx
// is done.
type Actor struct {
	s  *Server
	id string
}

// As gives the actor for a user ID. An unknown ID shows as [ErrUnknownUser]
// when the actor does something.
func (s *Server) As(userID string) *Actor { return &Actor{s: s, id: userID} }

// ID gives the user ID.
func (a *Actor) ID() string { return a.id }

// start begins an interaction with s.mu held and waits for the answer without.
func (a *Actor) start(ctx context.Context, channelID string, begin func(u *User, ch *channel) (*interaction, error)) (*Reply, error) {
	s := a.s
	s.mu.Lock()
	u, ch, err := a.place(channelID)
	var in *interaction
	if err == nil {
		in, err = begin(u, ch)
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case o := <-in.done:
		return o.reply, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// place finds the person and a channel they can see. The caller holds s.mu.
func (a *Actor) place(channelID string) (*User, *channel, error) {
	if a.s.closed {
		return nil, nil, ErrClosed
	}
	u := a.s.users[a.id]
	if u == nil {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknownUser, a.id)
	}
	ch := a.s.channels[channelID]
	if ch == nil || !a.s.permissions(ch, a.id).Has(ViewChannel) {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknownChannel, channelID)
	}
	return u, ch, nil
}

// available gives the commands the person can use in the channel, those of the
// guild before global ones. The caller holds s.mu.
func (a *Actor) available(ch *channel) ([]*Command, error) {
	s := a.s
	p := s.permissions(ch, a.id)
	if ch.Type != DMChannel && !p.Has(UseApplicationCommands) {
		return nil, fmt.Errorf("%w: no permission to use commands", ErrForbidden)
	}
	if g := s.guilds[ch.GuildID]; g != nil && g.Members[s.botID] == nil {
		return nil, nil // the application is not in this guild
	}
	if ch.Archived || ch.Locked {
		return nil, fmt.Errorf("%w: the thread is archived or locked", ErrForbidden)
	}
	context := 0
	if ch.Type == DMChannel {
		context = 1
	}
	var own, global []*Command
	for _, c := range s.commands {
		if c.DefaultMemberPermissions != nil && ch.Type != DMChannel {
			need, _ := strconv.ParseUint(*c.DefaultMemberPermissions, 10, 64)
			if p != allPermissions && (need == 0 || !p.Has(Permissions(need))) {
				continue
			}
		}
		switch {
		case c.GuildID != "" && c.GuildID == ch.GuildID:
			own = append(own, c)
		case c.GuildID == "" && (len(c.Contexts) == 0 || slices.Contains(c.Contexts, context)):
			global = append(global, c)
		}
	}
	return append(own, global...), nil
}

// Available gives the commands that the person can use in a channel, as the
// client would offer them.
func (a *Actor) Available(channelID string) ([]Command, error) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	_, ch, err := a.place(channelID)
	if err != nil {
		return nil, err
	}
	list, err := a.available(ch)
	out := make([]Command, 0, len(list))
	for _, c := range list {
		out = append(out, *c)
	}
	return out, err
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
			return nil, fmt.Errorf("%w: %q behind the command", ErrUnknownCommand, rest)
		}
		return a.command(u, ch, l, options)
	})
}

// Type runs a slash command as typed: "/lasca play level:4 colour:white". An
// option's value reaches to the next option. Command, option and choice names
// count in the default and in the user's language.
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

// leaf finds a command the person can use here.
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

// command checks the options and starts the interaction. The caller holds s.mu.
func (a *Actor) command(u *User, ch *channel, l leaf, options map[string]any) (*interaction, error) {
	values, people, err := a.s.optionValues(u, ch, l, options, "")
	if err != nil {
		return nil, err
	}
	data := commandData(l, values)
	if len(people) > 0 {
		data["resolved"] = a.s.resolvedUsers(ch, people)
	}
	in := &interaction{kind: kindCommand, userID: u.ID, command: strings.Join(l.path, " ")}
	return a.s.begin(in, ch, data, nil), nil
}

// optionValues turns given options into wire values in the order in which they
// are registered. focus is the option being completed: it may be partial and
// required options may be missing.
func (s *Server) optionValues(u *User, ch *channel, l leaf, given map[string]any, focus string) (values []map[string]any, people []string, err error) {
	used := map[string]bool{}
	for i := range l.options {
		o := &l.options[i]
		raw, ok := given[o.Name]
		if ok {
			used[o.Name] = true
		}
		if n := localized(o.Name, o.NameLocalizations, u.Locale); n != o.Name {
			if r, there := given[n]; there {
				if ok {
					return nil, nil, fmt.Errorf("%w: %s is given twice", ErrOption, o.Name)
				}
				raw, ok, used[n] = r, true, true
			}
		}
		if !ok {
			if o.Required && focus == "" {
				return nil, nil, fmt.Errorf("%w: %s is required", ErrOption, o.Name)
			}
			continue
		}
		if o.Name == focus {
			values = append(values, map[string]any{"name": o.Name, "type": o.Type, "value": optionText(raw), "focused": true})
			continue
		}
		v, err := s.optionValue(u, ch, o, raw)
		if err != nil {
			if focus != "" {
				continue // half-typed neighbours are not sent
			}
			return nil, nil, err
		}
		if o.Type == UserOption || o.Type == MentionableOption {
			people = append(people, v.(string))
		}
		values = append(values, map[string]any{"name": o.Name, "type": o.Type, "value": v})
	}
	for name := range given {
		if !used[name] {
			return nil, nil, fmt.Errorf("%w: /%s has no option %q", ErrOption, strings.Join(l.path, " "), name)
		}
	}
	return values, people, nil
}

// optionText writes a given value the way a person would type it.
func optionText(raw any) string {
	if x, ok := raw.(float64); ok {
		return strconv.FormatFloat(x, 'f', -1, 64) // JSON gives whole numbers as float64
	}
	return fmt.Sprint(raw)
}

// maxOptionText is the longest string option Discord takes.
const maxOptionText = 6000

// optionValue checks one value against its registered option.
func (s *Server) optionValue(u *User, ch *channel, o *CommandOption, raw any) (any, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s", ErrOption, o.Name, fmt.Sprintf(format, args...))
	}
	text := optionText(raw)
	if len(o.Choices) > 0 {
		for _, c := range o.Choices {
			if text == fmt.Sprint(c.Value) || text == c.Name || text == localized(c.Name, c.NameLocalizations, u.Locale) {
				return c.Value, nil
			}
		}
		return nil, bad("%q is none of the choices", text)
	}
	switch o.Type {
	case StringOption:
		n := utf8.RuneCountInString(text)
		if o.MinLength != nil && n < *o.MinLength || n == 0 {
			return nil, bad("too short")
		}
		if o.MaxLength != nil && n > *o.MaxLength || n > maxOptionText {
			return nil, bad("too long")
		}
		return text, nil
	case IntegerOption, NumberOption:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1<<53 {
			return nil, bad("%q is no number", text)
		}
		if o.Type == IntegerOption {
			if _, err := strconv.ParseInt(text, 10, 64); err != nil {
				return nil, bad("%q is no whole number", text)
			}
		}
		if o.MinValue != nil && x < *o.MinValue {
			return nil, bad("must be %v or more", *o.MinValue)
		}
		if o.MaxValue != nil && x > *o.MaxValue {
			return nil, bad("must be %v or less", *o.MaxValue)
		}
		if o.Type == IntegerOption {
			n, _ := strconv.ParseInt(text, 10, 64)
			return n, nil
		}
		return x, nil
	case BooleanOption:
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, bad("must be True or False")
	case UserOption, MentionableOption:
		p := s.findUser(text)
		if p == nil {
			return nil, bad("there is no user %q", text)
		}
		return p.ID, nil
	case ChannelOption:
		id := strings.TrimSuffix(strings.TrimPrefix(text, "<#"), ">")
		for _, c := range s.channels {
			if c.GuildID == ch.GuildID && (c.ID == id || "#"+c.Name == text) && s.permissions(c, u.ID).Has(ViewChannel) {
				return c.ID, nil
			}
		}
		return nil, bad("there is no channel %q", text)
	}
	return nil, bad("options of type %d are not modelled", o.Type)
}

// Autocomplete asks the bot for suggestions while the last option of the line
// is being typed: "/lasca move move:c3". The other options go along as far as
// they are complete.
func (a *Actor) Autocomplete(ctx context.Context, channelID, line string) ([]Choice, error) {
	r, err := a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		l, typed, err := a.parse(u, ch, line)
		if err != nil {
			return nil, err
		}
		if len(typed) == 0 {
			return nil, fmt.Errorf("%w: no option to complete", ErrOption)
		}
		last := typed[len(typed)-1]
		i := slices.IndexFunc(l.options, func(o CommandOption) bool {
			return last.name == o.Name || last.name == localized(o.Name, o.NameLocalizations, u.Locale)
		})
		focus := &l.options[i]
		if !focus.Autocomplete {
			return nil, fmt.Errorf("%w: %s has no autocomplete", ErrOption, focus.Name)
		}
		given := map[string]any{}
		for _, t := range typed[:len(typed)-1] {
			given[t.name] = t.value
		}
		given[focus.Name] = last.value
		values, people, err := a.s.optionValues(u, ch, l, given, focus.Name)
		if err != nil {
			return nil, err
		}
		data := commandData(l, values)
		if len(people) > 0 {
			data["resolved"] = a.s.resolvedUsers(ch, people)
		}
		in := &interaction{kind: kindAutocomplete, userID: u.ID, command: strings.Join(l.path, " "), focusType: focus.Type}
		return a.s.begin(in, ch, data, nil), nil
	})
	if err != nil {
		return nil, err
	}
	return r.Choices, nil
}

// UserCommand runs a user command ("Apps" in the menu of a person) by its
// default or localized name.
func (a *Actor) UserCommand(ctx context.Context, channelID, name, targetUserID string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		cmds, err := a.available(ch)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(cmds, func(c *Command) bool {
			return c.Type == UserCommand && (c.Name == name || localized(c.Name, c.NameLocalizations, u.Locale) == name)
		})
		if i < 0 {
			return nil, fmt.Errorf("%w: user command %q", ErrUnknownCommand, name)
		}
		if a.s.users[targetUserID] == nil {
			return nil, fmt.Errorf("%w: %q", ErrUnknownUser, targetUserID)
		}
		cmd := cmds[i]
		data := map[string]any{
			"id": cmd.ID, "name": cmd.Name, "type": UserCommand, "target_id": targetUserID,
			"resolved": a.s.resolvedUsers(ch, []string{targetUserID}),
		}
		if cmd.GuildID != "" {
			data["guild_id"] = cmd.GuildID
		}
		in := &interaction{kind: kindCommand, userID: u.ID, command: cmd.Name}
		return a.s.begin(in, ch, data, nil), nil
	})
}

// component finds a usable component of a message. The caller holds s.mu.
func (a *Actor) component(ch *channel, messageID string, want func(*Component) bool, what string) (*message, *Component, error) {
	m := ch.find(messageID)
	if m == nil || !m.visibleTo(a.id) {
		return nil, nil, fmt.Errorf("%w: %q", ErrUnknownMessage, messageID)
	}
	var found *Component
	walk(m.Components, func(c *Component) bool {
		if want(c) && (found == nil || found.Disabled) {
			found = c
		}
		return true
	})
	if found == nil {
		return nil, nil, fmt.Errorf("%w: %s", ErrNoComponent, what)
	}
	if found.Disabled {
		return nil, nil, fmt.Errorf("%w: %s", ErrDisabled, what)
	}
	return m, found, nil
}

// Click presses a button by its custom ID.
func (a *Actor) Click(ctx context.Context, channelID, messageID, customID string) (*Reply, error) {
	return a.click(ctx, channelID, messageID, func(c *Component) bool { return c.CustomID == customID }, customID)
}

// ClickLabel presses a button by what is written on it: its label or, where
// that is empty, its emoji.
func (a *Actor) ClickLabel(ctx context.Context, channelID, messageID, label string) (*Reply, error) {
	return a.click(ctx, channelID, messageID, func(c *Component) bool { return buttonText(*c) == label || c.Label == label }, label)
}

func (a *Actor) click(ctx context.Context, channelID, messageID string, want func(*Component) bool, what string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m, c, err := a.component(ch, messageID, func(c *Component) bool {
			return c.Type == Button && c.CustomID != "" && want(c)
		}, "button "+strconv.Quote(what))
		if err != nil {
			return nil, err
		}
		data := map[string]any{"custom_id": c.CustomID, "component_type": Button, "id": c.ID}
		return a.s.begin(&interaction{kind: kindComponent, userID: u.ID, messageID: m.ID}, ch, data, m), nil
	})
}

// Select chooses values of a select menu by its custom ID; for a user menu the
// values are user IDs. Other menus than those of strings and users are not
// modelled.
func (a *Actor) Select(ctx context.Context, channelID, messageID, customID string, values ...string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m, c, err := a.component(ch, messageID, func(c *Component) bool {
			return (c.Type == StringSelect || c.Type == UserSelect) && c.CustomID == customID
		}, "menu "+strconv.Quote(customID))
		if err != nil {
			return nil, err
		}
		low, high := 1, 1
		if c.MinValues != nil {
			low = *c.MinValues
		}
		if c.MaxValues != nil {
			high = *c.MaxValues
		}
		if len(values) < low || len(values) > high {
			return nil, fmt.Errorf("%w: choose %d to %d", ErrBadSelection, low, high)
		}
		for i, v := range values {
			known := c.Type == UserSelect && a.s.users[v] != nil ||
				slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == v })
			if !known || slices.Contains(values[:i], v) {
				return nil, fmt.Errorf("%w: %q is not offered or chosen twice", ErrBadSelection, v)
			}
		}
		data := map[string]any{"custom_id": c.CustomID, "component_type": c.Type, "id": c.ID, "values": append([]string{}, values...)}
		if c.Type == UserSelect {
			data["resolved"] = a.s.resolvedUsers(ch, values)
		}
		return a.s.begin(&interaction{kind: kindComponent, userID: u.ID, messageID: m.ID}, ch, data, m), nil
	})
}

// SubmitModal sends a form that the bot opened for this person. values are by
// the custom ID of the input; inputs left out keep their preset value.
func (a *Actor) SubmitModal(ctx context.Context, modal *Modal, values map[string]string) (*Reply, error) {
	if modal == nil || modal.userID != a.id {
		return nil, fmt.Errorf("%w: the form was not opened for this person", ErrForbidden)
	}
	return a.start(ctx, modal.channelID, func(u *User, ch *channel) (*interaction, error) {
		used := map[string]bool{}
		var problem error
		var fill func(list []Component) []map[string]any
		fill = func(list []Component) []map[string]any {
			out := []map[string]any{}
			for i := range list {
				c := &list[i]
				entry := map[string]any{"type": c.Type, "id": c.ID}
				switch {
				case c.Type == TextInput:
					v, given := values[c.CustomID]
					used[c.CustomID] = true
					if !given {
						v = c.Value
					}
					n := utf8.RuneCountInString(v)
					required := c.Required == nil || *c.Required
					high := 4000
					if c.MaxLength != nil && *c.MaxLength > 0 {
						high = *c.MaxLength
					}
					if n == 0 && required || n > high || n > 0 && c.MinLength != nil && n < *c.MinLength {
						problem = fmt.Errorf("%w: %q does not fit the input %s", ErrBadInput, v, c.CustomID)
					}
					entry["custom_id"], entry["value"] = c.CustomID, v
				case c.Type == StringSelect:
					used[c.CustomID] = true
					chosen := []string{}
					if v := values[c.CustomID]; v != "" {
						chosen = append(chosen, v)
					}
					entry["custom_id"], entry["values"] = c.CustomID, chosen
				case c.Component != nil:
					entry["component"] = fill([]Component{*c.Component})[0]
				case c.Components != nil:
					entry["components"] = fill(c.Components)
				}
				out = append(out, entry)
			}
			return out
		}
		data := map[string]any{"custom_id": modal.CustomID, "components": fill(modal.Components)}
		for id := range values {
			if !used[id] {
				return nil, fmt.Errorf("%w: %q", ErrNoComponent, id)
			}
		}
		if problem != nil {
			return nil, problem
		}
		m := ch.find(modal.messageID)
		return a.s.begin(&interaction{kind: kindModal, userID: u.ID, messageID: modal.messageID}, ch, data, m), nil
	})
}

// Say posts a plain message of 1 to 2,000 characters. Mentions in it notify people.
func (a *Actor) Say(ctx context.Context, channelID, content string) (Message, error) {
	if err := ctx.Err(); err != nil {
		return Message{}, err
	}
	s := a.s
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ch, err := a.place(channelID)
	if err != nil {
		return Message{}, err
	}
	p := s.permissions(ch, a.id)
	need := SendMessages
	if ch.Type == ThreadChannel {
		need = SendMessagesInThreads
	}
	if !p.Has(need) || ch.Locked && !p.Has(ManageThreads) {
		return Message{}, fmt.Errorf("%w: no permission to write", ErrForbidden)
	}
	content = strings.TrimSpace(content)
	if n := utf8.RuneCountInString(content); n < 1 || n > maxContent || !utf8.ValidString(content) {
		return Message{}, fmt.Errorf("%w: a message has 1 to %d characters", ErrBadInput, maxContent)
	}
	m := s.newMessage(ch, *u)
	m.Content = content
	s.post(ch, m, nil, false)
	return m.view(), nil
}

// OpenDM gives the channel of the person's direct messages with the bot; "" for
// an unknown person.
func (a *Actor) OpenDM() string {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if u := a.s.users[a.id]; u == nil || u.Bot {
		return ""
	}
	return a.s.dm(a.id).ID
}

// Dismiss hides one of the person's own ephemeral messages, as the client does
// on "Dismiss message". The bot does not learn of it.
func (a *Actor) Dismiss(channelID, messageID string) error {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	_, ch, err := a.place(channelID)
	if err != nil {
		return err
	}
	m := ch.find(messageID)
	if m == nil || m.EphemeralFor != a.id || m.Hidden {
		return fmt.Errorf("%w: %q", ErrUnknownMessage, messageID)
	}
	m.Hidden = true
	a.s.record(recMessage, m)
	a.s.emitMessage(EventMessageDelete, m)
	return nil
}

// buttonText is what is written on a button.
func buttonText(c Component) string {
	if c.Emoji == nil {
		return c.Label
	}
	return strings.TrimSpace(c.Emoji.Name + " " + c.Label)
}
