package check

import (
	"net/url"
	"strings"
)

const maxSelectOptions = 25

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
	min, hasMin := o.integer("min_values", 0, 25)
	max, hasMax := o.integer("max_values", 1, 25)
	if !hasMin {
		min = 1
	}
	if !hasMax {
		max = 1
	}
	if min > max {
		c.f.fail(o.at("min_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", max)
	}
	o.boolean("disabled")
	if c.modal {
		o.boolean("required")
	}
	if typ == StringSelect {
		c.selectOptions(o, max)
		// discordgo sends these two for every kind of menu.
		o.done("default_values", "channel_types")
		return
	}
	if options, ok := o.array("options", 0, 0); ok && len(options) > 0 {
		c.f.fail(o.at("options"), "BASE_TYPE_MAX_LENGTH", "Only string selects have options")
	}
	o.array("default_values", 0, 25)
	if typ == ChannelSelect {
		o.array("channel_types", 0, 25)
	}
}

// selectOptions checks the lines of a string select menu in which up to max can
// be chosen.
func (c *layout) selectOptions(o *object, max int) {
	list, ok := c.need(o, "options", 1, maxSelectOptions)
	if !ok {
		return
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
		c.emoji(option)
		if on, _ := option.boolean("default"); on {
			defaults++
		}
		option.done()
	}
	if max > len(list) {
		c.f.fail(o.at("max_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", len(list))
	}
	if defaults > max {
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
	max, ok := o.integer("max_length", 0, 4000)
	if !ok || max == 0 {
		max = 4000
	}
	if min > max {
		c.f.fail(o.at("min_length"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", max)
	}
	o.str("value", 0, max)
}
