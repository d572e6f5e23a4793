package match

import (
	"time"

	"github.com/lascabot/lascabot/engine"
)

// VersionJump is by how much a version jumps where an unknown number of versions that
// people have been shown is lost: more than are lost in any game.
const VersionJump = 1000

// SetBack says that people have been shown a version of the match that is not stored any
// more, since an older state was put in its place. The match goes on from what is stored,
// at a version above all that may be on any screen. Whatever somebody asks for in it may
// have been answered since, or taken back, so it ends; and the present turn begins anew,
// since nobody knows when its side heard of it.
type SetBack struct {
	Shown uint64 // the version that somebody was shown, at most 1<<62
	// By is the side that has found out, if Here says that a player did.
	By   engine.Color
	Here bool
}

func (c SetBack) apply(m *Match, now time.Time) error {
	if m.Phase == Finished {
		return ErrFinished
	}
	m.Version = max(m.Version, c.Shown) + VersionJump
	m.Moved, m.Extra = now, 0
	m.Offer, m.Request, m.Notice = nil, nil, &Notice{Kind: ChangesLost}
	return nil
}

func (c SetBack) by() (engine.Color, bool) { return c.By, c.Here }

// lost reports whether the match says that changes were lost.
func (m *Match) lost() bool { return m.Notice != nil && m.Notice.Kind == ChangesLost }
