package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/lascabot/lascabot"

// arrows are the packages of this module that a package imports, by their path in
// the module. Its tests may import those in tests too.
type arrows struct{ code, tests string }

// packages is the plan of the whole program: a package imports no other package
// of this module than its row names. Everything ends in engine; nothing knows cmd,
// and only packages below bot know bot.
var packages = map[string]arrows{
	"engine":            {"", "engine/enginetest engine/notation"},
	"engine/testdata":   {"", ""},
	"engine/enginetest": {"engine engine/testdata", ""}, // for tests
	"engine/notation":   {"engine", "engine/enginetest"},
	"engine/match":      {"engine engine/notation", "engine/enginetest"},
	"engine/rating":     {"engine", ""},

	"ai/eval":  {"engine", "engine/enginetest"},
	"ai":       {"ai/eval engine", "engine/enginetest"},
	"ai/uci":   {"ai engine engine/notation", ""},
	"ai/arena": {"ai engine engine/notation", "ai/uci"},
	"ai/tune":  {"ai ai/eval engine", ""},

	"render":             {"engine", ""},
	"config":             {"config/cli", ""},
	"config/cli":         {"", "config/cli/clitest"},
	"config/cli/clitest": {"config/cli", ""}, // for tests

	"storage":             {"engine engine/match", ""},
	"storage/memstore":    {"engine engine/match storage", "storage/storagetest"},
	"storage/boltstore":   {"engine engine/match storage", "storage/storagetest"},
	"storage/gametext":    {"engine engine/match engine/notation storage", "engine/enginetest storage/storagetest"},
	"storage/storagetest": {"engine engine/match storage", ""}, // for tests

	"bot/i18n":       {"", "bot/discord bot/view engine"},
	"bot/intent":     {"engine engine/match", ""},
	"bot/turns":      {"ai", ""},
	"bot/pace":       {"engine/match", ""},
	"bot/fleet":      {"storage", "storage/memstore"},
	"bot/play":       {"ai bot/intent bot/pace bot/turns engine engine/match engine/notation engine/rating storage storage/gametext", "storage/memstore"},
	"bot/view":       {"ai bot/i18n bot/intent bot/play engine engine/match engine/notation engine/rating render storage", "engine/enginetest"},
	"bot/discord":    {"bot/intent bot/view engine engine/match render", "bot/discordsim"},
	"bot/metrics":    {"bot/discord engine engine/match storage", ""},
	"bot/screen":     {"bot/discord bot/i18n bot/view engine/match storage", "engine"},
	"bot":            {"ai bot/discord bot/fleet bot/i18n bot/intent bot/metrics bot/pace bot/play bot/screen bot/turns bot/view engine engine/match render storage", "bot/discordsim bot/discordsim/check bot/internal/openapicheck engine/rating storage/boltstore storage/gametext storage/memstore"},
	"bot/discordsim": {"bot/discordsim/check", "bot/internal/openapicheck"}, // what it checks must not be what checks it

	"bot/discordsim/check":             {"", ""}, // as above
	"bot/discordsim/webui":             {"bot/discordsim bot/discordsim/check", "bot/discordsim/webui/browsertest"},
	"bot/discordsim/webui/browsertest": {"", ""}, // for tests
	"bot/internal/openapicheck":        {"", ""}, // for tests

	"cmd/lasca":      {"ai ai/arena ai/eval ai/tune ai/uci config/cli engine engine/notation render", "config/cli/clitest"},
	"cmd/lascabot":   {"bot config config/cli engine/match storage storage/boltstore storage/gametext", "bot/discordsim config/cli/clitest engine storage/storagetest"},
	"cmd/playground": {"bot bot/discordsim bot/discordsim/webui config config/cli storage storage/boltstore storage/memstore", "bot/discordsim/webui/browsertest config/cli/clitest"},
}

// forTests may only be imported by tests and by each other.
const forTests = "config/cli/clitest engine/enginetest storage/storagetest bot/discordsim/webui/browsertest bot/internal/openapicheck"

