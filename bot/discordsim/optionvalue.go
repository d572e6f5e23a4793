package discordsim

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// maxOptionText is the longest string option Discord takes, in characters.
const maxOptionText = 6000

// optionValues turns given options into wire values in the order in which they
// are registered, and names the people among them. focus is the option being
// completed: it may be partial, and required options may be missing.
func (s *Server) optionValues(u *User, ch *channel, l leaf, given map[string]any, focus string) (
	values []map[string]any, people []string, err error,
) {
	used := map[string]bool{}
	for i := range l.options {
		o := &l.options[i]
		raw, ok, err := givenValue(o, u, given, used)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			if o.Required && focus == "" {
				return nil, nil, fmt.Errorf("%w: %s is required", ErrOption, o.Name)
			}
			continue
		}
		if o.Name == focus {
			values = append(values, map[string]any{"name": o.Name, "type": o.Type, "value": optionText(raw), "focused": true})
			continue
		}
		v, err := s.optionValue(u, ch, o, raw)
		if err != nil {
			if focus != "" {
				continue // half-typed neighbours are not sent
			}
			return nil, nil, err
		}
		if o.Type == check.UserOption || o.Type == check.MentionableOption {
			people = append(people, v.(string))
		}
		values = append(values, map[string]any{"name": o.Name, "type": o.Type, "value": v})
	}
	for name := range given {
		if !used[name] {
			return nil, nil, fmt.Errorf("%w: /%s has no option %q", ErrOption, strings.Join(l.path, " "), name)
		}
	}
	return values, people, nil
}

// givenValue finds what was given for an option, by its default name or by that
// in the user's language, and marks the name as used.
func givenValue(o *check.CommandOption, u *User, given map[string]any, used map[string]bool) (raw any, ok bool, err error) {
	if raw, ok = given[o.Name]; ok {
		used[o.Name] = true
	}
	name := localized(o.Name, o.NameLocalizations, u.Locale)
	other, there := given[name]
	if name == o.Name || !there {
		return raw, ok, nil
	}
	if ok {
		return nil, false, fmt.Errorf("%w: %s is given twice", ErrOption, o.Name)
	}
	used[name] = true
	return other, true, nil
}

// optionText writes a given value the way a person would type it.
func optionText(raw any) string {
	if x, ok := raw.(float64); ok {
		return strconv.FormatFloat(x, 'f', -1, 64) // JSON gives whole numbers as float64
	}
	return fmt.Sprint(raw)
}

// badOption is an [ErrOption] about one option.
func badOption(o *check.CommandOption, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrOption, o.Name, fmt.Sprintf(format, args...))
}

// optionValue checks one value against its registered option.
func (s *Server) optionValue(u *User, ch *channel, o *check.CommandOption, raw any) (any, error) {
	text := optionText(raw)
	if len(o.Choices) > 0 {
		for _, c := range o.Choices {
			if text == fmt.Sprint(c.Value) || text == c.Name || text == localized(c.Name, c.NameLocalizations, u.Locale) {
				return c.Value, nil
			}
		}
		return nil, badOption(o, "%q is not one of the choices", text)
	}
	switch o.Type {
	case check.StringOption:
		n := utf8.RuneCountInString(text)
		if o.MinLength != nil && n < *o.MinLength || n == 0 {
			return nil, badOption(o, "too short")
		}
		if o.MaxLength != nil && n > *o.MaxLength || n > maxOptionText {
			return nil, badOption(o, "too long")
		}
		return text, nil
	case check.IntegerOption, check.NumberOption:
		return numberValue(o, text)
	case check.BooleanOption:
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, badOption(o, "must be True or False")
	case check.UserOption, check.MentionableOption:
		if p := s.findUser(text); p != nil {
			return p.ID, nil
		}
		return nil, badOption(o, "user %q does not exist", text)
	case check.ChannelOption:
		id := strings.TrimSuffix(strings.TrimPrefix(text, "<#"), ">")
		for _, c := range s.channels {
			if c.GuildID == ch.GuildID && (c.ID == id || "#"+c.Name == text) && s.permissions(c, u.ID).Has(ViewChannel) {
				return c.ID, nil
			}
		}
		return nil, badOption(o, "channel %q does not exist", text)
	}
	return nil, badOption(o, "options of type %d are not modelled", o.Type)
}

// numberValue gives an int64 or a float64, as the option wants.
func numberValue(o *check.CommandOption, text string) (any, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.Abs(x) > 1<<53 {
		return nil, badOption(o, "%q is not a number", text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if o.Type == check.IntegerOption && err != nil {
		return nil, badOption(o, "%q is not a whole number", text)
	}
	if o.MinValue != nil && x < *o.MinValue {
		return nil, badOption(o, "must be %v or more", *o.MinValue)
	}
	if o.MaxValue != nil && x > *o.MaxValue {
		return nil, badOption(o, "must be %v or less", *o.MaxValue)
	}
	if o.Type == check.IntegerOption {
		return n, nil
	}
	return x, nil
}

// findUser finds a user as people name them: ID, <@ID>, @name, name or display
// name.
func (s *Server) findUser(text string) *User {
	text = strings.TrimSpace(text)
	if m := userMention.FindStringSubmatch(text); m != nil && m[0] == text {
		text = m[1]
	}
	if u := s.users[text]; u != nil {
		return u
	}
	name := strings.TrimPrefix(text, "@")
	for _, id := range s.userOrder {
		if s.users[id].Name == strings.ToLower(name) {
			return s.users[id]
		}
	}
	for _, id := range s.userOrder {
		if strings.EqualFold(s.users[id].DisplayName, name) {
			return s.users[id]
		}
	}
	return nil
}
