package uci_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/lascabot/lascabot/ai/uci"
)

func ExampleRun() {
	commands := "isready\nposition startpos moves c3-b4 a5xc3\ngo depth 1\n"
	if err := uci.Run(context.Background(), strings.NewReader(commands), filtered{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// readyok
	// bestmove b2xd4
}

// filtered drops info lines, since they contain times.
type filtered struct{}

func (filtered) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), "info") {
		return len(p), nil
	}
	return os.Stdout.Write(p)
}
