package discordsim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bodyKind says where a message body arrived; the known keys differ.
type bodyKind int

const (
	createBody      bodyKind = iota // POST /channels/…/messages
	editBody                        // PATCH /channels/…/messages/…
	followUpBody                    // POST /webhooks/…
	webhookEditBody                 // PATCH /webhooks/…/messages/…
	callbackBody                    // interaction callback type 4
	updateBody                      // interaction callback type 7
)

const (
	maxContent     = 2000
	maxAttachments = 10
	maxFileSize    = 10 << 20
	maxEmbedText   = 6000
)

// messageInput is a checked message body.
type messageInput struct {
	content     string
	hasContent  bool // the key is there, be it null
	components  []Component
	hasComps    bool
	embeds      []json.RawMessage
	hasEmbeds   bool
	attachments []attachmentInput
	hasAttach   bool
	flags       int
	hasFlags    bool
	mentions    *allowedMentions // nil: the key is missing
	replyTo     string
	nonce       string
	enforce     bool
}

// attachmentInput is an entry of "attachments": a new file (n ≥ 0) or one that is kept.
type attachmentInput struct {
	n           int // index of the upload, -1 for a kept attachment
	id          string
	filename    string
	description *string
}

type allowedMentions struct {
	everyone, users, roles bool
	userIDs                []string
	repliedUser            bool
}

// upload is a file of a multipart body.
type upload struct {
	n           int
	filename    string
	contentType string
	data        []byte
}

// messageBody reads a message that a request carries and holds it against every
// rule. The error lists all that is wrong in it and in what f has met before.
func (c *call) messageBody(f *form, place string, v any, kind bodyKind, old *message) (*messageInput, *apiError) {
	in := c.s.messageBody(f, place, v, kind, c.files, c.version, old)
	if in != nil {
		pictureRules(f, place, in, c.files)
	}
	return in, c.finish(f)
}

// messageBody checks a message body. old is the message being edited, nil
// otherwise. The caller turns f into an answer.
func (s *Server) messageBody(f *form, place string, v any, kind bodyKind, files []upload, version int, old *message) *messageInput {
	o, ok := f.object(place, v)
	if !ok {
		return nil
	}
	in := &messageInput{}
	in.hasContent = o.has("content")
	in.content, _ = o.str("content", 0, maxContent)

	in.hasFlags = o.has("flags")
	in.flags, _ = o.integer("flags", 0, 1<<30)
	settable := FlagSuppressEmbeds | FlagComponentsV2
	switch kind {
	case createBody:
		settable |= FlagSuppressNotification
	case followUpBody, callbackBody:
		settable |= FlagSuppressNotification | FlagEphemeral
	case updateBody:
		settable |= FlagEphemeral // allowed, changes nothing
	}
	if bad := in.flags &^ settable; bad != 0 {
		// Discord drops flags that cannot be set here without a word, so the
		// bot would not notice.
		f.own = append(f.own, fmt.Sprintf("%s: flags %d cannot be set here", o.at("flags"), bad))
		in.flags &= settable
	}
	v2 := in.flags&FlagComponentsV2 != 0
	if old != nil && old.Flags&FlagComponentsV2 != 0 {
		v2 = true // once set it stays
		in.flags |= FlagComponentsV2
	}

	s.attachmentsInput(o, in, files, version, old)
	names := in.names(files, old)

	in.hasComps = o.has("components")
	// Discord allows more than 40 in the outer list only to answer with the total.
	if list, ok := o.array("components", 0, 1000); ok {
		c := &componentCheck{f: f, v2: v2, files: names}
		in.components = c.components(o.at("components"), list)
	}

	in.hasEmbeds = o.has("embeds")
	if list, ok := o.array("embeds", 0, 10); ok {
		in.embeds = checkEmbeds(f, o.at("embeds"), list)
	}
	if v2 {
		for _, k := range []string{"content", "embeds", "poll", "sticker_ids"} {
			val, there := o.get(k)
			empty := !there || val == ""
			if l, ok := val.([]any); ok && len(l) == 0 {
				empty = true
			}
			if !empty {
				f.fail(o.at(k), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
					"The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", k)
			}
		}
		if old != nil && old.Flags&FlagComponentsV2 == 0 && (old.Content != "" && !in.hasContent || len(old.Embeds) > 0 && !in.hasEmbeds) {
			f.fail(o.at("flags"), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
				"content and embeds of the message have to be cleared to use MessageFlags.IS_COMPONENTS_V2")
		}
	}

	if mv, ok := o.get("allowed_mentions"); ok {
		in.mentions = checkMentions(f, o.at("allowed_mentions"), mv)
	} else {
		f.own = append(f.own, o.at("allowed_mentions")+": missing, so names in the text could notify people")
	}
	o.boolean("tts")
	if kind != createBody {
		if on, _ := o.boolean("enforce_nonce"); on {
			// discord.js sends false everywhere; true would be a promise that
			// these routes do not keep.
			f.unknown = append(f.unknown, o.at("enforce_nonce"))
		}
	}
	switch kind {
	case createBody:
		if rv, ok := o.get("message_reference"); ok {
			if r, ok := f.object(o.at("message_reference"), rv); ok {
				in.replyTo, _ = r.str("message_id", 1, 20)
				r.done("type", "channel_id", "guild_id", "fail_if_not_exists")
			}
		}
		if nv, ok := o.get("nonce"); ok {
			switch n := nv.(type) {
			case string:
				f.length(o.at("nonce"), n, 0, 25)
				in.nonce = n
			case json.Number:
				in.nonce = n.String()
			default:
				f.fail(o.at("nonce"), "UNION_TYPE_CHOICES", "nonce must be a string or an integer")
			}
		}
		in.enforce, _ = o.boolean("enforce_nonce")
		o.done("sticker_ids", "poll")
	case editBody:
		// discordgo's MessageEdit leaks its two address fields into the body.
		o.done("ID", "Channel", "sticker_ids")
	default:
		o.done("poll")
	}
	return in
}

