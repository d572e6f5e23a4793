package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Some tests read other packages' source to learn what people can be told: its
// errors, endings and kinds of wrong moves.

// parse reads the files of a package, without its tests.
func parse(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(names), err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// declared calls do for every group of variables or of constants that a package
// declares outside of functions.
func declared(t *testing.T, tok token.Token, dir string, do func(group []*ast.ValueSpec)) {
	t.Helper()
	for _, f := range parse(t, dir) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != tok {
				continue
			}
			var group []*ast.ValueSpec
			for _, s := range g.Specs {
				group = append(group, s.(*ast.ValueSpec))
			}
			do(group)
		}
	}
}

// texts returns the values of a package's constants of a string type.
func texts(t *testing.T, dir, typ string) (values []string) {
	t.Helper()
	declared(t, token.CONST, dir, func(group []*ast.ValueSpec) {
		for _, s := range group {
			if of, ok := s.Type.(*ast.Ident); !ok || of.Name != typ {
				continue
			}
			value, err := strconv.Unquote(s.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
	})
	if len(values) == 0 {
		t.Fatalf("%s has no constants of type %s", dir, typ)
	}
	return values
}
