package discordsim

import (
	"fmt"
	"net/url"
	"strings"
)

const (
	maxRows       = 5
	maxButtons    = 5
	maxOptions    = 25
	maxComponents = 40 // of the newer layout, nested ones included
)

// componentCheck checks the components of one message or modal.
type componentCheck struct {
	f     *form
	v2    bool // the message has FlagComponentsV2
	modal bool
	files map[string]bool // names that attachment:// may name

	customIDs map[string]string // → place of the first use
	ids       map[int]bool
	count     int
}

// components checks the value of "components" and gives it back typed, each
// with an ID.
func (c *componentCheck) components(place string, list []any) []Component {
	c.customIDs, c.ids = map[string]string{}, map[int]bool{}
	before := len(c.f.list)
	switch {
	case c.modal:
		if len(list) < 1 || len(list) > 5 {
			c.f.fail(place, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
		}
	case !c.v2 && len(list) > maxRows:
		c.f.fail(place, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxRows)
	}
	top := []int{ActionRow}
	switch {
	case c.modal:
		top = []int{ActionRow, TextDisplay, Label}
	case c.v2:
		top = []int{ActionRow, Section, TextDisplay, MediaGallery, File, Separator, Container}
	}
	for i, v := range list {
		c.component(join(place, fmt.Sprint(i)), v, top)
	}
	if c.v2 && c.count > maxComponents {
		c.f.fail(place, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed %d", maxComponents)
	}
	if len(c.f.list) > before {
		return nil
	}
	out, err := convert[[]Component](list)
	if err != nil {
		c.f.fail(place, "MODEL_TYPE_CONVERT", "Could not interpret the components: %v", err)
		return nil
	}
	next := 1
	c.number(out, &next)
	return out
}

// number gives each component without an ID the next free one, as Discord does.
func (c *componentCheck) number(list []Component, next *int) {
	for i := range list {
		p := &list[i]
		if p.ID == 0 {
			for c.ids[*next] {
				*next++
			}
			p.ID = *next
			*next++
		}
		c.number(p.Components, next)
		for _, child := range []*Component{p.Accessory, p.Component} {
			if child != nil {
				one := []Component{*child}
				c.number(one, next)
				*child = one[0]
			}
		}
	}
}

func (c *componentCheck) component(place string, v any, allowed []int) int {
	o, ok := c.f.object(place, v)
	if !ok || !o.require("type") {
		return 0
	}
	typ, ok := o.integer("type", 1, 30)
	if !ok {
		return 0
	}
	good := false
	for _, t := range allowed {
		good = good || t == typ
	}
	if !good {
		c.f.fail(o.at("type"), "UNION_TYPE_CHOICES", "Value of field %q must be one of %s.", "type", strings.Trim(strings.ReplaceAll(fmt.Sprint(allowed), " ", ", "), "[]"))
		return typ
	}
	c.count++
	if id, ok := o.integer("id", 0, 1<<31-1); ok && id != 0 {
		if c.ids[id] {
			c.f.fail(o.at("id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
		}
		c.ids[id] = true
	}
	switch typ {
	case ActionRow:
		c.row(o)
	case Button:
		c.button(o)
	case StringSelect, UserSelect, RoleSelect, MentionableSelect, ChannelSelect:
		c.selectMenu(o, typ)
	case TextInput:
		c.textInput(o)
	case Section:
		if list, ok := c.need(o, "components", 1, 3); ok {
			for i, v := range list {
				c.component(o.at(fmt.Sprintf("components.%d", i)), v, []int{TextDisplay})
			}
		}
		if o.require("accessory") {
			v, _ := o.get("accessory")
			c.component(o.at("accessory"), v, []int{Button, Thumbnail})
		}
	case TextDisplay:
		if o.require("content") {
			o.str("content", 1, 4000)
		}
	case Thumbnail:
		c.media(o, "media")
		o.str("description", 0, 1024)
		o.boolean("spoiler")
	case MediaGallery:
		if list, ok := c.need(o, "items", 1, 10); ok {
			for i, v := range list {
				if item, ok := c.f.object(o.at(fmt.Sprintf("items.%d", i)), v); ok {
					c.media(item, "media")
					item.str("description", 0, 1024)
					item.boolean("spoiler")
					item.done()
				}
			}
		}
	case File:
		c.media(o, "file")
		o.boolean("spoiler")
	case Separator:
		o.boolean("divider")
		o.integer("spacing", 1, 2)
	case Container:
		if list, ok := c.need(o, "components", 1, maxComponents); ok {
			for i, v := range list {
				c.component(o.at(fmt.Sprintf("components.%d", i)), v,
					[]int{ActionRow, Section, TextDisplay, MediaGallery, File, Separator})
			}
		}
		o.integer("accent_color", 0, 0xffffff)
		o.boolean("spoiler")
	case Label:
		if o.require("label") {
			o.str("label", 1, 45)
		}
		o.str("description", 0, 100)
		if o.require("component") {
			v, _ := o.get("component")
			c.component(o.at("component"), v, []int{StringSelect, TextInput, UserSelect, RoleSelect, MentionableSelect, ChannelSelect})
		}
	}
	o.done()
	return typ
}

func (c *componentCheck) need(o *fields, key string, min, max int) ([]any, bool) {
	if !o.require(key) {
		return nil, false
	}
	return o.array(key, min, max)
}

func (c *componentCheck) row(o *fields) {
	list, ok := c.need(o, "components", 1, maxButtons)
	if !ok {
		return
	}
	allowed := []int{Button, StringSelect, UserSelect, RoleSelect, MentionableSelect, ChannelSelect}
	if c.modal {
		allowed = []int{TextInput}
	}
	for i, v := range list {
		typ := c.component(o.at(fmt.Sprintf("components.%d", i)), v, allowed)
		if typ != Button && typ != 0 && len(list) > 1 {
			c.f.fail(o.at("components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
}

func (c *componentCheck) customID(o *fields) {
	if !o.require("custom_id") {
		return
	}
	id, ok := o.str("custom_id", 1, 100)
	if !ok {
		return
	}
	if _, twice := c.customIDs[id]; twice {
		c.f.fail(o.at("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
		return
	}
	c.customIDs[id] = o.place
}

func (c *componentCheck) button(o *fields) {
	o.require("style")
	style, ok := o.integer("style", 1, 6)
	if !ok {
		o.done("custom_id", "url", "label", "emoji", "disabled", "sku_id")
		return
	}
	label, _ := o.str("label", 0, 80)
	hasEmoji := c.emoji(o)
	o.boolean("disabled")
	address, hasURL := o.str("url", 0, 512)
	_, hasID := o.get("custom_id")
	switch style {
	case LinkButton:
		if !hasURL || address == "" {
			c.f.fail(o.at("url"), "BASE_TYPE_REQUIRED", "A url is required")
		} else if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "discord" {
			c.f.fail(o.at("url"), "URL_TYPE_INVALID_SCHEME", "Scheme %q is not supported. Scheme must be one of ('http', 'https', 'discord').", strings.SplitN(address, ":", 2)[0])
		}
		if hasID && o.m["custom_id"] != "" {
			c.f.fail(o.at("custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	case 6:
		// Buttons that sell something need a shop, which this world lacks.
		c.f.fail(o.at("sku_id"), "BUTTON_COMPONENT_INVALID_SKU", "Unknown SKU")
	default:
		c.customID(o)
		if hasURL && address != "" {
			c.f.fail(o.at("url"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	}
	if strings.TrimSpace(label) == "" && !hasEmoji && style != 6 {
		c.f.fail(o.at("label"), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button requires a label or an emoji")
	}
	o.done("sku_id")
}

func (c *componentCheck) emoji(o *fields) bool {
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
	// This world has no custom emoji, so any ID is unknown.
	if id != "" || !isEmoji(name) {
		c.f.fail(e.at("name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
	return true
}

func (c *componentCheck) selectMenu(o *fields, typ int) {
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
	if typ != StringSelect {
		if options, ok := o.array("options", 0, 0); ok && len(options) > 0 {
			c.f.fail(o.at("options"), "BASE_TYPE_MAX_LENGTH", "Only string selects have options")
		}
		o.array("default_values", 0, 25)
		if typ == ChannelSelect {
			o.array("channel_types", 0, 25)
		}
		return
	}
	list, ok := c.need(o, "options", 1, maxOptions)
	if !ok {
		return
	}
	values, defaults := map[string]bool{}, 0
	for i, v := range list {
		op, ok := c.f.object(o.at(fmt.Sprintf("options.%d", i)), v)
		if !ok {
			continue
		}
		if op.require("label") {
			op.str("label", 1, 100)
		}
		if op.require("value") {
			if value, ok := op.str("value", 1, 100); ok {
				if values[value] {
					c.f.fail(op.at("value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
				}
				values[value] = true
			}
		}
		op.str("description", 0, 100)
		c.emoji(op)
		if d, _ := op.boolean("default"); d {
			defaults++
		}
		op.done()
	}
	if max > len(list) {
		c.f.fail(o.at("max_values"), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", len(list))
	}
	if defaults > max {
		c.f.fail(o.at("options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", "More default options than max_values")
	}
	// discordgo sends these two for every kind of menu.
	o.done("default_values", "channel_types")
}

func (c *componentCheck) textInput(o *fields) {
	c.customID(o)
	o.require("style")
	o.integer("style", 1, 2)
	_, hasLabel := o.str("label", 0, 45)
	if !hasLabel && !strings.HasSuffix(o.place, ".component") {
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

func (c *componentCheck) media(o *fields, key string) {
	if !o.require(key) {
		return
	}
	v, _ := o.get(key)
	m, ok := c.f.object(o.at(key), v)
	if !ok || !m.require("url") {
		return
	}
	address, _ := m.str("url", 1, 2048)
	if name, ok := strings.CutPrefix(address, "attachment://"); ok {
		if !c.files[name] {
			c.f.fail(m.at("url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "Referenced attachment %q was not found", name)
		}
	} else if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || key == "file" {
		c.f.fail(m.at("url"), "URL_TYPE_INVALID_SCHEME", "Scheme is not supported. Scheme must be one of ('http', 'https', 'attachment').")
	}
	m.done("proxy_url", "width", "height", "content_type", "placeholder", "placeholder_version", "loading_state", "flags", "attachment_id")
}

// walk calls visit for every component, nested ones included, until it returns false.
func walk(list []Component, visit func(*Component) bool) bool {
	for i := range list {
		p := &list[i]
		if !visit(p) || !walk(p.Components, visit) {
			return false
		}
		for _, child := range []*Component{p.Accessory, p.Component} {
			if child != nil && (!visit(child) || !walk(child.Components, visit)) {
				return false
			}
		}
	}
	return true
}
