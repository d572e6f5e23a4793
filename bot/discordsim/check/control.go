package check

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// customID checks the ID by which a bot knows its component.
func (c *layout) customID(o *object) {
	if !o.require("custom_id") {
		return
	}
	id, ok := o.str("custom_id", 1, 100)
	if !ok {
		return
	}
	if c.customIDs[id] {
		c.f.fail(o.at("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
		return
	}
	c.customIDs[id] = true
}

func (c *layout) button(o *object) {
	o.require("style")
	style, ok := o.integer("style", 1, 6)
	if !ok {
		o.done("custom_id", "url", "label", "emoji", "disabled", "sku_id")
		return
	}
	label, _ := o.str("label", 0, 80)
	hasEmoji := c.emoji(o)
	o.boolean("disabled")
	switch style {
	case LinkButton:
		c.link(o)
	case premiumButton:
		// Buttons that sell something need a shop, which is not modelled.
		o.str("url", 0, 512)
		o.get("custom_id")
		c.f.fail(o.at("sku_id"), "BUTTON_COMPONENT_INVALID_SKU", "Unknown SKU")
	default:
		c.customID(o)
		if address, _ := o.str("url", 0, 512); address != "" {
			c.f.fail(o.at("url"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	}
	if strings.TrimSpace(label) == "" && !hasEmoji && style != premiumButton {
		c.f.fail(o.at("label"), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button requires a label or an emoji")
	}
	o.done("sku_id")
}

// link checks what a link button has instead of a custom ID.
func (c *layout) link(o *object) {
	address, _ := o.str("url", 0, 512)
	if address == "" {
		c.f.fail(o.at("url"), "BASE_TYPE_REQUIRED", "A url is required")
	} else if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "discord" {
		scheme, _, _ := strings.Cut(address, ":")
		c.f.fail(o.at("url"), "URL_TYPE_INVALID_SCHEME", "Scheme %q is not supported. Scheme must be one of ('http', 'https', 'discord').", scheme)
	}
	if id, ok := o.get("custom_id"); ok && id != "" {
		c.f.fail(o.at("custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
	}
}

// emoji reports whether there is an emoji, valid or not.
func (c *layout) emoji(o *object) bool {
	v, ok := o.get("emoji")
	if !ok {
		return false
	}
	e, ok := c.f.object(o.at("emoji"), v)
	if !ok {
		return false
	}
	id, _ := e.str("id", 0, 32)
	name, _ := e.str("name", 0, 100)
	e.boolean("animated")
	e.done()
	// An emoji with an ID is one of the application's own; those of guilds are not
	// modelled.
	known := isEmoji(name)
	if id != "" {
		known = c.emojiKnown != nil && c.emojiKnown(id)
		if e.require("name") {
			c.f.length(e.at("name"), name, 1, 32)
		}
	}
	if !known {
		c.f.fail(e.at("name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
	return true
}

func (c *layout) selectMenu(o *object, typ int) {
	c.customID(o)
	o.str("placeholder", 0, 150)
	high := c.counts(o, 25, 1)
	if off, _ := o.boolean("disabled"); off && c.modal {
		c.f.fail(o.at("disabled"), "MODAL_COMPONENT_DISABLED", "Components of a modal cannot be disabled") // not documented: the code
	}
	if typ == StringSelect {
		c.options(o, optionRule{min: 1, max: 25, emoji: true}, high)
		// discordgo sends these two for every kind of menu.
		o.done("default_values", "channel_types")
		return
	}
	if options, ok := o.array("options", 0, 0); ok && len(options) > 0 {
		c.f.fail(o.at("options"), "BASE_TYPE_MAX_LENGTH", "Only string selects have options")
	}
	c.defaultValues(o, typ, high)
	if typ == ChannelSelect {
		list, _ := o.array("channel_types", 0, 25)
		for i, v := range list {
			if n, _ := v.(json.Number); !slices.Contains(channelTypes, n.String()) {
				c.f.fail(o.at("channel_types", i), "BASE_TYPE_CHOICES", "Value must be one of {%s}.", strings.Join(channelTypes, ", "))
			}
		}
	}
}

// channelTypes are Discord's numbers for kinds of channels.
var channelTypes = []string{"0", "1", "2", "3", "4", "5", "10", "11", "12", "13", "14", "15"}

// counts checks how many values can be chosen, at most limit, and gives the most; usual
// is the most if nothing is said of it, 0 for all. In a modal it also reads whether
// there has to be any.
func (c *layout) counts(o *object, limit, usual int) int {
	low, hasLow := o.integer("min_values", 0, limit)
	high, hasHigh := o.integer("max_values", 1, limit)
	if !hasLow {
		low = 1
	}
	if !hasHigh {
		high = usual
	}
	if high > 0 && low > high {
		c.f.fail(o.at("min_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", high)
	}
	if needed, said := o.boolean("required"); c.modal && hasLow && low == 0 && (needed || !said) {
		// not documented: the code
		c.f.fail(o.at("min_values"), "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1 unless required is false.")
	}
	return high
}

// selectKinds are the words for what a menu has chosen at first.
var selectKinds = map[int][]any{
	UserSelect: {"user"}, RoleSelect: {"role"}, MentionableSelect: {"user", "role"}, ChannelSelect: {"channel"},
}

// defaultValues checks what is chosen at first in a menu in which up to high can be.
func (c *layout) defaultValues(o *object, typ, high int) {
	list, _ := o.array("default_values", 0, 25)
	for i, v := range list {
		value, ok := c.f.object(o.at("default_values", i), v)
		if !ok {
			continue
		}
		if id, _ := value.get("id"); !IsSnowflake(fmt.Sprint(id)) {
			c.f.fail(value.at("id"), "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(id))
		}
		if kind, _ := value.get("type"); !slices.Contains(selectKinds[typ], kind) {
			c.f.fail(value.at("type"), "BASE_TYPE_CHOICES", "Value must be one of %v.", selectKinds[typ])
		}
		value.done()
	}
	if len(list) > high {
		c.f.fail(o.at("default_values"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More default values than max_values")
	}
}

// optionRule is what the options of a component keep to.
type optionRule struct {
	min, max int
	emoji    bool // an option can have one
}

func groupOptions(min int) optionRule { return optionRule{min: min, max: 10} }

// options checks the options of a component in which up to high can be chosen, 0 for
// all.
func (c *layout) options(o *object, rule optionRule, high int) {
	list, ok := c.need(o, "options", rule.min, rule.max)
	if !ok {
		return
	}
	if high == 0 {
		high = len(list)
	}
	values, defaults := map[string]bool{}, 0
	for i, v := range list {
		option, ok := c.f.object(o.at("options", i), v)
		if !ok {
			continue
		}
		c.text(option, "label", 100)
		if option.require("value") {
			if value, ok := option.str("value", 1, 100); ok {
				if values[value] {
					c.f.fail(option.at("value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
				}
				values[value] = true
			}
		}
		option.str("description", 0, 100)
		if rule.emoji {
			c.emoji(option)
		}
		if on, _ := option.boolean("default"); on {
			defaults++
		}
		option.done()
	}
	if high > len(list) {
		c.f.fail(o.at("max_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", len(list))
	}
	if defaults > high {
		c.f.fail(o.at("options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More default options than max_values")
	}
}

func (c *layout) textInput(o *object) {
	c.customID(o)
	o.require("style")
	o.integer("style", 1, 2)
	_, hasLabel := o.str("label", 0, 45)
	if !hasLabel && !strings.HasSuffix(o.place, ".component") { // a Label has the text instead
		c.f.fail(o.at("label"), "BASE_TYPE_REQUIRED", "This field is required")
	}
	o.str("placeholder", 0, 100)
	o.boolean("required")
	min, _ := o.integer("min_length", 0, 4000)
	max, ok := o.integer("max_length", 1, 4000)
	if !ok {
		max = 4000
	}
	if min > max {
		c.f.fail(o.at("min_length"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", max)
	}
	o.str("value", 0, max)
}
