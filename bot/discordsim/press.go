package discordsim

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Click presses a button by its custom ID.
func (a *Actor) Click(ctx context.Context, channelID, messageID, customID string) (*Reply, error) {
	return a.click(ctx, channelID, messageID, func(c *check.Component) bool { return c.CustomID == customID }, customID)
}

// ClickLabel presses a button by what is written on it: its label or, where
// that is empty, its emoji.
func (a *Actor) ClickLabel(ctx context.Context, channelID, messageID, label string) (*Reply, error) {
	return a.click(ctx, channelID, messageID, func(c *check.Component) bool { return buttonText(*c) == label || c.Label == label }, label)
}

func (a *Actor) click(ctx context.Context, channelID, messageID string, want func(*check.Component) bool, what string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m, c, err := a.component(ch, messageID, func(c *check.Component) bool {
			return c.Type == check.Button && c.CustomID != "" && want(c)
		}, "button "+strconv.Quote(what))
		if err != nil {
			return nil, err
		}
		return a.press(u, ch, m, map[string]any{"custom_id": c.CustomID, "component_type": check.Button, "id": c.ID}), nil
	})
}

// ClickStale presses a button that the message no longer has, like somebody
// whose client has not shown the newest edit yet. Discord lets such a press
// through. The message itself must still exist.
func (a *Actor) ClickStale(ctx context.Context, channelID, messageID, customID string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m, err := a.visible(ch, messageID)
		if err != nil {
			return nil, err
		}
		return a.press(u, ch, m, map[string]any{"custom_id": customID, "component_type": check.Button, "id": 1}), nil
	})
}

// Select chooses values of a select menu by its custom ID; for a menu of users or
// channels the values are IDs. Menus of roles are not modelled.
func (a *Actor) Select(ctx context.Context, channelID, messageID, customID string, values ...string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m, c, err := a.component(ch, messageID, func(c *check.Component) bool {
			return slices.Contains(usableMenus, c.Type) && c.CustomID == customID
		}, "menu "+strconv.Quote(customID))
		if err != nil {
			return nil, err
		}
		low, high := c.Count()
		if len(values) < low || len(values) > high {
			return nil, fmt.Errorf("%w: choose %d to %d", ErrBadSelection, low, high)
		}
		if err := a.offered(ch, c, values); err != nil {
			return nil, err
		}
		data := map[string]any{"custom_id": c.CustomID, "component_type": c.Type, "id": c.ID, "values": append([]string{}, values...)}
		if resolved := a.s.resolve(ch, a.id, c.Type, values); resolved != nil {
			data["resolved"] = resolved
		}
		return a.press(u, ch, m, data), nil
	})
}

// usableMenus are the menus that people can use here.
var usableMenus = []int{check.StringSelect, check.UserSelect, check.ChannelSelect}

// offered checks that a component offers the values chosen, each once. The caller holds
// s.mu.
func (a *Actor) offered(ch *channel, c *check.Component, values []string) error {
	for i, v := range values {
		var ok bool
		switch c.Type {
		case check.UserSelect:
			ok = a.s.users[v] != nil
		case check.ChannelSelect:
			other := a.s.channels[v]
			ok = other != nil && ch.GuildID != "" && other.GuildID == ch.GuildID && a.s.permissions(other, a.id).Has(ViewChannel) &&
				(len(c.ChannelTypes) == 0 || slices.Contains(c.ChannelTypes, int(other.Type)))
		default:
			ok = slices.ContainsFunc(c.Options, func(o check.SelectOption) bool { return o.Value == v })
		}
		if !ok || slices.Contains(values[:i], v) {
			return fmt.Errorf("%w: %q is not offered or chosen twice", ErrBadSelection, v)
		}
	}
	return nil
}

// resolve describes the people or channels chosen in a menu; nil if the menu is of
// something else. The caller holds s.mu.
func (s *Server) resolve(ch *channel, viewer string, typ int, ids []string) map[string]any {
	switch typ {
	case check.UserSelect:
		return s.resolvedUsers(ch, ids)
	case check.ChannelSelect:
		channels := map[string]any{}
		for _, id := range ids {
			partial := s.channelJSON(s.channels[id])
			partial["permissions"] = strconv.FormatUint(uint64(s.permissions(s.channels[id], viewer)), 10)
			channels[id] = partial
		}
		return map[string]any{"channels": channels}
	}
	return nil
}

// press starts the interaction of a component of m.
func (a *Actor) press(u *User, ch *channel, m *message, data map[string]any) *interaction {
	in := &interaction{kind: kindComponent, userID: u.ID, messageID: m.ID, owners: a.s.componentOwners(ch, m)}
	return a.s.begin(in, ch, data, m)
}

// visible finds a message that the person sees. The caller holds s.mu.
func (a *Actor) visible(ch *channel, messageID string) (*message, error) {
	m := ch.find(messageID)
	if m == nil || !m.visibleTo(a.id) {
		return nil, fmt.Errorf("%w: %q", ErrUnknownMessage, messageID)
	}
	return m, nil
}

// component finds a usable component of a message. The caller holds s.mu.
func (a *Actor) component(ch *channel, messageID string, want func(*check.Component) bool, what string) (*message, *check.Component, error) {
	m, err := a.visible(ch, messageID)
	if err != nil {
		return nil, nil, err
	}
	var found *check.Component
	check.Walk(m.Components, func(c *check.Component) {
		if want(c) && (found == nil || found.Disabled) {
			found = c
		}
	})
	if found == nil {
		return nil, nil, fmt.Errorf("%w: %s", ErrNoComponent, what)
	}
	if found.Disabled {
		return nil, nil, fmt.Errorf("%w: %s", ErrDisabled, what)
	}
	return m, found, nil
}
