package bot

import "time"

// DeferAfter makes a bot defer its answers after another time than in real life.
func (b *Bot) DeferAfter(d time.Duration) { b.deferAfter = d }
