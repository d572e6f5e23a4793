package discord

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestRegisteredCommandsStayAsTheyAre compares what is registered, and the keys of
// its texts, with golden files: a change of the commands has to be meant.
func TestRegisteredCommandsStayAsTheyAre(t *testing.T) {
	specs, err := json.MarshalIndent(testCommands(), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"commands.json": string(specs) + "\n",
		"keys.txt":      strings.Join(CommandKeys(), "\n") + "\n",
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got; go test -update writes it again):\n%s", name, d)
		}
	}
}
