package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/config/cli/clitest"
)

// TestLicencesOfAllThatIsLinkedAreInTheProgram looks at what each system links.
func TestLicencesOfAllThatIsLinkedAreInTheProgram(t *testing.T) {
	seen := map[string]bool{}
	var text strings.Builder
	add := func(of string, files ...string) {
		for _, name := range files {
			notice, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "===== %s: %s =====\n\n%s\n\n", of, filepath.Base(name), strings.TrimSpace(
				strings.ReplaceAll(strings.ReplaceAll(string(notice), "\r\n", "\n"), "\f", "")))
		}
	}
	text.WriteString("lascabot has the MIT licence. The programs hold these works of others:\n\n")
	add("Go", goLicence(t))
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", "../../cmd/...")
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			module, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
			if module == "" || module == "github.com/lascabot/lascabot" || seen[module] {
				continue
			}
			seen[module] = true
			var files []string
			for _, pattern := range []string{"LICEN[CS]E*", "NOTICE*", "PATENTS*", "licenses/ftl.txt", "font/gofont/ttfs/README"} {
				found, err := filepath.Glob(filepath.Join(dir, pattern))
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, found...)
			}
			if len(files) == 0 {
				t.Errorf("%s has no licence: ask its authors, or do without it", module)
			}
			add(module, files...)
		}
	}
	if *clitest.Update {
		if err := os.WriteFile("licences.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Holds(t, "licences.txt", text.String())
}

// goLicence returns the file with the licence of Go itself, beside the go command.
func goLicence(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(out)), "LICENSE")
	if _, err := os.Stat(name); err != nil {
		t.Skipf("this installation of Go %s has no licence file, so the texts cannot be compared", runtime.Version())
	}
	return name
}
