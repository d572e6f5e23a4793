package check

import (
	"encoding/json"
	"fmt"
	"strings"
)

// MaxContent is the most characters that the text of a message can have.
const MaxContent = 2000

// Message flags.
const (
	FlagSuppressEmbeds       = 1 << 2
	FlagEphemeral            = 1 << 6
	FlagLoading              = 1 << 7
	FlagSuppressNotification = 1 << 12
	FlagComponentsV2         = 1 << 15 // the components are the whole body: the newer layout
)

// Kind says where a message body arrived. The keys and flags it may have differ.
type Kind int

// The places where a message body arrives.
const (
	CreateMessage   Kind = iota // POST /channels/…/messages
	EditMessage                 // PATCH /channels/…/messages/…
	FollowUp                    // POST /webhooks/…
	WebhookEdit                 // PATCH /webhooks/…/messages/…
	CallbackMessage             // interaction callback type 4
	CallbackUpdate              // interaction callback type 7
	FirstMessage                // of a forum post: "message" of POST /channels/…/threads
)

// Request is what the check of a message body has to know about the request.
type Request struct {
	Kind    Kind
	Version int     // of the API, 9 or 10
	Files   []File  // the uploads that came with the body
	Old     *Stored // the message being edited; nil for a new one
	// Emoji reports whether the application has an emoji of its own; nil if it has
	// none.
	Emoji func(id string) bool
}

// Stored is what the check of an edit has to know about the message before it.
type Stored struct {
	Content     string
	Flags       int
	Components  int // how many are at the top level
	Attachments []StoredFile
}

// StoredFile is an attachment of a [Stored] message.
type StoredFile struct{ ID, Filename string }

// Message is a checked message body. The Has… fields say which keys were present,
// if only with the value null: an edit changes just those.
type Message struct {
	Content       string
	HasContent    bool
	Components    []Component
	HasComponents bool
	// Attachments are all the files of the message from now on.
	Attachments []Attachment
	Flags       int // without those that cannot be set here
	HasFlags    bool
	Mentions    *Mentions // nil when the key is missing
	Nonce       string
	// EnforceNonce asks Discord to return the earlier message with the same nonce
	// instead of making another one.
	EnforceNonce bool
}

// Empty reports whether a new message, or the message old after the edit, would
// have nothing in it.
func (m *Message) Empty(old *Stored) bool {
	content, components := m.Content, len(m.Components)
	if old != nil && !m.HasContent {
		content = old.Content
	}
	if old != nil && !m.HasComponents {
		components = old.Components
	}
	return strings.TrimSpace(content) == "" && components == 0 && len(m.Attachments) == 0
}

// Mentions is a checked "allowed_mentions" object: whom the text may notify.
type Mentions struct {
	Everyone, Users bool     // all of the kind
	UserIDs         []string // these users only
}

// Message checks a message body at a place ("" for the whole body) against
// Discord's limits and the house rules. It returns nil if v is not an object.
func (f *Form) Message(place string, v any, r Request) *Message {
	o, ok := f.object(place, v)
	if !ok {
		return nil
	}
	m := &Message{HasContent: o.has("content"), HasComponents: o.has("components"), HasFlags: o.has("flags")}
	m.Content, _ = o.str("content", 0, MaxContent)
	f.unknownEmoji(o.at("content"), m.Content, r.Emoji)
	v2 := f.flags(o, m, r)
	f.attachments(o, m, r)
	// Discord allows more than 40 in the outer list only to answer with the total.
	if list, ok := o.array("components", 0, 1000); ok {
		c := &layout{f: f, v2: v2, files: filesAfter(m, r), emojiKnown: r.Emoji}
		m.Components = c.components(o.at("components"), list)
	}
	if embeds, _ := o.array("embeds", 0, 10); len(embeds) > 0 {
		f.breaks(o.at("embeds"), "embeds are not modelled; use text, components and attachments")
	}
	if v2 {
		f.noLegacyFields(o, m, r.Old)
	}
	if mentions, ok := o.get("allowed_mentions"); ok {
		m.Mentions = f.mentions(o.at("allowed_mentions"), mentions)
	} else {
		f.breaks(o.at("allowed_mentions"), "missing, so names in the text could notify people")
	}
	o.boolean("tts")
	f.nonce(o, m, r.Kind)
	switch r.Kind {
	case CreateMessage:
		o.done("sticker_ids", "poll")
	case FirstMessage:
		o.done("sticker_ids", "poll")
	case EditMessage:
		// discordgo's MessageEdit leaks its two address fields into the body.
		o.done("ID", "Channel", "sticker_ids")
	default:
		o.done("poll")
	}
	f.pictures(place, m, r.Files)
	return m
}

