// Package clitest checks that what the repository says about a program is what
// the program itself says.
package clitest

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/config/cli"
)

// Update is the flag -update of tests: write what the program says into the
// repository instead of comparing.
var Update = flag.Bool("update", false, "write the generated files instead of checking them")

// Doc checks that the package comment in the current folder, which go doc shows,
// holds the program's list of commands.
func Doc(t *testing.T, p *cli.Program) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		doc.WriteString(file.Doc.Text())
	}
	if want := p.List("\t"); !strings.Contains(doc.String(), want) {
		t.Errorf("the package comment lacks this list:\n%s", want)
	}
}

// Page checks that README.md in the current folder is the program's page, or
// writes it when the tests run with -update.
func Page(t *testing.T, p *cli.Program) {
	t.Helper()
	const name = "README.md"
	want := "<!-- Made from the commands themselves: go test . -run Page -update -->\n\n" + p.Page()
	if *Update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	Holds(t, name, want)
}

// Holds checks that a text file of the repository holds a text.
func Holds(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.ReplaceAll(string(got), "\r\n", "\n"), want) {
		t.Errorf("%s lacks this, or holds an old version:\n%s", name, want)
	}
}
