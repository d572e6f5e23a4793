package check

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
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

const (
	maxOptions = 25 // at one level
	maxChoices = 25
)

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

// options checks the options at one level: 0 below the command, 1 below a
// subcommand or group, 2 below a subcommand of a group.
func (c *commandCheck) options(place string, list []any, level int) {
	names := map[string]bool{}
	optional, subs, plain := false, false, false
	for i, v := range list {
		o, ok := c.f.object(join(place, strconv.Itoa(i)), v)
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
		if typ == SubCommand || typ == SubCommandGroup {
			subs = true
			c.sub(o, typ, level)
			o.array("choices", 0, maxChoices)
			o.boolean("autocomplete")
			o.done("min_value", "max_value", "min_length", "max_length", "channel_types", "name_localized", "description_localized")
			continue
		}
		plain = true
		if required && optional {
			c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !required
		c.value(o, typ)
	}
	if subs && plain {
		c.f.fail(place, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
			"Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
}

// sub checks what a subcommand or group holds.
func (c *commandCheck) sub(o *object, typ, level int) {
	if level > 1 || level == 1 && typ == SubCommandGroup {
		c.f.fail(o.at("type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Subcommands cannot be nested deeper than group and subcommand")
		return
	}
	nested, _ := o.array("options", 0, maxOptions)
	for i, v := range nested {
		m, _ := v.(map[string]any)
		inner := fmt.Sprint(m["type"])
		switch {
		case typ == SubCommandGroup && inner != fmt.Sprint(SubCommand):
			c.f.fail(o.at("options", i, "type"), "BASE_TYPE_CHOICES", "A group holds subcommands only")
		case typ == SubCommand && (inner == fmt.Sprint(SubCommand) || inner == fmt.Sprint(SubCommandGroup)):
			c.f.fail(o.at("options", i, "type"), "BASE_TYPE_CHOICES", "A subcommand cannot hold subcommands")
		}
	}
	if typ == SubCommandGroup {
		if len(nested) == 0 {
			c.f.fail(o.at("options"), "BASE_TYPE_REQUIRED", "This field is required")
		}
		level = 0
	}
	c.options(o.at("options"), nested, level+1)
}

// value checks an option that takes a value.
func (c *commandCheck) value(o *object, typ int) {
	c.choices(o, typ)
	c.bounds(o, typ)
	if nested, _ := o.array("options", 0, maxOptions); len(nested) > 0 {
		c.f.fail(o.at("options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only subcommands and groups have options")
	}
	if types, _ := o.array("channel_types", 0, 25); len(types) > 0 && typ != ChannelOption {
		c.f.fail(o.at("channel_types"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Only channel options have channel types")
	}
	o.done("name_localized", "description_localized")
}

func (c *commandCheck) choices(o *object, typ int) {
	list, _ := o.array("choices", 0, maxChoices)
	auto, _ := o.boolean("autocomplete")
	choosable := typ == StringOption || typ == IntegerOption || typ == NumberOption
	if len(list) > 0 && auto {
		c.f.fail(o.at("autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", "autocomplete may not be set to true if choices are present")
	}
	if auto && !choosable {
		c.f.fail(o.at("autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", "autocomplete is for string, integer and number options")
	}
	if len(list) > 0 && !choosable {
		c.f.fail(o.at("choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "choices are for string, integer and number options")
		return
	}
	names, values := map[string]bool{}, map[string]bool{}
	for i, v := range list {
		place := o.at("choices", i)
		c.f.choice(place, v, typ)
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
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

// choice checks a choice of an option, or a suggestion for it.
func (f *Form) choice(place string, v any, optionType int) {
	o, ok := f.object(place, v)
	if !ok {
		return
	}
	o.require("name")
	if name, ok := o.str("name", 1, 100); ok && strings.TrimSpace(name) == "" {
		f.fail(o.at("name"), "BASE_TYPE_REQUIRED", "This field is required")
	}
	f.localizations(o, "name_localizations", func(place, text string) { f.length(place, text, 1, 100) })
	if o.require("value") {
		f.choiceValue(o, optionType)
	}
	o.done()
}

func (f *Form) choiceValue(o *object, optionType int) {
	value, _ := o.get("value")
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	switch optionType {
	case IntegerOption:
		if !isNumber || strings.ContainsAny(number.String(), ".eE") {
			f.fail(o.at("value"), "NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(value))
		}
	case NumberOption:
		if !isNumber {
			f.fail(o.at("value"), "NUMBER_TYPE_COERCE", "Value %q is not float.", fmt.Sprint(value))
		}
	default:
		if !isText {
			f.fail(o.at("value"), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
		} else if n := utf8.RuneCountInString(text); n < 1 || n > 100 {
			f.fail(o.at("value"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
		}
	}
}

// bounds checks the limits that an option sets for its value.
func (c *commandCheck) bounds(o *object, typ int) {
	numeric := typ == IntegerOption || typ == NumberOption
	lo, hasLo := o.number("min_value")
	hi, hasHi := o.number("max_value")
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

func (o *object) number(key string) (float64, bool) {
	v, ok := o.get(key)
	if !ok {
		return 0, false
	}
	n, ok := v.(json.Number)
	x, err := n.Float64()
	if !ok || err != nil {
		o.f.fail(o.at(key), "NUMBER_TYPE_COERCE", "Value %q is not a number.", fmt.Sprint(v))
		return 0, false
	}
	return x, true
}
