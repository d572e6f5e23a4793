//go:build unix

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metricsql"

	"github.com/lascabot/lascabot/bot/discordsim"
)

const dashboardFile = "../../.deploy/grafana/lascabot.json"

// leftOut are the metrics that the dashboard does not show, with the reason.
var leftOut = map[string]string{}

// elsewhere are the metrics that a bot with a file of games and one shard does not have,
// with where they come from.
var elsewhere = map[string]string{}

// dashboard is what is read of Grafana's form.
type dashboard struct {
	Title, UID    string
	SchemaVersion int
	Templating    struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []panel
}

type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ X, Y, W, H int }
	Datasource               *struct{ Type, UID string }
	FieldConfig              struct{ Defaults struct{ Unit string } }
	Targets                  []struct {
		RefID, Expr, LegendFormat string
		Datasource                *struct{ Type, UID string }
	}
}

func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	data, err := os.ReadFile(dashboardFile)
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// selected is a metric in a query, and the labels by which it is asked for or grouped.
type selected struct {
	metric string
	labels []string
}

// selections parses a query. Grafana's variables are replaced as Grafana does.
func selections(query string) (list []selected, err error) {
	query = strings.NewReplacer("$instance", ".*", "$__rate_interval", "5m").Replace(query)
	parsed, err := metricsql.Parse(query)
	if err != nil {
		return nil, err
	}
	var groups []string
	metricsql.VisitAll(parsed, func(e metricsql.Expr) {
		switch e := e.(type) {
		case *metricsql.AggrFuncExpr:
			groups = append(groups, e.Modifier.Args...)
		case *metricsql.MetricExpr:
			for _, or := range e.LabelFilterss {
				s := selected{}
				for _, f := range or {
					if f.Label == "__name__" {
						s.metric = f.Value
					} else {
						s.labels = append(s.labels, f.Label)
					}
				}
				list = append(list, s)
			}
		}
	})
	for i := range list {
		list[i].labels = append(list[i].labels, groups...)
	}
	return list, nil
}

// byScraper are the labels that Prometheus adds, and scraped the metrics.
var (
	byScraper = []string{"instance", "job"}
	scraped   = []string{"up"}
)

// TestTheDashboardShowsEveryMetricThereIs holds that every query of the dashboard is about
// metrics and labels that a bot writes, and that none of ours has been forgotten.
func TestTheDashboardShowsEveryMetricThereIs(t *testing.T) {
	written := metricsOfABot(t)
	ours := metricsInTheCode(t)
	for name := range written {
		if family := familyOf(name); strings.HasPrefix(name, "lascabot_") && !ours[family] {
			t.Errorf("a bot writes %s, which no code names in one piece: tests cannot find it", name)
		}
	}
	shown := map[string]bool{}
	for _, p := range readDashboard(t).Panels {
		for _, target := range p.Targets {
			list, err := selections(target.Expr)
			if err != nil {
				t.Errorf("panel %q: %v in %s", p.Title, err, target.Expr)
			}
			for _, s := range list {
				family := familyOf(s.metric)
				shown[family] = true
				labels, ok := written[s.metric]
				switch {
				case slices.Contains(scraped, s.metric) || elsewhere[family] != "" && ours[family]:
					continue
				case !ok:
					t.Errorf("panel %q asks for %s, which no bot writes", p.Title, s.metric)
					continue
				}
				for _, l := range s.labels {
					if !labels[l] && !slices.Contains(byScraper, l) {
						t.Errorf("panel %q asks for the label %s of %s, which has none such", p.Title, l, s.metric)
					}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		switch {
		case shown[name] && leftOut[name] != "":
			t.Errorf("%s is on the dashboard, and listed as left out", name)
		case !shown[name] && leftOut[name] == "":
			t.Errorf("%s is not on the dashboard: add it, or list it as left out with the reason", name)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(written)), func(w string) bool { return familyOf(w) == name }) && elsewhere[name] == "" {
			t.Errorf("a bot that was played with does not write %s: let the test's people do what it counts, or list it as from elsewhere", name)
		}
	}
	for _, list := range []map[string]string{leftOut, elsewhere} {
		for name := range list {
			if !ours[name] {
				t.Errorf("%s is listed, and is no metric of ours any more", name)
			}
		}
	}
}

// familyOf returns the name under which a metric is made.
func familyOf(name string) string {
	for _, part := range []string{"_bucket", "_count", "_sum"} {
		if whole, ok := strings.CutSuffix(name, part); ok {
			return whole
		}
	}
	return name
}

var (
	sample = regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? \S+$`)
	label  = regexp.MustCompile(`([a-zA-Z_]+)="`)
	metric = regexp.MustCompile(`^lascabot_[a-z_]+`)
)

// metricsInTheCode returns the names of our metrics: the strings in the code that look
// like one.
func metricsInTheCode(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, root := range []string{"../../bot", "../../storage", "."} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && metric.MatchString(text) {
						found[metric.FindString(text)] = true
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 20 {
		t.Fatalf("found only %v", slices.Sorted(maps.Keys(found)))
	}
	return found
}

// metricsOfABot returns what a bot writes with which people have done everything that is
// counted, by the metrics' full names, with their labels.
func metricsOfABot(t *testing.T) map[string]map[string]bool {
	t.Helper()
	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	_, log := lascabot(t, testToken, "run", "-data", filepath.Join(shortFolder(t), "games.db"), "-discord-api-url", url, "-ops-addr", "127.0.0.1:0")
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	reply, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white")
	if err != nil {
		t.Fatal(err)
	}
	for _, square := range []string{"c3", "d4"} {
		if _, err := ann.ClickLabel(ctx, channel, reply.MessageID, square); err != nil {
			t.Fatal(err)
		}
	}
	sim.Gateway().Reconnect()
	if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return s.BotOnline() && s.Gateway().Connections() > 0 }); err != nil {
		t.Fatal(err)
	}
	if err := log.wait(ctx, "resumed=true"); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Type(ctx, channel, "/lasca hint"); err != nil { // is answered later
		t.Fatal(err)
	}
	address := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(log.String())
	if address == nil {
		t.Fatal("the log does not name the operations page")
	}
	for {
		found := scrape(ctx, t, address[1])
		if found["lascabot_later_answers_total"] != nil && found["lascabot_screens_refreshed_total"] != nil {
			return found
		}
		if ctx.Err() != nil {
			t.Fatal("neither the hint nor the machine's move has come")
		}
	}
}

func scrape(ctx context.Context, t *testing.T, address string) map[string]map[string]bool {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		m := sample.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		if found[m[1]] == nil {
			found[m[1]] = map[string]bool{}
		}
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			found[m[1]][l[1]] = true
		}
	}
	return found
}

