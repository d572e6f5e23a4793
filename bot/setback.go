package bot

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
)

// setBack answers a press on a message that shows more of a game than is stored, since the
// store was put back to an older state. A board becomes one of what there is now, which
// says so to everybody; where the message is no board, the person is told, and the board
// follows.
func (b *Bot) setBack(ctx context.Context, c *call, row row) (a answer, ahead bool) {
	ref := c.in.About()
	if c.req.Kind != discord.Button || ref.Game == "" || ref.Version == 0 {
		return answer{}, false
	}
	r, err := b.service.SetBack(ctx, c.who, ref)
	if !errors.Is(err, play.ErrAhead) {
		return answer{}, false // what else is wrong, the handler says
	}
	b.screens.Refresh(ref.Game)
	_, seatless := r.Match.SeatOf(c.who.ID)
	_, claims := c.in.(intent.Claim) // also below messages that are about several games
	switch c.in.(type) {
	case intent.Board, intent.OwnBoard, intent.Next, intent.Watch:
		return answer{}, false // they show what there is now
	}
	switch {
	case r.Match.Phase == match.Finished || row.is(slow) || claims:
	case c.onCopy() && seatless == nil:
		return b.copied(ctx, c, &r, nil), true
	case !c.req.MessagePrivate && at(c, &r):
		c.stale, c.in = true, intent.Board{Ref: intent.Ref{Game: ref.Game}}
		return b.answerHeld(ctx, c, rowOf(c.in)), true
	}
	return c.private(b.problem(c, err, &r)).of(&r), true
}
