package discordsim_test

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// A world needs a guild, a channel and people. A bot would connect through
// sim.Transport and answer in the same channel.
func Example() {
	ctx := context.Background()
	sim := discordsim.New(discordsim.Options{})
	defer sim.Close()
	guild := sim.AddGuild("Lasca club", "en-US")
	general := sim.AddChannel(guild, "general")
	ann := sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann"})
	ben := sim.AddUser(discordsim.User{Name: "ben", DisplayName: "Ben", Locale: "de"})
	sim.Join(guild, ann)
	sim.Join(guild, ben)

	if _, err := sim.As(ann).Say(ctx, general, "a game, <@"+ben+">?"); err != nil {
		fmt.Println(err)
	}
	_, err := sim.As(ann).Type(ctx, general, "/lasca play level:4")
	fmt.Println(err)
	fmt.Print(sim.Transcript(general))
	// Output:
	// discordsim: unknown command: /lasca
	// # general
	// ann: a game, @ben? (pings ben)
}