// libraries are other people's modules and the packages that may use them, in code
// and in tests; "all" is every package. A library that is not listed may not be
// used.
var libraries = map[string]arrows{
	"github.com/bwmarrin/discordgo":            {"bot/discord", "bot/discordsim"},
	"github.com/fogleman/gg":                   {"render", ""},
	"github.com/VictoriaMetrics/metrics":       {"bot/metrics", ""},
	"go.etcd.io/bbolt":                         {"storage/boltstore", ""},
	"github.com/gorilla/websocket":             {"bot/discord bot/discordsim", "bot/discordsim/webui"},
	"github.com/nicksnyder/go-i18n":            {"bot/i18n", ""},
	"golang.org/x/image":                       {"render", ""},
	"golang.org/x/sys":                         {"ai ai/eval", ""},
	"golang.org/x/text":                        {"bot/i18n bot/internal/openapicheck", ""},
	"golang.org/x/time":                        {"bot/discord bot/pace", ""},
	"github.com/chromedp":                      {"bot/discordsim/webui/browsertest", "bot/discordsim/webui cmd/playground"},
	"github.com/google/go-cmp":                 {"storage/storagetest", "all"},
	"pgregory.net/rapid":                       {"engine/enginetest", "all"},
	"github.com/rogpeppe/go-internal":          {"", "cmd/lasca"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"bot/internal/openapicheck", "bot/discord"},
}

// imported is what the files of the module import: the importing file by package
// and import path. It has an entry even for packages that import nothing.
type imported struct{ code, tests map[string]map[string]string }

// readImports reads the import clauses of every Go file of the module, whatever
// its build constraints. It does not run the go command: test results are cached,
// and the cache does not notice files that a child process reads.
func readImports(root string) (imported, error) {
	all := imported{map[string]map[string]string{}, map[string]map[string]string{}}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process has just removed its file
		}
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != root && (name[0] == '.' || name[0] == '_' || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || name[0] == '.' || name[0] == '_' {
			return nil
		}
		inside, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(inside))
		if all.code[pkg] == nil {
			all.code[pkg], all.tests[pkg] = map[string]string{}, map[string]string{}
		}
		into := all.code[pkg]
		if strings.HasSuffix(name, "_test.go") {
			into = all.tests[pkg]
		}
		for _, i := range parsed.Imports {
			target, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", inside, err)
			}
			into[target] = inside
		}
		return nil
	})
	return all, err
}

