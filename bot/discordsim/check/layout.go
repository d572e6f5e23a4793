package check

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	maxRows       = 5
	maxButtons    = 5  // in a row
	maxComponents = 40 // of the newer layout, nested ones included
)

// layout checks the components of one message or modal: what may be in what.
type layout struct {
	f     *Form
	v2    bool // the message has FlagComponentsV2
	modal bool
	files map[string]bool // names that attachment:// may refer to
	// emojiKnown reports whether the application has an emoji; nil if it has none.
	emojiKnown func(id string) bool

	customIDs map[string]bool
	ids       map[int]bool
	count     int
}

// Which components may be in which, by type.
var (
	inOldMessage = []int{ActionRow}
	inNewMessage = []int{ActionRow, Section, TextDisplay, MediaGallery, FileDisplay, Separator, Container}
	inModal      = []int{ActionRow, TextDisplay, Label}
	inContainer  = []int{ActionRow, Section, TextDisplay, MediaGallery, FileDisplay, Separator}
	inSection    = []int{TextDisplay}
	besideText   = []int{Button, Thumbnail} // the accessory of a section
	inRow        = []int{Button, StringSelect, UserSelect, RoleSelect, MentionableSelect, ChannelSelect}
	inModalRow   = []int{TextInput}
	inLabel      = []int{StringSelect, TextInput, UserSelect, RoleSelect, MentionableSelect, ChannelSelect, FileUpload, RadioGroup, CheckboxGroup, Checkbox}
)

// components checks the value of "components" and returns it typed, each with an
// ID; nil if anything is wrong with it.
func (c *layout) components(place string, list []any) []Component {
	c.customIDs, c.ids = map[string]bool{}, map[int]bool{}
	before := len(c.f.mistakes)
	top := inOldMessage
	switch {
	case c.modal:
		top = inModal
	case c.v2:
		top = inNewMessage
	case len(list) > maxRows:
		c.f.fail(place, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxRows)
	}
	for i, v := range list {
		c.component(join(place, strconv.Itoa(i)), v, top)
	}
	if c.v2 && c.count > maxComponents {
		c.f.fail(place, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed %d", maxComponents)
	}
	if len(c.f.mistakes) > before {
		return nil
	}
	out, err := convert[[]Component](list)
	if err != nil {
		c.f.fail(place, "MODEL_TYPE_CONVERT", "Could not interpret the components: %v", err)
		return nil
	}
	c.number(out)
	return out
}

// number gives each component without an ID the next free one, as Discord does.
func (c *layout) number(list []Component) {
	next := 1
	Walk(list, func(p *Component) {
		if p.ID != 0 {
			return
		}
		for c.ids[next] {
			next++
		}
		p.ID = next
		next++
	})
}

// component checks one component and gives its type, 0 if it has none.
func (c *layout) component(place string, v any, allowed []int) int {
	o, ok := c.f.object(place, v)
	if !ok || !o.require("type") {
		return 0
	}
	typ, ok := o.integer("type", 1, 30)
	if !ok {
		return 0
	}
	if !slices.Contains(allowed, typ) {
		c.f.fail(o.at("type"), "UNION_TYPE_CHOICES", "Value of field %q must be one of %s.", "type", commaList(allowed))
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
		c.children(o, 3, inSection)
		c.child(o, "accessory", besideText)
	case TextDisplay:
		c.text(o, "content", 4000)
		if text, _ := o.m["content"].(string); text != "" {
			c.f.unknownEmoji(o.at("content"), text, c.emojiKnown)
		}
	case Thumbnail:
		c.picture(o)
	case MediaGallery:
		c.gallery(o)
	case FileDisplay:
		c.media(o, "file")
		o.boolean("spoiler")
	case Separator:
		o.boolean("divider")
		o.integer("spacing", 1, 2)
	case Container:
		c.children(o, maxComponents, inContainer)
		o.integer("accent_color", 0, 0xffffff)
		o.boolean("spoiler")
	case Label:
		c.text(o, "label", 45)
		o.str("description", 1, 100)
		c.child(o, "component", inLabel)
	case RadioGroup:
		c.customID(o)
		o.boolean("required")
		c.options(o, groupOptions(2), 1)
	case CheckboxGroup:
		c.customID(o)
		high := c.counts(o, 10, 0)
		c.options(o, groupOptions(1), high)
	case FileUpload:
		c.customID(o)
		c.counts(o, 10, 1)
	case Checkbox:
		c.customID(o)
		o.boolean("default")
	}
	o.done()
	return typ
}

// need reads a list that has to be there.
func (c *layout) need(o *object, key string, min, max int) ([]any, bool) {
	if !o.require(key) {
		return nil, false
	}
	return o.array(key, min, max)
}

// text reads a text of 1 to max characters that has to be there.
func (c *layout) text(o *object, key string, max int) {
	if o.require(key) {
		o.str(key, 1, max)
	}
}

// children checks the components inside another one and gives their types.
func (c *layout) children(o *object, max int, allowed []int) []int {
	var types []int
	list, _ := c.need(o, "components", 1, max)
	for i, v := range list {
		types = append(types, c.component(o.at("components", i), v, allowed))
	}
	return types
}

// child checks the one component that a key holds.
func (c *layout) child(o *object, key string, allowed []int) {
	if o.require(key) {
		v, _ := o.get(key)
		c.component(o.at(key), v, allowed)
	}
}

func (c *layout) row(o *object) {
	allowed := inRow
	if c.modal {
		allowed = inModalRow
	}
	types := c.children(o, maxButtons, allowed)
	for _, typ := range types {
		if typ != Button && typ != 0 && len(types) > 1 {
			c.f.fail(o.at("components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
}

func (c *layout) gallery(o *object) {
	list, _ := c.need(o, "items", 1, 10)
	for i, v := range list {
		if item, ok := c.f.object(o.at("items", i), v); ok {
			c.picture(item)
			item.done()
		}
	}
}

// picture checks a thumbnail or an item of a gallery.
func (c *layout) picture(o *object) {
	c.media(o, "media")
	o.str("description", 0, 1024)
	o.boolean("spoiler")
}

// media checks an object that names a file: an upload of the same message or,
// except for files to be saved, an address.
func (c *layout) media(o *object, key string) {
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
