package main

import (
	"testing"

	"github.com/lascabot/lascabot/config/cli/clitest"
)

func TestTheListOfCommandsIsInThePackageComment(t *testing.T) { clitest.Doc(t, &program) }

func TestThePageHoldsAllCommandsAndSettings(t *testing.T) { clitest.Page(t, &program) }
