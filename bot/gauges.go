package bot

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/lascabot/lascabot/storage"
)

// addGauges adds the measures that are read from the parts of the bot.
func (b *Bot) addGauges() {
	b.measures.Gauge("lascabot_gateway_connected", func() float64 {
		if b.gateway.Connected() {
			return 1
		}
		return 0
	})
	b.measures.Gauge("lascabot_screens_waiting", func() float64 { return float64(b.screens.Waiting()) })
	for phase, of := range map[string]func(*storage.Counts) int{
		"running":  func(c *storage.Counts) int { return c.Running },
		"proposed": func(c *storage.Counts) int { return c.Proposed },
		"finished": func(c *storage.Counts) int { return c.Finished },
	} {
		b.measures.Gauge(fmt.Sprintf("lascabot_games{phase=%q}", phase), func() float64 {
			if found := b.surveyed.Load(); found != nil && found.games != nil {
				return float64(of(found.games))
			}
			return math.NaN()
		})
	}
	for _, kind := range storage.Dues() {
		due := func(value func(Due) float64) func() float64 {
			return func() float64 {
				if found := b.surveyed.Load(); found != nil {
					for _, d := range found.due {
						if d.Kind == kind {
							return value(d)
						}
					}
				}
				return math.NaN()
			}
		}
		b.measures.Gauge(fmt.Sprintf("lascabot_due{kind=%q}", kind), due(func(d Due) float64 { return float64(d.Count) }))
		b.measures.Gauge(fmt.Sprintf("lascabot_due_oldest_seconds{kind=%q}", kind), due(func(d Due) float64 { return float64(d.Oldest) }))
	}
}

// WriteMetrics writes the bot's metrics and those of the process in Prometheus'
// text format. It asks the store what is due, for two seconds at most; what the store
// does not say is NaN.
func (b *Bot) WriteMetrics(w io.Writer) {
	var now *survey
	if found, err := b.survey(context.Background()); err == nil {
		now = &found
	}
	b.surveyed.Store(now)
	b.measures.Write(w)
}
