package discordsim

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Modal is a form that the bot opened. Fill it with [Actor.Submit].
type Modal struct {
	CustomID   string            `json:"custom_id"`
	Title      string            `json:"title"`
	Components []check.Component `json:"components"`

	channelID string
	messageID string // of the component that opened it
	userID    string
	owners    map[string]string // of the interaction that opened it
}

// Upload is a file that somebody puts into a form.
type Upload struct {
	Filename string
	Data     []byte
}

// Submit sends a form that the bot opened for this person. values are by the custom ID
// of the input:
//
//   - a string for a text, a radio button, or a menu of which one thing is chosen;
//   - []string for menus and groups of checkboxes; users and channels are IDs;
//   - bool for a checkbox;
//   - []Upload for files.
//
// Inputs left out keep their preset value. As the client does, it refuses what the form
// does not allow ([ErrBadInput], [ErrBadSelection], [ErrNoComponent]).
func (a *Actor) Submit(ctx context.Context, modal *Modal, values map[string]any) (*Reply, error) {
	if modal == nil || modal.userID != a.id {
		return nil, fmt.Errorf("%w: the form was not opened for this person", ErrForbidden)
	}
	return a.start(ctx, modal.channelID, func(u *User, ch *channel) (*interaction, error) {
		f := &filling{a: a, ch: ch, left: maps.Clone(values), resolved: map[string]map[string]any{}}
		data := map[string]any{"custom_id": modal.CustomID, "components": f.fill(modal.Components)}
		for id := range f.left {
			return nil, fmt.Errorf("%w: %q", ErrNoComponent, id)
		}
		if f.problem != nil {
			return nil, f.problem
		}
		f.upload()
		if len(f.resolved) > 0 {
			data["resolved"] = f.resolved
		}
		in := &interaction{kind: kindModal, userID: u.ID, messageID: modal.messageID, owners: modal.owners}
		return a.s.begin(in, ch, data, ch.find(modal.messageID)), nil
	})
}

// filling fills in a form with the server's mutex held.
type filling struct {
	a        *Actor
	ch       *channel
	left     map[string]any // values by custom ID that have not been filled in
	resolved map[string]map[string]any
	files    []pendingFile
	problem  error // of an input whose value does not fit
}

// pendingFile is an upload, kept back until everything else is right, and where its ID
// goes.
type pendingFile struct {
	Upload
	into *[]string
}

func (f *filling) fail(kind error, format string, args ...any) {
	if f.problem == nil {
		f.problem = fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
	}
}

// fill gives the components as a client submits them.
func (f *filling) fill(list []check.Component) []map[string]any {
	out := []map[string]any{}
	for i := range list {
		c := &list[i]
		entry := map[string]any{"type": c.Type, "id": c.ID}
		if c.CustomID != "" {
			entry["custom_id"] = c.CustomID
		}
		switch c.Type {
		case check.TextInput:
			entry["value"] = f.text(c)
		case check.StringSelect, check.UserSelect, check.ChannelSelect, check.CheckboxGroup:
			entry["values"] = f.chosen(c)
		case check.RadioGroup:
			if one := f.chosen(c); len(one) > 0 {
				entry["value"] = one[0]
			} else {
				entry["value"] = nil
			}
		case check.Checkbox:
			on := c.Default
			take(f, c, &on)
			entry["value"] = on
		case check.FileUpload:
			entry["values"] = f.uploads(c)
		case check.RoleSelect, check.MentionableSelect:
			entry["values"] = []string{}
			f.fail(ErrBadInput, "roles are not modelled")
		case check.Label:
			entry["component"] = f.fill([]check.Component{*c.Component})[0]
		case check.ActionRow:
			entry["components"] = f.fill(c.Components)
		}
		out = append(out, entry)
	}
	return out
}

// take moves the value for an input, if there is one, to where it goes.
func take[T any](f *filling, c *check.Component, to *T) {
	v, given := f.left[c.CustomID]
	delete(f.left, c.CustomID)
	if !given {
		return
	}
	typed, ok := v.(T)
	if !ok {
		f.fail(ErrBadInput, "%s takes a %T, not a %T", c.CustomID, *to, v)
		return
	}
	*to = typed
}

// text gives the value of a text input and checks its length.
func (f *filling) text(c *check.Component) string {
	v := c.Value
	take(f, c, &v)
	high := 4000
	if c.MaxLength != nil {
		high = *c.MaxLength
	}
	n := utf8.RuneCountInString(v)
	if n == 0 && c.Needed() || n > high || n > 0 && c.MinLength != nil && n < *c.MinLength || !utf8.ValidString(v) {
		f.fail(ErrBadInput, "%q does not fit the input %s", v, c.CustomID)
	}
	return v
}

// chosen gives what is chosen in a menu or a group, and checks it.
func (f *filling) chosen(c *check.Component) []string {
	values := []string{}
	for _, o := range c.Options {
		if o.Default {
			values = append(values, o.Value)
		}
	}
	for _, d := range c.DefaultValues {
		values = append(values, d.ID)
	}
	if one, ok := f.left[c.CustomID].(string); ok {
		f.left[c.CustomID] = []string{one}
		if one == "" {
			f.left[c.CustomID] = []string{}
		}
	}
	take(f, c, &values)
	f.count(c, len(values))
	if err := f.a.offered(f.ch, c, values); err != nil {
		f.fail(ErrBadSelection, "%s: %v", c.CustomID, err)
		return values
	}
	for kind, things := range f.a.s.resolve(f.ch, f.a.id, c.Type, values) {
		if f.resolved[kind] == nil {
			f.resolved[kind] = map[string]any{}
		}
		maps.Copy(f.resolved[kind], things.(map[string]any))
	}
	return append([]string{}, values...)
}

// count checks how many things are chosen.
func (f *filling) count(c *check.Component, n int) {
	low, high := c.Count()
	if n == 0 && !c.Needed() {
		return
	}
	if n < max(low, 1) && c.Needed() || n < low || n > high {
		f.fail(ErrBadSelection, "%s: choose %d to %d, not %d", c.CustomID, low, high, n)
	}
}

// uploads notes the files for an input and gives their IDs, which are filled in later.
func (f *filling) uploads(c *check.Component) *[]string {
	var list []Upload
	take(f, c, &list)
	f.count(c, len(list))
	ids := &[]string{}
	for _, u := range list {
		if u.Filename == "" || len(u.Data) > check.MaxFileSize {
			f.fail(ErrBadInput, "%s: a file needs a name and has at most %d bytes", c.CustomID, check.MaxFileSize)
		}
		f.files = append(f.files, pendingFile{u, ids})
	}
	return ids
}

// upload stores the files. Nobody but the bot is shown them, and they are served for a
// while.
func (f *filling) upload() {
	for _, p := range f.files {
		s := f.a.s
		a := Attachment{ID: s.newID(), Filename: check.CleanFilename(p.Filename), Size: len(p.Data)}
		a.ContentType = fileType(&check.File{Filename: a.Filename, Data: p.Data})
		if c, _, err := image.DecodeConfig(bytes.NewReader(p.Data)); err == nil {
			a.Width, a.Height = c.Width, c.Height
		}
		a.Path = "/ephemeral-attachments/" + f.ch.ID + "/" + a.ID + "/" + a.Filename
		s.blobs[a.ID] = &blob{Attachment: a, Data: slices.Clone(p.Data)}
		s.retireBlob(a.ID)
		*p.into = append(*p.into, a.ID)
		if f.resolved["attachments"] == nil {
			f.resolved["attachments"] = map[string]any{}
		}
		f.resolved["attachments"][a.ID] = attachmentJSON(a, true)
	}
}
