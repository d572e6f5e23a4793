package cli

import (
	"context"
	_ "embed"
	"fmt"
)

// licences holds the notices of everything that is linked into the programs,
// which whoever passes a program on has to pass on with it. A test makes the file.
//
//go:embed licences.txt
var licences string

var licencesCommand = Command{
	Name: "licences", Short: "prints the licences of the libraries in this program",
	Setup: func(*Flags) Action {
		return func(_ context.Context, c *Call) error {
			_, err := fmt.Fprint(c.Out, licences)
			return err
		}
	},
}
