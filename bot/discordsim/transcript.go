package discordsim

import (
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Transcript writes what is in a channel now as text, including everybody's
// ephemeral messages, for reading and for comparing with golden files. It has
// neither IDs nor times:
//
//	# general
//	ann: hello @ben
//	lasca, answering ann's /lasca play: Your move. (edited, pings ben)
//	  [picture 600×600: White to move. c3: white soldier …]
//	  [c3] [e5] [f4: disabled]
func (s *Server) Transcript(channelID string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil {
		return ""
	}
	var b strings.Builder
	switch ch.Type {
	case DMChannel:
		people := []string{s.nameOf(ch.RecipientID)}
		if ch.RecipientID == "" {
			people = s.namesOf(ch.Recipients)
		}
		fmt.Fprintf(&b, "# direct messages with %s\n", strings.Join(people, " and "))
	case GroupChannel:
		fmt.Fprintf(&b, "# group %s: %s\n", ch.Name, strings.Join(s.namesOf(ch.Recipients), ", "))
	default:
		fmt.Fprintf(&b, "# %s\n", ch.Name)
	}
	for _, m := range ch.messages {
		s.transcribe(&b, m)
	}
	return b.String()
}

func (s *Server) nameOf(id string) string {
	if u := s.users[id]; u != nil {
		return u.Name
	}
	return "somebody"
}

func (s *Server) namesOf(ids []string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.nameOf(id)
	}
	return names
}

// transcribe writes one message.
func (s *Server) transcribe(b *strings.Builder, m *message) {
	b.WriteString(m.Author.Name)
	if in := m.Interaction; in != nil {
		fmt.Fprintf(b, ", answering %s", s.nameOf(in.UserID))
		if in.Command != "" {
			fmt.Fprintf(b, "'s /%s", in.Command)
		}
	}
	b.WriteString(":")
	if m.Content != "" {
		b.WriteString(" " + indent(s.readable(m.Content)))
	}
	if notes := s.notes(m); len(notes) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(notes, ", "))
	}
	b.WriteString("\n")
	for _, a := range m.Attachments {
		alt := a.Description
		if alt == "" {
			alt = "no description"
		}
		if a.Width > 0 {
			fmt.Fprintf(b, "  [picture %d×%d: %s]\n", a.Width, a.Height, indent(alt))
		} else {
			fmt.Fprintf(b, "  [file %s: %s]\n", a.Filename, indent(alt))
		}
	}
	s.transcribeComponents(b, m.Components)
}

func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// notes lists what is special about a message.
func (s *Server) notes(m *message) []string {
	var notes []string
	note := func(when bool, text string) {
		if when {
			notes = append(notes, text)
		}
	}
	note(m.EphemeralFor != "", "only "+s.nameOf(m.EphemeralFor)+" sees this")
	note(m.Hidden, "dismissed")
	note(m.Loading, "thinking")
	note(m.Failed, "the application did not respond")
	note(!m.EditedAt.IsZero(), "edited")
	note(m.PingsEveryone, "pings everyone")
	note(len(m.Pings) > 0, "pings "+strings.Join(s.namesOf(m.Pings), ", "))
	return notes
}

func (s *Server) transcribeComponents(b *strings.Builder, list []check.Component) {
	for _, c := range list {
		switch c.Type {
		case check.ActionRow:
			b.WriteString(" ")
			for _, p := range c.Components {
				b.WriteString(" [" + controlText(p) + "]")
			}
			b.WriteString("\n")
		case check.TextDisplay:
			b.WriteString("  " + indent(s.readable(c.Content)) + "\n")
		case check.MediaGallery:
			for _, it := range c.Items {
				fmt.Fprintf(b, "  [picture: %s]\n", it.Description)
			}
		case check.Separator:
			b.WriteString("  ---\n")
		case check.Section:
			s.transcribeComponents(b, c.Components)
			if c.Accessory != nil && c.Accessory.Type == check.Button {
				b.WriteString("  [" + controlText(*c.Accessory) + "]\n")
			}
		case check.Container:
			s.transcribeComponents(b, c.Components)
		}
	}
}

// controlText writes a button or menu.
func controlText(c check.Component) string {
	text := buttonText(c)
	if c.Type != check.Button {
		text = "menu " + c.Placeholder
		for i, o := range c.Options {
			if i == 0 {
				text += ": "
			} else {
				text += " | "
			}
			text += o.Label
			if o.Default {
				text += " ✓"
			}
		}
	}
	if c.Disabled {
		text += ": disabled"
	}
	return text
}

// readable replaces mentions and emoji by names.
func (s *Server) readable(text string) string {
	return userMention.ReplaceAllStringFunc(check.ReadableEmoji(text), func(m string) string {
		return "@" + s.nameOf(userMention.FindStringSubmatch(m)[1])
	})
}

// buttonText gives what is written on a button.
func buttonText(c check.Component) string {
	if c.Emoji == nil {
		return c.Label
	}
	name := c.Emoji.Name
	if c.Emoji.ID != "" {
		name = ":" + name + ":"
	}
	return strings.TrimSpace(name + " " + c.Label)
}

// String writes a form as text, for reading and for comparing with golden files.
func (m *Modal) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", m.Title)
	field := func(label string, c *check.Component) {
		b.WriteString(label)
		if c.Needed() {
			b.WriteString(", required")
		}
		fmt.Fprintf(&b, ": [%s]\n", fieldText(c))
	}
	for i := range m.Components {
		switch c := &m.Components[i]; c.Type {
		case check.TextDisplay:
			fmt.Fprintf(&b, "%s\n", c.Content)
		case check.Label:
			field(c.Label, c.Component)
		case check.ActionRow:
			for j := range c.Components {
				field(c.Components[j].Label, &c.Components[j])
			}
		}
	}
	return b.String()
}

// fieldText writes an input of a form with what is preset.
func fieldText(c *check.Component) string {
	kind := map[int]string{
		check.TextInput: "text", check.StringSelect: "menu", check.UserSelect: "menu of people", check.ChannelSelect: "menu of channels",
		check.FileUpload: "file", check.RadioGroup: "radio", check.CheckboxGroup: "checkboxes", check.Checkbox: "checkbox",
	}[c.Type]
	var parts []string
	for _, o := range c.Options {
		if o.Default {
			o.Label += " ✓"
		}
		parts = append(parts, o.Label)
	}
	text := kind + " " + c.Value + strings.Join(parts, " | ")
	if c.Default {
		text += "✓"
	}
	return strings.TrimSpace(text)
}
