package arena_test

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/arena"
	"github.com/lascabot/lascabot/engine"
)

func ExamplePlay() {
	ctx := context.Background()
	openings, err := arena.Openings(ctx, arena.OpeningOptions{Rules: engine.Kawu, Count: 5, Nodes: 1000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	level := arena.NewMachine("level 5", ai.NewSearcher(1<<20), 5, ai.Limits{})
	result, err := arena.Play(ctx, level, &arena.Chance{}, arena.Options{Openings: openings})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(result.Games), "games, level 5 wins most:", result.Wins >= 8)
	// Output: 10 games, level 5 wins most: true
}
