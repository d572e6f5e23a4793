package discordsim

import (
	"fmt"
	"strings"
)

// Transcript gives what stands in a channel now as text, ephemeral messages
// included, for reading and for comparing with golden files. It holds no IDs
// and no times:
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
		fmt.Fprintf(&b, "# direct messages with %s\n", s.nameOf(ch.RecipientID))
	default:
		fmt.Fprintf(&b, "# %s\n", ch.Name)
	}
	for _, m := range ch.messages {
		s.transcribe(&b, ch, m)
	}
	return b.String()
}

func (s *Server) nameOf(id string) string {
	if u := s.users[id]; u != nil {
		return u.Name
	}
	return "somebody"
}

func (s *Server) transcribe(b *strings.Builder, ch *channel, m *message) {
	b.WriteString(m.Author.Name)
	if in := m.Interaction; in != nil {
		switch {
		case in.Command != "":
			fmt.Fprintf(b, ", answering %s's /%s", s.nameOf(in.UserID), in.Command)
		default:
			fmt.Fprintf(b, ", answering %s", s.nameOf(in.UserID))
		}
	}
	if m.ReplyTo != "" {
		if r := ch.find(m.ReplyTo); r != nil {
			fmt.Fprintf(b, ", replying to %s", r.Author.Name)
		}
	}
	b.WriteString(":")
	indent := func(text string) string {
		return strings.ReplaceAll(text, "\n", "\n  ")
	}
	if m.Content != "" {
		b.WriteString(" " + indent(s.readable(m.Content)))
	}
	var notes []string
	if m.EphemeralFor != "" {
		notes = append(notes, "only "+s.nameOf(m.EphemeralFor)+" sees this")
	}
	if m.Hidden {
		notes = append(notes, "dismissed")
	}
	if m.Loading {
		notes = append(notes, "thinking")
	}
	if m.Failed {
		notes = append(notes, "the application did not respond")
	}
	if !m.EditedAt.IsZero() {
		notes = append(notes, "edited")
	}
	if m.PingsEveryone {
		notes = append(notes, "pings everyone")
	}
	if len(m.Pings) > 0 {
		names := make([]string, len(m.Pings))
		for i, id := range m.Pings {
			names[i] = s.nameOf(id)
		}
		notes = append(notes, "pings "+strings.Join(names, ", "))
	}
	if len(notes) > 0 {
		fmt.Fprintf(b, " (%s)", strings.Join(notes, ", "))
	}
	b.WriteString("\n")
	if n := len(m.Embeds); n > 0 {
		fmt.Fprintf(b, "  [%d embeds]\n", n)
	}
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

func (s *Server) transcribeComponents(b *strings.Builder, list []Component) {
	for _, c := range list {
		switch c.Type {
		case ActionRow:
			b.WriteString(" ")
			for _, p := range c.Components {
				b.WriteString(" [" + controlText(p) + "]")
			}
			b.WriteString("\n")
		case TextDisplay:
			b.WriteString("  " + strings.ReplaceAll(s.readable(c.Content), "\n", "\n  ") + "\n")
		case MediaGallery:
			for _, it := range c.Items {
				fmt.Fprintf(b, "  [picture: %s]\n", it.Description)
			}
		case Separator:
			b.WriteString("  ---\n")
		case Section:
			s.transcribeComponents(b, c.Components)
			if c.Accessory != nil && c.Accessory.Type == Button {
				b.WriteString("  [" + controlText(*c.Accessory) + "]\n")
			}
		case Container:
			s.transcribeComponents(b, c.Components)
		}
	}
}

// controlText writes a button or menu.
func controlText(c Component) string {
	text := buttonText(c)
	if c.Type != Button {
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

// readable replaces mentions by names.
func (s *Server) readable(text string) string {
	return userMention.ReplaceAllStringFunc(text, func(m string) string {
		return "@" + s.nameOf(userMention.FindStringSubmatch(m)[1])
	})
}
