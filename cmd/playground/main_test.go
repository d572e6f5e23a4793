package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/config/cli/clitest"
)

func TestPageIsThatOfTheCommands(t *testing.T) { clitest.Page(t, &program) }

func TestWrongCallFailsWithASentence(t *testing.T) {
	var out, errs bytes.Buffer
	status := program.Run(t.Context(), cli.Call{
		Args: []string{"-addr", ":8080"}, Getenv: func(string) string { return "" }, Out: &out, Err: &errs,
	})
	if status != cli.ExitFailed || out.Len() > 0 || !strings.Contains(errs.String(), "can be reached from other machines") {
		t.Errorf("status %d, printed %q and %q", status, &out, &errs)
	}
}
