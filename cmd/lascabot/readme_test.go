package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/config/cli/clitest"
)

func TestPackageCommentListsTheCommands(t *testing.T) { clitest.Doc(t, &program) }

func TestPageIsThatOfTheCommands(t *testing.T) { clitest.Page(t, &program) }

// TestReadmeSaysWhatTheCommandsSay checks the list of commands in the README, and
// the settings in it, which are those that people change.
func TestReadmeSaysWhatTheCommandsSay(t *testing.T) {
	changed := []string{
		"LASCABOT_TOKEN", "LASCABOT_TOKEN_FILE", "LASCABOT_DATA", "LASCABOT_BACKUP_DIR",
		"LASCABOT_KEEP_FINISHED", "LASCABOT_OPS_ADDR", "LASCABOT_WORKERS",
	}
	rows := slices.DeleteFunc(runCommand.Rows(), func(r cli.Row) bool { return !slices.Contains(changed, r.Variable) })
	if len(rows) != len(changed) {
		t.Fatalf("found only %v", rows)
	}
	readme := filepath.Join("..", "..", "README.md")
	clitest.Holds(t, readme, "```text\n"+program.List("")+"```\n")
	clitest.Holds(t, readme, cli.Table(rows))
}
