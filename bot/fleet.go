package bot

import (
	"context"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/fleet"
	"github.com/lascabot/lascabot/bot/play"
)

// enlist makes the bot share the shards, and what is due in their servers, with the other
// processes on the store.
func (b *Bot) enlist(playing *play.Options, gateway *discord.GatewaySettings) {
	b.fleet = fleet.New(fleet.Options{Store: b.opt.Fleet, Version: b.opt.Version, Log: b.log})
	shard := func(guild string) int { return discord.ShardOf(guild, b.fleet.Count()) }
	playing.Mine = func(guild string) bool { return b.fleet.Sure(shard(guild)) }
	playing.Settling = func(guild string) bool { return b.fleet.Settling(shard(guild)) }
	gateway.Reserve, gateway.Claim = b.fleet.Reserve, b.fleet.Claim
	gateway.Serve = func(ctx context.Context, count int, fixed bool, run func(context.Context, int, int) error) error {
		return b.fleet.Serve(ctx, count, fixed, run)
	}
}

// Processes returns the processes that share the shards, by ID, and which of them this
// one is; none where it is alone. The error is the store's.
func (b *Bot) Processes(ctx context.Context) (list []fleet.Process, self string, err error) {
	if b.fleet == nil {
		return nil, "", nil
	}
	list, err = b.fleet.Processes(ctx)
	return list, b.fleet.ID(), err
}