// TestTheDashboardIsInGrafanasForm holds what Grafana would not say when it reads the file.
func TestTheDashboardIsInGrafanasForm(t *testing.T) {
	d := readDashboard(t)
	if d.Title == "" || d.UID == "" || d.SchemaVersion < 36 {
		t.Errorf("title %q, uid %q, schema %d", d.Title, d.UID, d.SchemaVersion)
	}
	variables := map[string]bool{}
	for _, v := range d.Templating.List {
		variables[v.Name] = true
	}
	if !variables["datasource"] || !variables["instance"] {
		t.Errorf("variables %v", variables)
	}
	rows, ids := map[string]bool{}, map[int]bool{}
	grid := map[[2]int]string{}
	for _, p := range d.Panels {
		if p.ID <= 0 || ids[p.ID] || p.Title == "" {
			t.Errorf("panel %q has the ID %d, not one of its own", p.Title, p.ID)
		}
		ids[p.ID] = true
		g := p.GridPos
		if g.W <= 0 || g.H <= 0 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("panel %q lies at %+v, outside of the grid", p.Title, g)
		}
		for x := g.X; x < g.X+g.W; x++ {
			for y := g.Y; y < g.Y+g.H; y++ {
				if other := grid[[2]int{x, y}]; other != "" {
					t.Fatalf("panels %q and %q lie over each other", p.Title, other)
				}
				grid[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			rows[p.Title] = true
			continue
		}
		if p.Description == "" || p.FieldConfig.Defaults.Unit == "" || len(p.Targets) == 0 {
			t.Errorf("panel %q lacks a description, a unit or a query", p.Title)
		}
		refs := map[string]bool{}
		for _, target := range p.Targets {
			if refs[target.RefID] || target.RefID == "" || target.LegendFormat == "" {
				t.Errorf("panel %q: a query has the name %q and the legend %q", p.Title, target.RefID, target.LegendFormat)
			}
			refs[target.RefID] = true
			if from := cmp.Or(target.Datasource, p.Datasource); from == nil || from.UID != "${datasource}" {
				t.Errorf("panel %q does not ask the chosen Prometheus", p.Title)
			}
			for _, used := range regexp.MustCompile(`\$\{?([a-z]\w*)`).FindAllStringSubmatch(target.Expr, -1) {
				if !variables[used[1]] {
					t.Errorf("panel %q uses $%s, which is no variable", p.Title, used[1])
				}
			}
			for _, name := range regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
				if !strings.Contains(target.Expr, name[1]) {
					t.Errorf("panel %q: the legend names %s, which the query drops: %s", p.Title, name[1], target.Expr)
				}
			}
		}
	}
	for _, want := range []string{"People", "Games", "Discord", "Store", "Thinking", "Process"} {
		if !rows[want] {
			t.Errorf("there is no row %q, only %v", want, slices.Sorted(maps.Keys(rows)))
		}
	}
}

// TestAWrongQueryIsFound: the test above would be worth nothing if it read no names.
func TestAWrongQueryIsFound(t *testing.T) {
	list, err := selections(`histogram_quantile(0.9, sum by (le, kind) (rate(a_bucket{op="x",instance=~"$instance"}[$__rate_interval]))) / max(b)`)
	if got, want := fmt.Sprint(list), "[{a_bucket [op instance le kind]} {b [le kind]}]"; err != nil || got != want {
		t.Errorf("selected %s, %v, want %s", got, err, want)
	}
	if _, err := selections("sum by (le (rate(a[5m]))"); err == nil {
		t.Error("a query with a bracket too few was taken")
	}
}
