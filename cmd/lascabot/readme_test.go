package main

import (
	"testing"

	"github.com/lascabot/lascabot/config/cli/clitest"
)

func TestPackageCommentListsTheCommands(t *testing.T) { clitest.Doc(t, &program) }

func TestPageIsThatOfTheCommands(t *testing.T) { clitest.Page(t, &program) }
