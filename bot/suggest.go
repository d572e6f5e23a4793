package bot

import (
	"context"
	"strings"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
)

// maxChoices is the most suggestions that Discord shows.
const maxChoices = 25

// suggest offers values for the option that is being typed. It never fails:
// where nothing fits, nothing is suggested.
func (b *Bot) suggest(ctx context.Context, c *call) []view.Choice {
	who := c.req.User.ID
	switch c.req.Option {
	case "game":
		list, err := b.service.Games(ctx, who)
		if err != nil {
			return nil
		}
		return view.GameChoices(c.lang, who, list, c.req.Typed)
	case "path":
		r, err := b.service.Find(ctx, who, c.req.Channel, intent.Ref{Game: c.req.Game})
		if err != nil || r.Match.Phase != match.Playing || r.Match.Seats[r.Match.Turn()].User != who {
			return nil
		}
		g := r.Match.Game()
		pos := g.Position()
		return moveChoices(&pos, c.req.Typed)
	}
	return nil
}

// moveChoices lists the legal moves that what is typed may become: those that
// begin so, whatever the separators, then those that touch its squares. What is
// typed in another of the accepted forms is understood too.
func moveChoices(pos *engine.Position, typed string) []view.Choice {
	plain := squaresOnly(typed)
	var first, others []engine.Move
	if m, err := notation.FindMove(pos, typed); err == nil {
		first = append(first, m)
	}
	for _, m := range pos.Moves() {
		switch s := squaresOnly(m.String()); {
		case len(first) > 0 && m == first[0]:
		case strings.HasPrefix(s, plain):
			first = append(first, m)
		case strings.Contains(s, plain):
			others = append(others, m)
		}
	}
	list := append(first, others...)
	choices := make([]view.Choice, 0, maxChoices)
	for _, m := range list[:min(len(list), maxChoices)] {
		choices = append(choices, view.Choice{Name: m.String(), Value: m.String()})
	}
	return choices
}

// squaresOnly drops everything but the letters and digits of squares.
func squaresOnly(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'g' || r >= '1' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}
