package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// How large things may be outside tests: lines of a file and of a function, and
// characters of a line with a comment.
const (
	maxFile     = 450
	maxFunction = 100
	maxComment  = 100
)

// TestFilesFunctionsAndCommentsStaySmall: whoever reads a file should not have to
// scroll for long.
func TestFilesFunctionsAndCommentsStaySmall(t *testing.T) {
	read := 0
	err := filepath.WalkDir("../..", func(file string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || len(name) > 2 && name[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() || !strings.Contains(".go.js.css", filepath.Ext(name)) || filepath.Ext(name) == "":
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		read++
		if name == "example_test.go" {
			return nil // what an example prints cannot be wrapped
		}
		tests := strings.HasSuffix(name, "_test.go")
		if n := bytes.Count(text, []byte("\n")); n > maxFile && !tests {
			t.Errorf("%s has %d lines, more than %d: file it by what a reader looks for", file, n, maxFile)
		}
		if filepath.Ext(name) == ".go" {
			checkGo(t, file, text, tests)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 300 {
		t.Fatalf("read only %d files", read)
	}
}

func checkGo(t *testing.T, file string, text []byte, tests bool) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.ParseComments)
	if err != nil {
		t.Error(err)
		return
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && !tests {
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%v: %s has %d lines, more than %d: cut it into steps", set.Position(f.Pos()), f.Name.Name, n, maxFunction)
			}
		}
	}
	lines := bytes.Split(text, []byte("\n"))
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			at := set.Position(c.Pos())
			whole := bytes.HasPrefix(bytes.TrimSpace(lines[at.Line-1]), []byte("//")) // nothing but a comment
			if n := utf8.RuneCountInString(c.Text); whole && n > maxComment && !strings.HasPrefix(c.Text, "//go:") {
				t.Errorf("%v: a comment line has %d characters, more than %d: wrap it", at, n, maxComment)
			}
		}
	}
}