// names gives the file names that attachment:// can name after the edit.
func (in *messageInput) names(files []upload, old *message) map[string]bool {
	names := map[string]bool{}
	for _, u := range files {
		names[u.filename] = true
	}
	if old != nil {
		for _, a := range old.Attachments {
			if !in.hasAttach || slices.ContainsFunc(in.attachments, func(i attachmentInput) bool { return i.n < 0 && i.id == a.ID }) {
				names[a.Filename] = true
			}
		}
	}
	return names
}

func (s *Server) attachmentsInput(o *fields, in *messageInput, files []upload, version int, old *message) {
	f := o.f
	_, in.hasAttach = o.get("attachments")
	list, _ := o.array("attachments", 0, maxAttachments)
	described := map[int]bool{}
	for i, v := range list {
		a, ok := f.object(o.at(fmt.Sprintf("attachments.%d", i)), v)
		if !ok || !a.require("id") {
			continue
		}
		var id string
		switch raw := a.m["id"].(type) {
		case string:
			id = raw
		case json.Number:
			id = raw.String()
		}
		a.known["id"] = true
		entry := attachmentInput{n: -1, id: id}
		if a.has("filename") {
			entry.filename, _ = a.str("filename", 0, 1024)
		}
		if _, ok := a.get("description"); ok {
			d, _ := a.str("description", 0, 1024)
			entry.description = &d
		}
		// discordgo sends the whole attachment object; Discord takes it.
		a.done("url", "proxy_url", "content_type", "width", "height", "size", "ephemeral",
			"duration_secs", "waveform", "flags", "title", "is_spoiler", "is_remix")
		if n, err := strconv.Atoi(id); err == nil && slices.ContainsFunc(files, func(u upload) bool { return u.n == n }) {
			if described[n] {
				f.fail(a.at("id"), "ATTACHMENT_ID_DUPLICATED", "Attachment ID %s is used twice", id)
			}
			described[n] = true
			entry.n = n
		} else if old == nil || !slices.ContainsFunc(old.Attachments, func(x Attachment) bool { return x.ID == id }) {
			f.fail(a.at("id"), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
			continue
		} else if slices.ContainsFunc(in.attachments, func(x attachmentInput) bool { return x.n < 0 && x.id == id }) {
			f.fail(a.at("id"), "ATTACHMENT_ID_DUPLICATED", "Attachment ID %s is used twice", id)
			continue
		}
		in.attachments = append(in.attachments, entry)
	}
	for _, u := range files {
		if described[u.n] {
			continue
		}
		if old != nil && version >= 10 {
			if in.hasAttach {
				f.own = append(f.own, fmt.Sprintf("%s: files[%d] is not listed, version 10 drops it", o.at("attachments"), u.n))
				continue
			}
			f.own = append(f.own, o.at("attachments")+": missing although version 10 wants every retained and new file listed")
		}
		in.attachments = append(in.attachments, attachmentInput{n: u.n})
	}
	if old != nil && !in.hasAttach {
		kept := make([]attachmentInput, 0, len(old.Attachments))
		for _, a := range old.Attachments {
			kept = append(kept, attachmentInput{n: -1, id: a.ID})
		}
		in.attachments = append(kept, in.attachments...)
	}
	if len(in.attachments) > maxAttachments {
		f.fail(o.at("attachments"), "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxAttachments)
	}
}

func checkMentions(f *form, place string, v any) *allowedMentions {
	o, ok := f.object(place, v)
	if !ok {
		return nil
	}
	am := &allowedMentions{}
	parse, _ := o.array("parse", 0, 3)
	for i, p := range parse {
		switch p {
		case "everyone":
			am.everyone = true
		case "users":
			am.users = true
		case "roles":
			am.roles = true
		default:
			f.fail(o.at(fmt.Sprintf("parse.%d", i)), "BASE_TYPE_CHOICES", "Value must be one of ('everyone', 'users', 'roles').")
		}
	}
	ids := func(key string, exclusive bool) []string {
		list, ok := o.array(key, 0, 100)
		if !ok {
			return nil
		}
		var out []string
		for i, v := range list {
			id, _ := v.(string)
			if !isSnowflake(id) {
				f.fail(o.at(fmt.Sprintf("%s.%d", key, i)), "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(v))
				continue
			}
			out = append(out, id)
		}
		if exclusive && len(list) > 0 {
			f.fail(o.at("parse"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", "parse:[\"%s\"] and %s: [ids...] are mutually exclusive.", key, key)
		}
		return out
	}
	am.userIDs = ids("users", am.users)
	ids("roles", am.roles)
	am.repliedUser, _ = o.boolean("replied_user")
	o.done()
	return am
}

// checkEmbeds checks the lengths of embeds, no more.
func checkEmbeds(f *form, place string, list []any) []json.RawMessage {
	var out []json.RawMessage
	total := 0
	for i, v := range list {
		o, ok := f.object(join(place, strconv.Itoa(i)), v)
		if !ok {
			continue
		}
		text := func(o *fields, key string, max int) {
			t, _ := o.str(key, 0, max)
			total += utf8.RuneCountInString(strings.TrimSpace(t))
		}
		text(o, "title", 256)
		text(o, "description", 4096)
		if v, ok := o.get("footer"); ok {
			if p, ok := f.object(o.at("footer"), v); ok {
				text(p, "text", 2048)
			}
		}
		if v, ok := o.get("author"); ok {
			if p, ok := f.object(o.at("author"), v); ok {
				text(p, "name", 256)
			}
		}
		if fl, ok := o.array("fields", 0, 25); ok {
			for j, v := range fl {
				if p, ok := f.object(o.at(fmt.Sprintf("fields.%d", j)), v); ok {
					p.require("name")
					p.require("value")
					text(p, "name", 256)
					text(p, "value", 1024)
				}
			}
		}
		o.done("type", "url", "timestamp", "color", "image", "thumbnail", "video", "provider")
		raw, _ := json.Marshal(v)
		out = append(out, raw)
	}
	if total > maxEmbedText {
		f.fail(place, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedText)
	}
	return out
}
