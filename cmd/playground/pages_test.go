package main

import (
	"testing"

	"github.com/lascabot/lascabot/config/cli/clitest"
)

func TestThePageHoldsAllSettings(t *testing.T) { clitest.Page(t, &program) }
