package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

// complete is play.Service.Complete for as long as an answer can wait for it.
func (b *Bot) complete(ctx context.Context, r *storage.Record) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	b.service.Complete(ctx, r)
}

// tell delivers a notice where the most urgent game is played.
func (b *Bot) tell(ctx context.Context, n play.Notice) error {
	r := &n.Games[0]
	sum := sha256.Sum256(fmt.Append(nil, r.Match.ID, r.Match.Version, n.Kind, n.Step, r.Ends.Unix()))
	nonce := hex.EncodeToString(sum[:12])
	_, err := b.rest.Post(ctx, r.Place.Channel, view.Notice(i18n.For(r.Place.Locale), &n), nil, nonce)
	if errors.Is(err, discord.ErrUnavailable) || errors.Is(err, discord.ErrRateLimited) {
		return err
	}
	if err != nil { // the game's board cannot be shown there either: nobody is to blame
		b.log.WarnContext(ctx, "could not post about the time of a game", "game", r.Match.ID, "err", err)
	}
	return nil
}

func (b *Bot) myVacation(ctx context.Context, c *call, _ intent.MyVacation) answer {
	return c.private(view.Vacation(c.lang, b.service.VacationOf(ctx, c.who.ID)))
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
