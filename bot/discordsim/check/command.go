package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Command kinds.
const (
	ChatInputCommand = 1 // a slash command
	UserCommand      = 2 // in the menu of a person
	MessageCommand   = 3 // in the menu of a message
)

const (
	maxCommandText   = 8000 // characters of a command with everything in it
	maxSlashCommands = 100
	maxMenuCommands  = 15 // of each kind
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

// TooManyCommands reports whether these are more commands of one kind than an
// application may register.
func TooManyCommands(commands []Command) bool {
	count := map[int]int{}
	for _, c := range commands {
		count[c.Type]++
	}
	return count[ChatInputCommand] > maxSlashCommands || count[UserCommand] > maxMenuCommands || count[MessageCommand] > maxMenuCommands
}

// Commands checks a list of commands to register and gives those that are
// correct. It does not count them, see [TooManyCommands].
func (f *Form) Commands(v any) []Command {
	list, ok := v.([]any)
	if !ok {
		f.fail("", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil
	}
	out := make([]Command, 0, len(list))
	for i, v := range list {
		cmd, ok := f.command(strconv.Itoa(i), v)
		if !ok {
			continue
		}
		if slices.ContainsFunc(out, func(x Command) bool { return x.Type == cmd.Type && x.Name == cmd.Name }) {
			f.fail(join(strconv.Itoa(i), "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		out = append(out, cmd)
	}
	return out
}

// Command checks the body of a request that creates one command.
func (f *Form) Command(v any) Command {
	cmd, _ := f.command("", v)
	return cmd
}

// commandCheck checks one command and adds up its text.
type commandCheck struct {
	f    *Form
	text int // characters
}

// command checks one command; false if anything is wrong with it.
func (f *Form) command(place string, v any) (Command, bool) {
	o, ok := f.object(place, v)
	if !ok {
		return Command{}, false
	}
	before := len(f.mistakes)
	c := &commandCheck{f: f}
	typ := ChatInputCommand
	if t, ok := o.integer("type", 1, 3); ok {
		typ = t
	}
	slash := typ == ChatInputCommand
	c.name(o, slash)
	c.description(o, slash)
	if list, ok := o.array("options", 0, maxOptions); ok && (slash || len(list) == 0) {
		c.options(o.at("options"), list, 0)
	} else if ok {
		f.fail(o.at("options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_CANNOT_BE_SET", "Context menu commands cannot have options")
	}
	if p, ok := o.get("default_member_permissions"); ok {
		if text, _ := p.(string); !IsSnowflake(text) {
			f.fail(o.at("default_member_permissions"), "NUMBER_TYPE_COERCE", "Value %q is not a set of permissions as text.", fmt.Sprint(p))
		}
	}
	f.digits(o, "contexts", 2)
	f.digits(o, "integration_types", 1)
	o.boolean("nsfw")
	o.boolean("dm_permission")
	// Fields of an answer that a client may send back.
	o.done("id", "application_id", "guild_id", "version", "default_permission", "handler", "name_localized", "description_localized")
	if c.text > maxCommandText {
		f.fail(place, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandText)
	}
	if len(f.mistakes) > before {
		return Command{}, false
	}
	cmd, err := convert[Command](v)
	if err != nil {
		f.fail(place, "MODEL_TYPE_CONVERT", "%v", err)
		return Command{}, false
	}
	cmd.Type = typ
	return cmd, true
}

// digits checks a set of numbers from 0 to high, which has one digit.
func (f *Form) digits(o *object, key string, high int) {
	list, _ := o.array(key, 1, high+1)
	seen := map[string]bool{}
	for i, v := range list {
		n, _ := v.(json.Number)
		if len(n) != 1 || n[0] < '0' || int(n[0]-'0') > high {
			f.fail(o.at(key, i), "BASE_TYPE_CHOICES", "Value must be between 0 and %d.", high)
		}
		if seen[n.String()] {
			f.fail(o.at(key), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
		}
		seen[n.String()] = true
	}
}

// commandName is Discord's rule for the names of slash commands and options.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// name checks the name of a command or option with its translations.
func (c *commandCheck) name(o *object, slash bool) string {
	check := func(place, text string) {
		c.f.length(place, text, 1, 32)
		if n := utf8.RuneCountInString(text); !slash || n < 1 || n > 32 {
			return
		}
		if !commandName.MatchString(text) || strings.ToLower(text) != text {
			c.f.fail(place, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
		}
	}
	name := ""
	if o.require("name") {
		v, _ := o.get("name")
		name, _ = v.(string)
		check(o.at("name"), name)
	}
	c.text += max(utf8.RuneCountInString(name), c.f.localizations(o, "name_localizations", check))
	return name
}

// description checks the description of a command or option with its
// translations. Commands of menus have none.
func (c *commandCheck) description(o *object, slash bool) {
	check := func(place, text string) { c.f.length(place, text, 1, 100) }
	d, ok := o.get("description")
	text, isText := d.(string)
	switch {
	case slash && (!ok || !isText):
		c.f.fail(o.at("description"), "BASE_TYPE_REQUIRED", "This field is required")
	case slash:
		check(o.at("description"), text)
	case text != "":
		c.f.fail(o.at("description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_BE_SET", "Context menu commands cannot have description")
	}
	c.text += max(utf8.RuneCountInString(text), c.f.localizations(o, "description_localizations", check))
}

// locales are the languages of Discord's clients.
var locales = []string{
	"id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl",
	"pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko",
}

// localizations checks a map of locale to text and gives the length of the
// longest text in characters.
func (f *Form) localizations(o *object, key string, check func(place, text string)) int {
	v, ok := o.get(key)
	if !ok {
		return 0
	}
	l, ok := f.object(o.at(key), v)
	if !ok {
		return 0
	}
	longest := 0
	for _, locale := range slices.Sorted(maps.Keys(l.m)) {
		if l.m[locale] == nil {
			continue
		}
		if !slices.Contains(locales, locale) {
			f.fail(l.at(locale), "BASE_TYPE_CHOICES", "Locale %q is not one of Discord's.", locale)
			continue
		}
		text, ok := l.m[locale].(string)
		if !ok {
			f.fail(l.at(locale), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
			continue
		}
		check(l.at(locale), text)
		longest = max(longest, utf8.RuneCountInString(text))
	}
	return longest
}
