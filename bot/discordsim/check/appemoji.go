package check

import (
	"bytes"
	"encoding/base64"
	"image"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Limits of an application's own emoji.
const (
	MaxEmoji     = 2000       // of one application
	MaxEmojiSize = 256 * 1024 // bytes of one picture
)

// emojiName is the rule for the names of emoji that somebody made.
var emojiName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// emojiTypes are the media types of emoji, of which AVIF is not modelled.
var emojiTypes = []string{"image/png", "image/gif", "image/jpeg", "image/webp"}

// EmojiUpload is an emoji as a request describes it.
type EmojiUpload struct {
	Name        string // "" in a change that leaves it as it is
	Data        []byte // of the picture; nil in a change
	ContentType string // "image/png"
	// TooLarge says that the picture has more than [MaxEmojiSize] bytes, which Discord
	// refuses without one of its own codes.
	TooLarge bool
}

// Emoji checks the body of a request that makes an emoji of the application's own or,
// with change, gives it another name.
func (f *Form) Emoji(v any, change bool) EmojiUpload {
	var e EmojiUpload
	o, ok := f.object("", v)
	if !ok {
		return e
	}
	if change || o.require("name") {
		if e.Name, _ = o.str("name", 2, 32); len(e.Name) > 1 && len(e.Name) <= 32 && !emojiName.MatchString(e.Name) {
			f.fail("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
		}
	}
	if !change && o.require("image") {
		if uri, ok := o.str("image", 0, 0); ok {
			f.emojiPicture(&e, uri)
		}
	}
	o.done()
	return e
}

// emojiPicture reads a picture from a data URI ("data:image/png;base64,…").
func (f *Form) emojiPicture(e *EmojiUpload, uri string) {
	head, text, _ := strings.Cut(uri, ",")
	said, isData := strings.CutPrefix(head, "data:")
	said, isBase64 := strings.CutSuffix(said, ";base64")
	data, err := base64.StdEncoding.DecodeString(text)
	if !isData || !isBase64 || err != nil || !slices.Contains(emojiTypes, said) {
		f.fail("image", "IMAGE_INVALID", "Invalid image data: must be a data URI such as data:image/png;base64,…") // not documented: the code
		return
	}
	e.Data, e.ContentType = data, http.DetectContentType(data)
	e.TooLarge = len(data) > MaxEmojiSize
	if e.ContentType != said {
		f.breaks("image", "says that it is %s, but is %s", said, e.ContentType)
	}
	if e.ContentType == "image/webp" { // no decoder here
		return
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		f.fail("image", "IMAGE_INVALID", "Invalid image data: %v", err)
	case size.Width != size.Height || size.Width > 128:
		// Discord takes any size and shows the picture in a square.
		f.breaks("image", "an emoji has up to 128×128 pixels and as many rows as columns, not %d×%d", size.Width, size.Height)
	}
}

// emojiMention is an emoji that somebody made, within a text.
var emojiMention = regexp.MustCompile(`<(a?):([A-Za-z0-9_]{2,32}):([0-9]{1,20})>`)

// codeText is a part of a text that is shown as it is.
var codeText = regexp.MustCompile("(?s)```.*?```|``.+?``|`[^`]+`")

// WithoutCode blanks the parts of a text that are code, in which mentions and emoji are
// just text.
func WithoutCode(text string) string { return codeText.ReplaceAllString(text, " ") }

// TextEmoji gives the IDs of the emoji in a text (<:name:id>), each once. Those in code
// are text.
func TextEmoji(text string) []string {
	var ids []string
	for _, hit := range emojiMention.FindAllStringSubmatch(WithoutCode(text), -1) {
		if !slices.Contains(ids, hit[3]) {
			ids = append(ids, hit[3])
		}
	}
	return ids
}

// ReadableEmoji writes a text's emoji as people say them: ":name:".
func ReadableEmoji(text string) string { return emojiMention.ReplaceAllString(text, ":$2:") }

// unknownEmoji reports the emoji of a text that the application does not have: Discord
// shows their names in place of pictures.
func (f *Form) unknownEmoji(place, text string, known func(id string) bool) {
	for _, id := range TextEmoji(text) {
		if known == nil || !known(id) {
			f.breaks(place, "the application has no emoji %s", id)
		}
	}
}
