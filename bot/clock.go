package bot

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// complete is play.Service.Complete for as long as an answer can wait for it.
func (b *Bot) complete(ctx context.Context, r *storage.Record) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	b.service.Complete(ctx, r)
}

// pinged is play.Service.Pinged for as long as an answer can wait for it.
func (b *Bot) pinged(ctx context.Context, r *storage.Record) []match.UserID {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return b.service.Pinged(ctx, r)
}

func (b *Bot) myVacation(ctx context.Context, c *call, _ intent.MyVacation) answer {
	v, err := b.service.VacationOf(ctx, c.who.ID)
	return b.vacationSaid(c, v, err)
}

func (b *Bot) vacation(ctx context.Context, c *call, in intent.Vacation) answer {
	v, err := b.service.TakeVacation(ctx, c.who, in.Days)
	return b.vacationSaid(c, v, err)
}

func (b *Bot) endVacation(ctx context.Context, c *call, _ intent.EndVacation) answer {
	v, err := b.service.EndVacation(ctx, c.who)
	return b.vacationSaid(c, v, err)
}

func (b *Bot) vacationSaid(c *call, v play.Vacation, err error) answer {
	if err != nil && !errors.Is(err, play.ErrOnVacation) && !errors.Is(err, play.ErrNotOnVacation) {
		return c.private(b.problem(c, err, nil))
	}
	return c.private(view.Vacation(c.lang, v)) // a second press finds what the first has done
}
