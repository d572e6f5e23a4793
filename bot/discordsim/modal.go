package discordsim

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Modal is a form that the bot opened. Fill it with [Actor.SubmitModal].
type Modal struct {
	CustomID   string            `json:"custom_id"`
	Title      string            `json:"title"`
	Components []check.Component `json:"components"`

	channelID string
	messageID string // of the component that opened it
	userID    string
	owners    map[string]string // of the interaction that opened it
}

// SubmitModal sends a form that the bot opened for this person. values are by
// the custom ID of the input; inputs left out keep their preset value.
func (a *Actor) SubmitModal(ctx context.Context, modal *Modal, values map[string]string) (*Reply, error) {
	if modal == nil || modal.userID != a.id {
		return nil, fmt.Errorf("%w: the form was not opened for this person", ErrForbidden)
	}
	return a.start(ctx, modal.channelID, func(u *User, ch *channel) (*interaction, error) {
		f := &filling{values: values, used: map[string]bool{}}
		data := map[string]any{"custom_id": modal.CustomID, "components": f.fill(modal.Components)}
		for id := range values {
			if !f.used[id] {
				return nil, fmt.Errorf("%w: %q", ErrNoComponent, id)
			}
		}
		if f.problem != nil {
			return nil, f.problem
		}
		in := &interaction{kind: kindModal, userID: u.ID, messageID: modal.messageID, owners: modal.owners}
		return a.s.begin(in, ch, data, ch.find(modal.messageID)), nil
	})
}

// filling fills in a form.
type filling struct {
	values  map[string]string // by custom ID
	used    map[string]bool
	problem error // of an input whose value does not fit
}

// fill gives the components as a client submits them.
func (f *filling) fill(list []check.Component) []map[string]any {
	out := []map[string]any{}
	for i := range list {
		c := &list[i]
		entry := map[string]any{"type": c.Type, "id": c.ID}
		switch {
		case c.Type == check.TextInput:
			entry["custom_id"], entry["value"] = c.CustomID, f.text(c)
		case c.Type == check.StringSelect:
			f.used[c.CustomID] = true
			chosen := []string{}
			if v := f.values[c.CustomID]; v != "" {
				chosen = append(chosen, v)
			}
			entry["custom_id"], entry["values"] = c.CustomID, chosen
		case c.Component != nil:
			entry["component"] = f.fill([]check.Component{*c.Component})[0]
		case c.Components != nil:
			entry["components"] = f.fill(c.Components)
		}
		out = append(out, entry)
	}
	return out
}

// text gives the value of a text input and checks its length.
func (f *filling) text(c *check.Component) string {
	v, given := f.values[c.CustomID]
	f.used[c.CustomID] = true
	if !given {
		v = c.Value
	}
	high := 4000
	if c.MaxLength != nil && *c.MaxLength > 0 {
		high = *c.MaxLength
	}
	n := utf8.RuneCountInString(v)
	required := c.Required == nil || *c.Required
	if n == 0 && required || n > high || n > 0 && c.MinLength != nil && n < *c.MinLength {
		f.problem = fmt.Errorf("%w: %q does not fit the input %s", ErrBadInput, v, c.CustomID)
	}
	return v
}
