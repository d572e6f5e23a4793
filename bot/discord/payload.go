package discord

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
)

// ErrLimit says that a message breaks one of Discord's limits. It is a fault of
// this program, found by [Check].
var ErrLimit = errors.New("message breaks a limit of Discord's")

// Discord's numbers.
const (
	flagEphemeral = 1 << 6

	componentRow    = 1
	componentButton = 2

	maxMentions   = 100
	maxChoices    = 25
	maxChoiceText = 100 // characters of a suggestion's name and value
	maxNonce      = 25  // bytes
)

// message is the body of everything that creates or changes a message. The
// lists are never null: what is left out of an edit stays as it was, and old
// pictures would pile up.
type message struct {
	Content         string          `json:"content"`
	Components      []actionRow     `json:"components"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
	Attachments     []attachment    `json:"attachments"`
	Flags           int             `json:"flags,omitempty"`
	Nonce           string          `json:"nonce,omitempty"`
	EnforceNonce    bool            `json:"enforce_nonce,omitempty"`
}

type actionRow struct {
	Type       int      `json:"type"`
	Components []button `json:"components"`
}

type button struct {
	Type     int    `json:"type"`
	Style    int    `json:"style"`
	Label    string `json:"label,omitempty"`
	Emoji    *emoji `json:"emoji,omitempty"`
	CustomID string `json:"custom_id"`
	Disabled bool   `json:"disabled,omitempty"`
}

type emoji struct {
	Name string `json:"name"`
}

// allowedMentions says whom a text reaches. Without it, everybody whose mention is in
// the text, including those that sneak in with somebody's name.
type allowedMentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users"`
}

func nobody() allowedMentions { return allowedMentions{Parse: []string{}, Users: []string{}} }

// attachment announces the file of the same number; discordgo's own struct
// has no description, which is the picture's alternative text.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

type file struct {
	name string
	data []byte
}

// Check reports every limit of Discord's that a message breaks, as errors that
// wrap [ErrLimit]. Such a message is still sent, with what is too long cut off and
// what is too many left out; tests of what makes messages should hold that it
// never is.
func Check(m view.Message) error {
	_, _, faults := encode(m, nil)
	return faults
}

