package match

import (
	"time"

	"github.com/lascabot/lascabot/engine"
)

// DropOffer takes one's own draw offer back. The same side may offer again after
// [DrawPause] plies, as if the offer had been declined: offering and taking back in turn
// would call the opponent each time.
type DropOffer struct{ By engine.Color }

// DropRequest takes one's own request to take back a move back. The same side may ask
// again after [UndoPause] plies.
type DropRequest struct{ By engine.Color }

func (c DropOffer) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	switch {
	case m.Offer == nil:
		return ErrNoOffer
	case m.Offer.By != c.By:
		return ErrNotAsker
	}
	m.Refused[c.By] = len(m.Moves) + 1
	m.Offer, m.Notice = nil, &Notice{DrawDropped, c.By}
	return nil
}

func (c DropRequest) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	switch {
	case m.Request == nil:
		return ErrNoRequest
	case m.Request.By != c.By:
		return ErrNotAsker
	}
	m.UndoRefused[c.By] = len(m.Moves) + 1
	m.Request, m.Notice = nil, &Notice{UndoDropped, c.By}
	return nil
}

func (c DropOffer) by() (engine.Color, bool)   { return c.By, true }
func (c DropRequest) by() (engine.Color, bool) { return c.By, true }
