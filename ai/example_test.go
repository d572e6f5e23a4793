package ai_test

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
)

func ExampleSearcher_Search() {
	g := engine.NewGame(engine.Start(engine.Kawu))
	first, _ := engine.ParseMove("c3-b4")
	if err := g.Play(first); err != nil {
		fmt.Println(err)
		return
	}
	task := ai.TaskFor(g)
	task.Limits.Nodes = 1000
	report, err := ai.NewSearcher(1<<20).Search(context.Background(), task)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Best) // capturing is compulsory
	// Output: a5xc3
}

func ExampleTallyOf() {
	var line []engine.Move
	for _, text := range []string{"c3-b4", "a5xc3", "b2xd4"} {
		m, _ := engine.ParseMove(text)
		line = append(line, m)
	}
	t := ai.TallyOf(engine.Start(engine.Kawu), line)
	fmt.Printf("taken %d, lost %d, columns freed %d\n", t.Taken, t.Lost, t.Freed)
	// Output: taken 1, lost 1, columns freed 1
}
