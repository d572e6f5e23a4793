package discordsim

import (
	"context"
	"fmt"
)

// ClickStale presses a button that the message carries no more, as somebody does
// whose client has not shown the newest edit yet. Discord lets such a press
// through. The message itself must still exist.
func (a *Actor) ClickStale(ctx context.Context, channelID, messageID, customID string) (*Reply, error) {
	return a.start(ctx, channelID, func(u *User, ch *channel) (*interaction, error) {
		m := ch.find(messageID)
		if m == nil || !m.visibleTo(a.id) {
			return nil, fmt.Errorf("%w: %q", ErrUnknownMessage, messageID)
		}
		data := map[string]any{"custom_id": customID, "component_type": Button, "id": 1}
		return a.s.begin(&interaction{kind: kindComponent, userID: u.ID, messageID: m.ID}, ch, data, m), nil
	})
}

// DeleteMessage removes a message, as a moderator does. It does nothing when
// there is none.
func (s *Server) DeleteMessage(channelID, messageID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channelID]
	if ch == nil {
		return
	}
	if m := ch.find(messageID); m != nil {
		s.remove(ch, m)
	}
}
