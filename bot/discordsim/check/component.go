package check

import "slices"

// Component types that are modelled.
const (
	ActionRow         = 1
	Button            = 2
	StringSelect      = 3
	TextInput         = 4
	UserSelect        = 5
	RoleSelect        = 6
	MentionableSelect = 7
	ChannelSelect     = 8
	Section           = 9
	TextDisplay       = 10
	Thumbnail         = 11
	MediaGallery      = 12
	FileDisplay       = 13
	Separator         = 14
	Container         = 17
	Label             = 18
	FileUpload        = 19
	RadioGroup        = 21
	CheckboxGroup     = 22
	Checkbox          = 23
)

// Button styles.
const (
	PrimaryButton   = 1
	SecondaryButton = 2
	SuccessButton   = 3
	DangerButton    = 4
	LinkButton      = 5
	premiumButton   = 6
)

// Component is one component of a message or modal, with Discord's field names.
// Which fields mean something depends on Type.
type Component struct {
	Type        int            `json:"type"`
	ID          int            `json:"id,omitempty"`
	CustomID    string         `json:"custom_id,omitempty"`
	Style       int            `json:"style,omitempty"`
	Label       string         `json:"label,omitempty"`
	Description string         `json:"description,omitempty"`
	Emoji       *Emoji         `json:"emoji,omitempty"`
	URL         string         `json:"url,omitempty"`
	Disabled    bool           `json:"disabled,omitempty"`
	Placeholder string         `json:"placeholder,omitempty"`
	MinValues   *int           `json:"min_values,omitempty"`
	MaxValues   *int           `json:"max_values,omitempty"`
	MinLength   *int           `json:"min_length,omitempty"`
	MaxLength   *int           `json:"max_length,omitempty"`
	Required    *bool          `json:"required,omitempty"`
	Value       string         `json:"value,omitempty"`
	Options     []SelectOption `json:"options,omitempty"`
	// Default says that a Checkbox is set at first.
	Default bool `json:"default,omitempty"`
	// DefaultValues are chosen at first in a menu of users or channels.
	DefaultValues []DefaultValue `json:"default_values,omitempty"`
	ChannelTypes  []int          `json:"channel_types,omitempty"` // of a ChannelSelect; none is all
	Components    []Component    `json:"components,omitempty"`
	Component     *Component     `json:"component,omitempty"` // of a Label
	Accessory     *Component     `json:"accessory,omitempty"` // of a Section
	Content       string         `json:"content,omitempty"`   // of a TextDisplay
	Media         *Media         `json:"media,omitempty"`
	File          *Media         `json:"file,omitempty"`
	Items         []GalleryItem  `json:"items,omitempty"`
	Spoiler       bool           `json:"spoiler,omitempty"`
	AccentColor   *int           `json:"accent_color,omitempty"`
	Divider       *bool          `json:"divider,omitempty"`
	Spacing       int            `json:"spacing,omitempty"`
}

// Emoji is the emoji of a button or option: one of Unicode's or, with an ID, one of the
// application's own.
type Emoji struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
}

// Needed reports whether somebody who fills in a form has to fill in this.
func (c *Component) Needed() bool { return c.Type != Checkbox && (c.Required == nil || *c.Required) }

// Count gives how many values can be chosen at least and at most in a menu, a group of
// checkboxes or an upload. In a form, nothing at all may be chosen unless it is
// [Component.Needed].
func (c *Component) Count() (low, high int) {
	low, high = 1, 1
	if c.Type == CheckboxGroup {
		high = len(c.Options)
	}
	if c.MinValues != nil {
		low = *c.MinValues
	}
	if c.MaxValues != nil {
		high = *c.MaxValues
	}
	return low, high
}

// DefaultValue is somebody or something chosen at first in a menu.
type DefaultValue struct {
	ID   string `json:"id"`
	Type string `json:"type"` // "user", "channel"
}

// SelectOption is a line of a string select menu, a radio group or a group of
// checkboxes.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// Media names a file, in messages "attachment://name".
type Media struct {
	URL string `json:"url"`
}

// GalleryItem is a picture of a media gallery.
type GalleryItem struct {
	Media       Media  `json:"media"`
	Description string `json:"description,omitempty"`
	Spoiler     bool   `json:"spoiler,omitempty"`
}

// Walk calls visit for every component and for those inside it, in the order in
// which they are shown.
func Walk(list []Component, visit func(*Component)) {
	for i := range list {
		c := &list[i]
		visit(c)
		Walk(c.Components, visit)
		for _, child := range []*Component{c.Accessory, c.Component} {
			if child != nil {
				visit(child)
				Walk(child.Components, visit)
			}
		}
	}
}

// CloneComponents gives a deep copy.
func CloneComponents(list []Component) []Component {
	out := slices.Clone(list)
	for i := range out {
		c := &out[i]
		c.Components = CloneComponents(c.Components)
		c.Options = slices.Clone(c.Options)
		c.Items = slices.Clone(c.Items)
		c.DefaultValues = slices.Clone(c.DefaultValues)
		c.Accessory = cloneComponent(c.Accessory)
		c.Component = cloneComponent(c.Component)
	}
	return out
}

func cloneComponent(c *Component) *Component {
	if c == nil {
		return nil
	}
	return &CloneComponents([]Component{*c})[0]
}