// encode writes a message. The faults say what had to be cut.
func encode(m view.Message, picture []byte) (msg message, files []file, faults error) {
	fault := func(format string, args ...any) {
		faults = errors.Join(faults, fmt.Errorf("%w: %s", ErrLimit, fmt.Sprintf(format, args...)))
	}
	cut := func(what, s string, limit int) string {
		t, whole := clip(s, limit)
		if !whole {
			fault("%s has %d of at most %d characters", what, utf8.RuneCountInString(s), limit)
		}
		return t
	}

	msg = message{
		Content:         cut("text", m.Text, view.MaxText),
		Components:      []actionRow{},
		AllowedMentions: nobody(),
		Attachments:     []attachment{},
	}
	if m.Private {
		msg.Flags = flagEphemeral
	}
	for _, u := range m.Notify {
		id := string(u)
		switch {
		case !snowflake(id):
			fault("%.30q is not a user to notify", id)
		case len(msg.AllowedMentions.Users) == maxMentions:
			fault("more than %d users to notify", maxMentions)
		case !slices.Contains(msg.AllowedMentions.Users, id):
			msg.AllowedMentions.Users = append(msg.AllowedMentions.Users, id)
		}
	}

	attach := func(name, alt string, data []byte) {
		msg.Attachments = append(msg.Attachments, attachment{
			ID: strconv.Itoa(len(files)), Filename: name,
			Description: cut("description of "+name, alt, view.MaxAlt),
		})
		files = append(files, file{name: name, data: data})
	}
	if p := m.Picture; p != nil {
		if p.Alt == "" {
			fault("picture %s has no words", p.Name)
		}
		if p.Name == "" {
			fault("picture without a name")
		}
		if _, whole := clip(p.Alt, view.MaxAlt); !whole && len(picture) == 0 {
			fault("description of %s is longer than %d characters", p.Name, view.MaxAlt)
		}
		if len(picture) > 0 {
			attach(p.Name, p.Alt, picture)
		}
	}
	if f := m.File; f != nil {
		if f.Name == "" {
			fault("file without a name")
		}
		attach(f.Name, f.Alt, f.Data)
	}
	if msg.Content == "" && len(m.Rows) == 0 && m.Picture == nil && m.File == nil {
		fault("nothing in it")
	}

	seen := map[string]bool{}
	for _, row := range m.Rows {
		if len(row) == 0 {
			continue
		}
		if len(msg.Components) == view.MaxRows {
			fault("%d rows of at most %d", len(m.Rows), view.MaxRows)
			break
		}
		if len(row) > view.MaxButtons {
			fault("%d buttons of at most %d in a row", len(row), view.MaxButtons)
			row = row[:view.MaxButtons]
		}
		out := actionRow{Type: componentRow}
		for _, b := range row {
			id, err := customID(b.Intent)
			switch {
			case err != nil:
				fault("button %q: %v", b.Label, err)
				continue
			case seen[id]:
				fault("button %q: another one has its custom ID %q", b.Label, id)
				continue
			case b.Label == "" && b.Emoji == "":
				fault("button %q has neither label nor emoji", id)
				continue
			}
			seen[id] = true
			v := button{
				Type: componentButton, Style: styleOf(b.Style), CustomID: id, Disabled: b.Disabled,
				Label: cut("label", b.Label, view.MaxLabel),
			}
			if b.Emoji != "" {
				v.Emoji = &emoji{Name: b.Emoji}
			}
			out.Components = append(out.Components, v)
		}
		if len(out.Components) > 0 {
			msg.Components = append(msg.Components, out)
		}
	}
	return msg, files, faults
}

// customID writes an intent. An intent that stands behind no button makes
// [intent.CustomID] panic; one bad button must not cost the whole message.
func customID(in intent.Intent) (id string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return intent.CustomID(in), nil
}

func styleOf(s view.Style) int {
	switch s {
	case view.Primary:
		return 1
	case view.Success:
		return 3
	case view.Danger:
		return 4
	}
	return 2
}

// clip cuts a text to so many characters and reports whether it was whole.
func clip(s string, limit int) (string, bool) {
	if utf8.RuneCountInString(s) <= limit {
		return s, true
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return s[:i] + "…", false
		}
		n++
	}
	return s, true
}

// snowflake reports whether a text looks like one of Discord's IDs.
func snowflake(id string) bool {
	for i := range len(id) {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
	}
	return id != "" && len(id) <= intent.MaxGameLen
}

// choice is a suggestion as Discord wants it.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// encodeChoices keeps as many suggestions as Discord takes. One that cannot be
// shown is left out: a single bad one would lose them all.
func encodeChoices(list []view.Choice) []choice {
	out := []choice{}
	for _, c := range list {
		name, _ := clip(c.Name, maxChoiceText)
		_, whole := clip(c.Value, maxChoiceText)
		if strings.TrimSpace(name) == "" || c.Value == "" || !whole {
			continue
		}
		if len(out) == maxChoices {
			break
		}
		out = append(out, choice{Name: name, Value: c.Value})
	}
	return out
}

// form writes a body with files; without any, the caller sends JSON.
func form(payload any, files []file) (contentType string, body []byte, err error) {
	list := make([]*discordgo.File, len(files))
	for i, f := range files {
		list[i] = &discordgo.File{Name: f.name, ContentType: contentTypeOf(f.name), Reader: bytes.NewReader(f.data)}
	}
	return discordgo.MultipartBodyWithJSON(payload, list)
}

// contentTypeOf tells a file's type by its name.
func contentTypeOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".gif":
		return "image/gif"
	case ".json":
		return "application/json"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
