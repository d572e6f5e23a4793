package discordsim

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxChoices       = 25
	maxCommandText   = 8000
	maxSlashCommands = 100
	maxMenuCommands  = 15
)

// commandName is Discord's rule for the names of slash commands and options.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// locales are the languages of Discord's clients.
var locales = []string{
	"id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl",
	"pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko",
}

// localizations checks a map of locale → text and gives the longest text's length.
func localizations(o *fields, key string, check func(place, text string)) int {
	v, ok := o.get(key)
	if !ok {
		return 0
	}
	l, ok := o.f.object(o.at(key), v)
	if !ok {
		return 0
	}
	longest := 0
	for _, loc := range slices.Sorted(maps.Keys(l.m)) {
		if l.m[loc] == nil {
			continue
		}
		if !slices.Contains(locales, loc) {
			o.f.fail(l.at(loc), "BASE_TYPE_CHOICES", "Locale %q is not one of Discord's.", loc)
			continue
		}
		text, ok := l.m[loc].(string)
		if !ok {
			o.f.fail(l.at(loc), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
			continue
		}
		check(l.at(loc), text)
		longest = max(longest, utf8.RuneCountInString(text))
	}
	return longest
}

// commandCheck checks one command and adds up its text.
type commandCheck struct {
	f    *form
	text int
}

func (c *commandCheck) name(o *fields, slash bool) string {
	check := func(place, text string) {
		c.f.length(place, text, 1, 32)
		if n := utf8.RuneCountInString(text); !slash || n < 1 || n > 32 {
			return
		}
		if !commandName.MatchString(text) || strings.ToLower(text) != text {
			c.f.fail(place, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
		}
	}
	var name string
	if o.require("name") {
		if s, ok := o.get("name"); ok {
			name, _ = s.(string)
			check(o.at("name"), name)
		}
	}
	c.text += max(utf8.RuneCountInString(name), localizations(o, "name_localizations", check))
	return name
}

func (c *commandCheck) description(o *fields, required bool) {
	check := func(place, text string) { c.f.length(place, text, 1, 100) }
	d, ok := o.get("description")
	text, isText := d.(string)
	switch {
	case required && (!ok || !isText):
		c.f.fail(o.at("description"), "BASE_TYPE_REQUIRED", "This field is required")
	case required:
		check(o.at("description"), text)
	case text != "":
		c.f.fail(o.at("description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_BE_SET", "Context menu commands cannot have description")
	}
	c.text += max(utf8.RuneCountInString(text), localizations(o, "description_localizations", check))
}

// checkCommand checks the body of a command.
func checkCommand(f *form, place string, v any) (Command, bool) {
	var cmd Command
	o, ok := f.object(place, v)
	if !ok {
		return cmd, false
	}
	before := len(f.list)
	c := &commandCheck{f: f}
	cmd.Type = ChatInputCommand
	if t, ok := o.integer("type", 1, 3); ok {
		cmd.Type = t
	}
	slash := cmd.Type == ChatInputCommand
	c.name(o, slash)
	c.description(o, slash)
	if list, ok := o.array("options", 0, maxOptions); ok {
		if !slash && len(list) > 0 {
			f.fail(o.at("options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_CANNOT_BE_SET", "Context menu commands cannot have options")
		} else {
			c.options(o.at("options"), list, 0)
		}
	}
	if p, ok := o.get("default_member_permissions"); ok {
		text, isText := p.(string)
		if !isText || !isSnowflake(text) {
			f.fail(o.at("default_member_permissions"), "NUMBER_TYPE_COERCE", "Value %q is not a set of permissions as text.", fmt.Sprint(p))
		}
	}
	ints := func(key string, high int) {
		list, ok := o.array(key, 1, high+1)
		if !ok {
			return
		}
		seen := map[string]bool{}
		for i, v := range list {
			n, _ := v.(json.Number)
			if len(n) != 1 || n[0] < '0' || int(n[0]-'0') > high {
				f.fail(o.at(fmt.Sprintf("%s.%d", key, i)), "BASE_TYPE_CHOICES", "Value must be between 0 and %d.", high)
			}
			if seen[n.String()] {
				f.fail(o.at(key), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			}
			seen[n.String()] = true
		}
	}
	ints("contexts", 2)
	ints("integration_types", 1)
	o.boolean("nsfw")
	o.boolean("dm_permission")
	// Fields of an answer that a client may send back.
	o.done("id", "application_id", "guild_id", "version", "default_permission", "handler", "name_localized", "description_localized")
	if c.text > maxCommandText {
		f.fail(place, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandText)
	}
	if len(f.list) > before {
		return cmd, false
	}
	typ := cmd.Type
	cmd, err := convert[Command](v)
	if err != nil {
		f.fail(place, "MODEL_TYPE_CONVERT", "%v", err)
		return cmd, false
	}
	cmd.Type = typ
	return cmd, true
}

// options checks the options at one level: 0 below the command, 1 below a
// subcommand or group, 2 below a subcommand of a group.
func (c *commandCheck) options(place string, list []any, level int) {
	names := map[string]bool{}
	optional, subs, plain := false, 0, 0
	for i, v := range list {
		o, ok := c.f.object(join(place, fmt.Sprint(i)), v)
		if !ok || !o.require("type") {
			continue
		}
		typ, ok := o.integer("type", 1, 11)
		if !ok {
			continue
		}
		name := c.name(o, true)
		c.description(o, true)
		if names[name] {
			c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option name %q is used twice", name)
		}
		names[name] = true
		required, _ := o.boolean("required")
		choices, _ := o.array("choices", 0, maxChoices)
		auto, _ := o.boolean("autocomplete")
		if typ == SubCommand || typ == SubCommandGroup {
			subs++
			c.sub(o, typ, level)
			o.done("required", "choices", "autocomplete", "min_value", "max_value", "min_length", "max_length", "channel_types", "name_localized", "description_localized")
			continue
		}
		plain++
		if required && optional {
			c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !required
		c.choices(o, typ, choices, auto)
		c.bounds(o, typ)
		if nested, ok := o.array("options", 0, maxOptions); ok && len(nested) > 0 {
			c.f.fail(o.at("options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only subcommands and groups have options")
		}
		if types, ok := o.array("channel_types", 0, 25); ok && len(types) > 0 && typ != ChannelOption {
			c.f.fail(o.at("channel_types"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only channel options have channel types")
		}
		o.done("name_localized", "description_localized")
	}
	if subs > 0 && plain > 0 {
		c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
}

func (c *commandCheck) sub(o *fields, typ, level int) {
	if level > 1 || level == 1 && typ == SubCommandGroup {
		c.f.fail(o.at("type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Subcommands cannot be nested deeper than group and subcommand")
		return
	}
	nested, _ := o.array("options", 0, maxOptions)
	if typ == SubCommandGroup {
		for i, v := range nested {
			if m, ok := v.(map[string]any); !ok || fmt.Sprint(m["type"]) != fmt.Sprint(SubCommand) {
				c.f.fail(o.at(fmt.Sprintf("options.%d.type", i)), "BASE_TYPE_CHOICES", "A group holds subcommands only")
			}
		}
		if len(nested) == 0 {
			c.f.fail(o.at("options"), "BASE_TYPE_REQUIRED", "This field is required")
		}
		c.options(o.at("options"), nested, 1)
		return
	}
	c.options(o.at("options"), nested, level+1)
	for i, v := range nested {
		if m, ok := v.(map[string]any); ok && (fmt.Sprint(m["type"]) == "1" || fmt.Sprint(m["type"]) == "2") {
			c.f.fail(o.at(fmt.Sprintf("options.%d.type", i)), "BASE_TYPE_CHOICES", "A subcommand cannot hold subcommands")
		}
	}
}

func (c *commandCheck) choices(o *fields, typ int, list []any, auto bool) {
	if len(list) > 0 && auto {
		c.f.fail(o.at("autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", "autocomplete may not be set to true if choices are present")
	}
	if auto && typ != StringOption && typ != IntegerOption && typ != NumberOption {
		c.f.fail(o.at("autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", "autocomplete is for string, integer and number options")
	}
	if len(list) > 0 && typ != StringOption && typ != IntegerOption && typ != NumberOption {
		c.f.fail(o.at("choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "choices are for string, integer and number options")
		return
	}
	names, values := map[string]bool{}, map[string]bool{}
	for i, v := range list {
		place := o.at(fmt.Sprintf("choices.%d", i))
		checkChoice(c.f, place, v, typ)
		if m, ok := v.(map[string]any); ok {
			name, value := fmt.Sprint(m["name"]), fmt.Sprint(m["value"])
			if names[name] || values[value] {
				c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAMES_INVALID", "Choice %q is used twice", name)
			}
			names[name], values[value] = true, true
			c.text += utf8.RuneCountInString(name)
			if typ == StringOption {
				c.text += utf8.RuneCountInString(value)
			}
		}
	}
}

func (c *commandCheck) bounds(o *fields, typ int) {
	numeric := typ == IntegerOption || typ == NumberOption
	read := func(key string) (float64, bool) {
		v, ok := o.get(key)
		if !ok {
			return 0, false
		}
		n, ok := v.(json.Number)
		x, err := n.Float64()
		if !ok || err != nil {
			c.f.fail(o.at(key), "NUMBER_TYPE_COERCE", "Value %q is not a number.", fmt.Sprint(v))
			return 0, false
		}
		return x, true
	}
	lo, hasLo := read("min_value")
	hi, hasHi := read("max_value")
	if !numeric && (hasLo || hasHi) {
		c.f.fail(o.at("min_value"), "APPLICATION_COMMAND_OPTIONS_MIN_MAX_VALUE_INVALID", "min_value and max_value are for integer and number options")
	}
	if hasLo && hasHi && lo > hi {
		c.f.fail(o.at("max_value"), "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_GREATER_THAN_MAX_VALUE", "min_value is greater than max_value")
	}
	least, hasLeast := o.integer("min_length", 0, 6000)
	most, hasMost := o.integer("max_length", 1, 6000)
	if typ != StringOption && (hasLeast || hasMost) {
		c.f.fail(o.at("min_length"), "APPLICATION_COMMAND_OPTIONS_MIN_MAX_LENGTH_INVALID", "min_length and max_length are for string options")
	}
	if hasLeast && hasMost && least > most {
		c.f.fail(o.at("max_length"), "APPLICATION_COMMAND_OPTIONS_MIN_LENGTH_GREATER_THAN_MAX_LENGTH", "min_length is greater than max_length")
	}
}

// commandScope checks the application and guild of the path.
func (c *call) commandScope() (guildID string, err *apiError) {
	if c.params["application_id"] != c.s.appID {
		return "", mistake(http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	}
	id, ok := c.params["guild_id"]
	if !ok {
		return "", nil
	}
	if g := c.s.guilds[id]; g == nil || g.Members[c.s.botID] == nil {
		return "", errMissingAccess
	}
	return id, nil
}

func (c *call) scoped(guildID string) []*Command {
	var out []*Command
	for _, cmd := range c.s.commands {
		if cmd.GuildID == guildID {
			out = append(out, cmd)
		}
	}
	return out
}

// commandJSON leaves the localizations out unless they are asked for.
func (c *call) commandJSON(cmd *Command) any {
	if c.req.Method == http.MethodGet && c.query.Get("with_localizations") != "true" {
		return stripLocalizations(*cmd)
	}
	return *cmd
}

func stripLocalizations(cmd Command) Command {
	cmd.NameLocalizations, cmd.DescriptionLocalizations = nil, nil
	cmd.Options = stripOptions(cmd.Options)
	return cmd
}

func stripOptions(list []CommandOption) []CommandOption {
	out := slices.Clone(list)
	for i := range out {
		o := &out[i]
		o.NameLocalizations, o.DescriptionLocalizations = nil, nil
		o.Options = stripOptions(o.Options)
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			o.Choices[j].NameLocalizations = nil
		}
	}
	return out
}

func listCommands(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	out := []any{}
	for _, cmd := range c.scoped(guildID) {
		out = append(out, c.commandJSON(cmd))
	}
	return http.StatusOK, out, nil
}

// overwriteCommands replaces all commands of a scope; those that keep name and
// type keep their ID.
func overwriteCommands(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	f := &form{}
	list, ok := c.body.([]any)
	if !ok {
		f.fail("", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return 0, nil, c.finish(f)
	}
	var cmds []*Command
	for i, v := range list {
		cmd, ok := checkCommand(f, fmt.Sprint(i), v)
		if !ok {
			continue
		}
		if slices.ContainsFunc(cmds, func(x *Command) bool { return x.Type == cmd.Type && x.Name == cmd.Name }) {
			f.fail(fmt.Sprintf("%d.name", i), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		cmds = append(cmds, &cmd)
	}
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	if err := tooMany(cmds); err != nil {
		return 0, nil, err
	}
	old := c.scoped(guildID)
	out := []any{}
	for _, cmd := range cmds {
		c.s.adopt(cmd, guildID, old)
		out = append(out, *cmd)
	}
	c.s.commands = slices.DeleteFunc(c.s.commands, func(x *Command) bool { return x.GuildID == guildID })
	c.s.commands = append(c.s.commands, cmds...)
	c.s.commandsChanged()
	return http.StatusOK, out, nil
}

// adopt gives a command its IDs, those of an earlier one of the same name if there is one.
func (s *Server) adopt(cmd *Command, guildID string, old []*Command) {
	cmd.ID = ""
	for _, o := range old {
		if o.Name == cmd.Name && o.Type == cmd.Type {
			cmd.ID = o.ID
		}
	}
	if cmd.ID == "" {
		cmd.ID = s.newID()
	}
	cmd.ApplicationID, cmd.GuildID, cmd.Version = s.appID, guildID, s.newID()
}

func tooMany(cmds []*Command) *apiError {
	count := map[int]int{}
	for _, cmd := range cmds {
		count[cmd.Type]++
	}
	if count[ChatInputCommand] > maxSlashCommands || count[UserCommand] > maxMenuCommands || count[MessageCommand] > maxMenuCommands {
		return mistake(http.StatusBadRequest, 30032, "Maximum number of application commands reached (100)")
	}
	return nil
}

func (s *Server) commandsChanged() {
	s.record(recCommands, s.commands)
	s.emit(Event{Kind: EventCommands})
}

// createCommand adds a command or replaces the one of the same name and type.
func createCommand(c *call) (int, any, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return 0, nil, err
	}
	f := &form{}
	cmd, ok := checkCommand(f, "", c.body)
	if err := c.finish(f); err != nil || !ok {
		return 0, nil, err
	}
	old := c.scoped(guildID)
	rest := slices.DeleteFunc(slices.Clone(old), func(x *Command) bool { return x.Name == cmd.Name && x.Type == cmd.Type })
	if err := tooMany(append(rest, &cmd)); err != nil {
		return 0, nil, err
	}
	c.s.adopt(&cmd, guildID, old)
	c.s.commands = slices.DeleteFunc(c.s.commands, func(x *Command) bool { return x.ID == cmd.ID })
	c.s.commands = append(c.s.commands, &cmd)
	c.s.commandsChanged()
	if len(rest) < len(old) {
		return http.StatusOK, cmd, nil
	}
	return http.StatusCreated, cmd, nil
}

func (c *call) oneCommand() (*Command, *apiError) {
	guildID, err := c.commandScope()
	if err != nil {
		return nil, err
	}
	for _, cmd := range c.scoped(guildID) {
		if cmd.ID == c.params["command_id"] {
			return cmd, nil
		}
	}
	return nil, mistake(http.StatusNotFound, 10063, "Unknown application command")
}

func getCommand(c *call) (int, any, *apiError) {
	cmd, err := c.oneCommand()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.commandJSON(cmd), nil
}

// editCommand lays the given keys over the command and checks the whole.
func editCommand(c *call) (int, any, *apiError) {
	old, err := c.oneCommand()
	if err != nil {
		return 0, nil, err
	}
	f := &form{}
	o, ok := f.object("", c.body)
	if !ok {
		return 0, nil, c.finish(f)
	}
	merged, _ := convert[map[string]any](*old)
	maps.Copy(merged, o.m)
	generic, _ := json.Marshal(merged)
	v, _ := decodeJSON(generic)
	cmd, ok := checkCommand(f, "", v)
	if err := c.finish(f); err != nil || !ok {
		return 0, nil, err
	}
	cmd.ID, cmd.ApplicationID, cmd.GuildID, cmd.Version = old.ID, old.ApplicationID, old.GuildID, c.s.newID()
	i := slices.Index(c.s.commands, old)
	c.s.commands[i] = &cmd
	c.s.commandsChanged()
	return http.StatusOK, cmd, nil
}

func deleteCommand(c *call) (int, any, *apiError) {
	old, err := c.oneCommand()
	if err != nil {
		return 0, nil, err
	}
	c.s.commands = slices.DeleteFunc(c.s.commands, func(x *Command) bool { return x == old })
	c.s.commandsChanged()
	return http.StatusNoContent, nil, nil
}
