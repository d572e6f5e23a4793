package discord

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// Discord's numbers.
const (
	flagEphemeral = 1 << 6

	componentRow    = 1
	componentButton = 2

	maxMentions = 100
	maxNonce    = 25 // bytes
)

// message is the body of every call that creates or changes a message. Its lists
// are never null: what an edit leaves out stays as it was, and old pictures would
// pile up.
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

// allowedMentions says whom a text notifies. Without it, that is everybody whose
// mention is in the text, even if it came in with somebody's name.
type allowedMentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users"`
}

func nobody() allowedMentions { return allowedMentions{Parse: []string{}, Users: []string{}} }

// attachment announces the file of the same number. discordgo's struct lacks the
// description, which is the picture's alternative text.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

type file struct {
	name string
	data []byte
}

// encode writes a message that Discord accepts: it cuts what is too long and
// leaves out what is too many or impossible. The faults say what that was. Each
// is a bug in the code that made the message.
func encode(m view.Message, picture []byte) (msg message, files []file, faults []string) {
	e := encoder{message: message{
		Components:      []actionRow{},
		AllowedMentions: nobody(),
		Attachments:     []attachment{},
	}}
	e.Content = e.cut("text", m.Text, view.MaxText)
	if m.Private {
		e.Flags = flagEphemeral
	}
	e.notify(m.Notify)
	if m.Picture != nil {
		e.picture(*m.Picture, picture)
	}
	if f := m.File; f != nil {
		if f.Name == "" {
			e.fault("file without a name")
		}
		e.attach(f.Name, f.Alt, f.Data)
	}
	if m.Text == "" && len(m.Rows) == 0 && m.Picture == nil && m.File == nil {
		e.fault("nothing in it")
	}
	e.rows(m.Rows)
	return e.message, e.files, e.faults
}

// encoder builds a message and records what it had to mend.
type encoder struct {
	message
	files  []file
	faults []string
}

func (e *encoder) fault(format string, args ...any) {
	e.faults = append(e.faults, fmt.Sprintf(format, args...))
}

func (e *encoder) cut(what, s string, limit int) string {
	t, whole := clip(s, limit)
	if !whole {
		e.fault("%s has %d of at most %d characters", what, utf8.RuneCountInString(s), limit)
	}
	return t
}

func (e *encoder) notify(users []match.UserID) {
	m := &e.AllowedMentions
	for _, u := range users {
		id := string(u)
		switch {
		case !snowflake(id):
			e.fault("%.30q is not a user to notify", id)
		case len(m.Users) == maxMentions:
			e.fault("more than %d users to notify", maxMentions)
		case !slices.Contains(m.Users, id):
			m.Users = append(m.Users, id)
		}
	}
}

// picture attaches a picture, if it could be drawn.
func (e *encoder) picture(p view.Picture, drawn []byte) {
	if p.Alt == "" {
		e.fault("picture %s without a description", p.Name)
	}
	if p.Name == "" {
		e.fault("picture without a name")
	}
	if len(drawn) > 0 {
		e.attach(p.Name, p.Alt, drawn)
	}
}

func (e *encoder) attach(name, alt string, data []byte) {
	e.Attachments = append(e.Attachments, attachment{
		ID: strconv.Itoa(len(e.files)), Filename: name,
		Description: e.cut("description of "+name, alt, view.MaxAlt),
	})
	e.files = append(e.files, file{name: name, data: data})
}

func (e *encoder) rows(rows []view.Row) {
	seen := map[string]bool{}
	for _, row := range rows {
		if len(row) == 0 {
			continue
		}
		if len(e.Components) == view.MaxRows {
			e.fault("%d rows of at most %d", len(rows), view.MaxRows)
			return
		}
		if len(row) > view.MaxButtons {
			e.fault("%d buttons of at most %d in a row", len(row), view.MaxButtons)
			row = row[:view.MaxButtons]
		}
		out := actionRow{Type: componentRow}
		for _, b := range row {
			if v, ok := e.button(b, seen); ok {
				out.Components = append(out.Components, v)
			}
		}
		if len(out.Components) > 0 {
			e.Components = append(e.Components, out)
		}
	}
}

// button writes a button, unless it is impossible. Seen has the custom IDs of the
// buttons before it.
func (e *encoder) button(b view.Button, seen map[string]bool) (v button, ok bool) {
	id, err := customID(b.Intent)
	switch {
	case err != nil:
		e.fault("button %q: %v", b.Label, err)
		return v, false
	case seen[id]:
		e.fault("button %q: another one has its custom ID %q", b.Label, id)
		return v, false
	case b.Label == "" && b.Emoji == "":
		e.fault("button %q has neither label nor emoji", id)
		return v, false
	}
	seen[id] = true
	v = button{
		Type: componentButton, Style: styleOf(b.Style), CustomID: id, Disabled: b.Disabled,
		Label: e.cut("label", b.Label, view.MaxLabel),
	}
	if b.Emoji != "" {
		v.Emoji = &emoji{Name: b.Emoji}
	}
	return v, true
}

// customID writes an intent as a custom ID. [intent.CustomID] panics if the intent
// cannot be behind a button; one bad button must not cost the whole message.
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

// clip cuts a text to a number of characters and reports whether it already fit.
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

// encodeChoices keeps as many suggestions as Discord takes. It leaves out those
// that cannot be shown, because a single bad one would lose them all.
func encodeChoices(list []view.Choice) []choice {
	out := []choice{}
	for _, c := range list {
		name, _ := clip(c.Name, view.MaxChoice)
		_, whole := clip(c.Value, view.MaxChoice)
		if strings.TrimSpace(name) == "" || c.Value == "" || !whole {
			continue
		}
		if len(out) == view.MaxChoices {
			break
		}
		out = append(out, choice{Name: name, Value: c.Value})
	}
	return out
}

// form writes a body that has files.
func form(payload any, files []file) (contentType string, body []byte, err error) {
	list := make([]*discordgo.File, len(files))
	for i, f := range files {
		list[i] = &discordgo.File{Name: f.name, ContentType: contentTypeOf(f.name), Reader: bytes.NewReader(f.data)}
	}
	return discordgo.MultipartBodyWithJSON(payload, list)
}

// contentTypeOf returns a file's content type by its name.
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