// flags reads the flags and reports whether the message has the newer layout.
func (f *Form) flags(o *object, m *Message, r Request) (v2 bool) {
	m.Flags, _ = o.integer("flags", 0, 1<<30)
	settable := FlagSuppressEmbeds | FlagComponentsV2
	switch r.Kind {
	case CreateMessage, FirstMessage:
		settable |= FlagSuppressNotification
	case FollowUp, CallbackMessage:
		settable |= FlagSuppressNotification | FlagEphemeral
	case CallbackUpdate:
		settable |= FlagEphemeral // allowed, but changes nothing
	}
	if bad := m.Flags &^ settable; bad != 0 {
		// Discord silently drops flags that cannot be set here, so the bot would
		// not notice.
		f.breaks(o.at("flags"), "flags %d cannot be set here", bad)
		m.Flags &= settable
	}
	if r.Old != nil {
		m.Flags |= r.Old.Flags & FlagComponentsV2 // once set it stays
	}
	return m.Flags&FlagComponentsV2 != 0
}

// noLegacyFields checks that a message of the newer layout consists of
// components alone.
func (f *Form) noLegacyFields(o *object, m *Message, old *Stored) {
	for _, key := range []string{"content", "embeds", "poll", "sticker_ids"} {
		value, there := o.get(key)
		list, isList := value.([]any)
		if there && value != "" && !(isList && len(list) == 0) {
			f.fail(o.at(key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
				"The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
		}
	}
	if old != nil && old.Flags&FlagComponentsV2 == 0 && old.Content != "" && !m.HasContent {
		f.fail(o.at("flags"), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
			"content of the message has to be cleared to use MessageFlags.IS_COMPONENTS_V2")
	}
}

// nonce reads the nonce of a new message. The other routes do not keep the
// promise that enforce_nonce makes; discord.js sends false to all of them.
func (f *Form) nonce(o *object, m *Message, kind Kind) {
	enforce, _ := o.boolean("enforce_nonce")
	if kind != CreateMessage {
		if enforce {
			f.unknown = append(f.unknown, o.at("enforce_nonce"))
		}
		return
	}
	m.EnforceNonce = enforce
	value, ok := o.get("nonce")
	if !ok {
		return
	}
	switch n := value.(type) {
	case string:
		f.length(o.at("nonce"), n, 0, 25)
		m.Nonce = n
	case json.Number:
		m.Nonce = n.String()
	default:
		f.fail(o.at("nonce"), "UNION_TYPE_CHOICES", "nonce must be a string or an integer")
	}
}

func (f *Form) mentions(place string, v any) *Mentions {
	o, ok := f.object(place, v)
	if !ok {
		return nil
	}
	m := &Mentions{}
	parse, _ := o.array("parse", 0, 3)
	for i, kind := range parse {
		switch kind {
		case "everyone":
			m.Everyone = true
		case "users":
			m.Users = true
		case "roles":
		default:
			f.fail(o.at("parse", i), "BASE_TYPE_CHOICES", "Value must be one of ('everyone', 'users', 'roles').")
		}
	}
	m.UserIDs = f.mentionIDs(o, "users", m.Users)
	f.mentionIDs(o, "roles", false)
	o.boolean("replied_user")
	o.done()
	return m
}

// mentionIDs reads a list of IDs. all says that "parse" already names the whole
// kind.
func (f *Form) mentionIDs(o *object, key string, all bool) []string {
	list, _ := o.array(key, 0, 100)
	var out []string
	for i, v := range list {
		id, _ := v.(string)
		if !IsSnowflake(id) {
			f.fail(o.at(key, i), "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(v))
			continue
		}
		out = append(out, id)
	}
	if all && len(list) > 0 {
		f.fail(o.at("parse"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
			"parse:[\"%s\"] and %s: [ids...] are mutually exclusive.", key, key)
	}
	return out
}