// checkImports compares what is imported with the tables.
func checkImports(all imported, packages, libraries map[string]arrows) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	usedArrows := map[string]bool{}    // "package→package", with " in tests" where it is
	usedLibraries := map[string]bool{} // the same with libraries

	check := func(pkg, target, file string, test bool) {
		where := ""
		if test {
			where = " in tests"
		}
		row := packages[pkg]
		if own, ours := strings.CutPrefix(target, module); ours && (own == "" || own[0] == '/') {
			own = strings.TrimPrefix(own, "/")
			switch {
			case test && own == pkg: // the package's own outside test
			case has(row.code, own):
				if !test {
					usedArrows[pkg+"→"+own] = true
				}
			case test && has(row.tests, own):
				usedArrows[pkg+"→"+own+where] = true
			default:
				fault("%s: %s must not import %s%s; it may import: %s", file, pkg, own, where, strings.TrimSpace(row.code+" "+row.tests))
			}
			return
		}
		if first, _, _ := strings.Cut(target, "/"); !strings.Contains(first, ".") {
			return // standard library
		}
		library := ""
		for name := range libraries {
			if (target == name || strings.HasPrefix(target, name+"/")) && len(name) > len(library) {
				library = name
			}
		}
		users := libraries[library]
		switch {
		case library == "":
			fault("%s: the library %s is not in the table; add it and say who may use it", file, target)
		case has(users.code, pkg):
			if !test {
				usedLibraries[library+"→"+pkg] = true
			}
		case test && has(users.tests, "all"):
			usedLibraries[library+"→all in tests"] = true
		case test && has(users.tests, pkg):
			usedLibraries[library+"→"+pkg+where] = true
		default:
			fault("%s: %s must not use %s%s; only these may: %s", file, pkg, library, where, strings.TrimSpace(users.code+" "+users.tests))
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(all.code)) {
		if _, ok := packages[pkg]; !ok {
			fault("package %s is not in the table; add it and say what it may import", pkg)
			continue
		}
		for _, target := range slices.Sorted(maps.Keys(all.code[pkg])) {
			check(pkg, target, all.code[pkg][target], false)
		}
		for _, target := range slices.Sorted(maps.Keys(all.tests[pkg])) {
			check(pkg, target, all.tests[pkg][target], true)
		}
	}

	// What the tables allow but nothing needs must go, so that they show what is.
	stale := func(kind string, table map[string]arrows, used map[string]bool) {
		for _, from := range slices.Sorted(maps.Keys(table)) {
			for _, to := range strings.Fields(table[from].code) {
				if !used[from+"→"+to] {
					fault("the %s table still has %s → %s, which nothing needs", kind, from, to)
				}
			}
			for _, to := range strings.Fields(table[from].tests) {
				if !used[from+"→"+to+" in tests"] {
					fault("the %s table still has %s → %s in tests, which nothing needs", kind, from, to)
				}
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		if all.code[pkg] == nil {
			fault("package %s is in the table but not there any more", pkg)
		}
	}
	stale("package", packages, usedArrows)
	stale("library", libraries, usedLibraries)
	return faults
}

func has(list, item string) bool { return slices.Contains(strings.Fields(list), item) }

func TestImportsKeepToTheTable(t *testing.T) {
	all, err := readImports(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range checkImports(all, packages, libraries) {
		t.Error(fault)
	}
}

// TestTableKeepsTheLayers checks the table itself: changed rows must keep to
// these.
func TestTableKeepsTheLayers(t *testing.T) {
	for pkg, row := range packages {
		for _, target := range strings.Fields(row.code) {
			switch {
			case strings.HasPrefix(target, "cmd/"):
				t.Errorf("%s must not import a command, %s", pkg, target)
			case has(forTests, target) && !has(forTests, pkg):
				t.Errorf("%s must not import %s, which is for tests, outside of its tests", pkg, target)
			case strings.HasPrefix(target+"/", "bot/") && !strings.HasPrefix(pkg+"/", "bot/") && !strings.HasPrefix(pkg, "cmd/"):
				t.Errorf("%s must not know the bot, %s", pkg, target)
			case strings.HasPrefix(target, "bot/discordsim") && !strings.HasPrefix(pkg, "bot/discordsim") && pkg != "cmd/playground":
				t.Errorf("%s must not know the simulator, %s", pkg, target)
			}
		}
	}
	for library, want := range map[string]string{
		"github.com/bwmarrin/discordgo": "bot/discord",
		"github.com/fogleman/gg":        "render",
		"go.etcd.io/bbolt":              "storage/boltstore",
	} {
		if got := libraries[library].code; got != want {
			t.Errorf("%s is for %s only, the table says %s", library, want, got)
		}
	}
}

// TestCheckImportsFindsEveryKindOfFault checks that the check finds what it
// should.
func TestCheckImportsFindsEveryKindOfFault(t *testing.T) {
	packages := map[string]arrows{"a": {"", "c"}, "b": {"a", ""}, "c": {"", ""}, "gone": {"", ""}}
	libraries := map[string]arrows{"example.org/lib": {"b", "c"}}
	all := imported{
		code: map[string]map[string]string{
			"a": {"fmt": "a/a.go", "example.org/lib/v2": "a/a.go", module + "/b": "a/a.go"},
			"b": {}, "c": {"example.org/library": "c/c.go"}, "d": {module + "/a": "d/d.go"},
		},
		tests: map[string]map[string]string{"a": {module + "/a": "a/a_test.go", module + "/c": "a/a_test.go"}, "b": {}, "c": {}, "d": {}},
	}
	want := []string{
		"a/a.go: a must not use example.org/lib; only these may: b c",
		"a/a.go: a must not import b; it may import: c",
		"c/c.go: the library example.org/library is not in the table; add it and say who may use it",
		"package d is not in the table; add it and say what it may import",
		"package gone is in the table but not there any more",
		"the package table still has b → a, which nothing needs",
		"the library table still has example.org/lib → b, which nothing needs",
		"the library table still has example.org/lib → c in tests, which nothing needs",
	}
	if got := checkImports(all, packages, libraries); !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBotDoesNotLinkTheSimulator: a program with a token must not be able to
// serve a fake Discord. Run it with -count=1, since the cache of test results
// does not see what the go command reads.
func TestBotDoesNotLinkTheSimulator(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v: %s", err, exit.Stderr)
		}
		t.Skip("there is no go command here:", err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, module+"/bot") {
		t.Fatalf("go list names %d packages without bot", len(linked))
	}
	for _, pkg := range linked {
		if strings.HasPrefix(pkg, module+"/bot/discordsim") || strings.HasPrefix(pkg, "github.com/chromedp/") {
			t.Errorf("cmd/lascabot links %s", pkg)
		}
		if own := strings.TrimPrefix(pkg, module+"/"); own != pkg && has(forTests, own) {
			t.Errorf("cmd/lascabot links %s, which is for tests", pkg)
		}
	}
}
