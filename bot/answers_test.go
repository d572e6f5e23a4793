package bot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/lascabot/lascabot/bot/intent"
)

// TestEveryIntentHasOneRow reads the source of package intent, so that an intent
// cannot be forgotten.
func TestEveryIntentHasOneRow(t *testing.T) {
	inSource := map[string]bool{}
	inspect := func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if fields, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				if name, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && (name.Name == "Ref" || name.Name == "NoGame") {
					inSource[spec.Name.Name] = true
				}
			}
		}
		return false
	}
	for _, name := range []string{"intent/intent.go", "intent/setting.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, inspect)
	}
	if len(inSource) < 30 {
		t.Fatalf("found only %d intents in the source", len(inSource))
	}
	named := map[string]bool{}
	for of, row := range rows {
		named[of.Name()] = true
		if !inSource[of.Name()] {
			t.Errorf("the row of %v is for a type that is not an intent", of)
		}
		if row.is(makes) && row.is(changes) || row.is(slow) && row.is(public|makes|changes) {
			t.Errorf("the traits of %v contradict each other", of)
		}
	}
	for name := range inSource {
		if !named[name] {
			t.Errorf("intent.%s has no row in answers.go", name)
		}
	}
}

func TestLanguagesAndThemesThatDoNotExistCannotBeSet(t *testing.T) {
	for in, want := range map[intent.Set]bool{
		{Name: intent.SetLanguage, Value: "de"}: true, {Name: intent.SetLanguage, Value: "xx"}: false, {Name: intent.SetLanguage}: true,
		{Name: intent.SetServerLanguage, Value: "pt-BR"}: false, {Name: intent.SetServerLanguage, Value: "fr"}: true,
		{Name: intent.SetTheme, Value: "dark"}: true, {Name: intent.SetServerTheme, Value: "pink"}: false,
	} {
		if got := settable(in); got != want {
			t.Errorf("%+v: %v", in, got)
		}
	}
}
