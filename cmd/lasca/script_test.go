package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run this program as the command lasca.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lasca": main})
}

// TestScripts runs the files of testdata, each a story of command lines.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			// The race detector lets every program linger for a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}
