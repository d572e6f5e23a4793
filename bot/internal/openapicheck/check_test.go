package openapicheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type check struct {
	name, method, path, body string
	want                     error
	says                     string // what the error must say, separated by "|"
}

func run(t *testing.T, c *Checker, checks []check) {
	for _, k := range checks {
		t.Run(k.name, func(t *testing.T) {
			err := c.Check(k.method, k.path, []byte(k.body))
			if !errors.Is(err, k.want) {
				t.Fatalf("error %v, want %v", err, k.want)
			}
			for says := range strings.SplitSeq(k.says, "|") {
				if err != nil && !strings.Contains(err.Error(), says) {
					t.Errorf("error %v, want it to say %q", err, says)
				}
			}
		})
	}
}

func TestSmallDocument(t *testing.T) {
	c, err := Load(filepath.Join("testdata", "small.json"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, c, []check{
		{"good", "PATCH", "/things/7", `{"name":"a","link":"https://example.org/","part":{"type":1,"spokes":16}}`, nil, ""},
		{"good under a version", "PATCH", "/api/v10/things/7?wait=true", `{"name":"a","part":null}`, nil, ""},
		{"good without a version", "PATCH", "/api/things/7", `{"name":"a"}`, nil, ""},
		{"good without a body", "GET", "/things/7", ``, nil, ""},
		{"optional body", "PATCH", "/things/@me", ``, nil, ""},
		{"fixed words before parameters", "PATCH", "/things/@me", `[{"name":"a"}]`, nil, ""},
		{"form", "POST", "/forms/1", `{"title":"x"}`, nil, ""},

		{"unknown path", "PATCH", "/thing/7", `{}`, ErrRoute, "PATCH /thing/7"},
		{"unknown method", "DELETE", "/things/7", ``, ErrRoute, "DELETE /things/7"},
		{"empty parameter", "GET", "/things/", ``, ErrRoute, ""},
		{"body where none belongs", "GET", "/things/7", `{}`, ErrBody, "GET /things/{thing_id} takes no body"},
		{"body missing", "PATCH", "/things/7", ``, ErrBody, "needs a body"},
		{"not JSON", "PATCH", "/things/7", `{"name"`, ErrBody, "PATCH /things/{thing_id}"},
		{"two values", "PATCH", "/things/7", `{"name":"a"}{}`, ErrBody, ""},
		{"field missing", "PATCH", "/things/7", `{}`, ErrBody, "'name'"},
		{"field unknown", "PATCH", "/things/7", `{"name":"a","nane":"b"}`, ErrBody, "'nane'"},
		{"text too long", "PATCH", "/things/7", `{"name":"123456789"}`, ErrBody, "/name: "},
		{"wrong type", "PATCH", "/things/7", `{"name":3}`, ErrBody, "/name: "},
		{"wrong format", "PATCH", "/things/7", `{"name":"a","link":"not a link"}`, ErrBody, "/link: "},
		{"too many items", "PATCH", "/things/@me", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, ErrBody, "/: "},
		{"form's field missing", "POST", "/forms/1", `{}`, ErrBody, "'title'"},
		{"deep in a union", "PATCH", "/things/7", `{"name":"a","part":{"type":2,"parts":[{"name":"b"},{"name":""}]}}`, ErrBody, "/part/parts/1/name: "},
	})
	t.Run("an error in a union names only the alternative that was meant", func(t *testing.T) {
		err := c.Check("PATCH", "/things/7", []byte(`{"name":"a","part":{"type":1,"spokes":17}}`))
		if text := fmt.Sprint(err); !strings.Contains(text, "/part/spokes: ") || strings.Count(text, "/part") != 1 {
			t.Errorf("error %v, want /part/spokes alone", err)
		}
	})
	t.Run("an error in a union names every alternative when the type is unknown", func(t *testing.T) {
		err := c.Check("PATCH", "/things/7", []byte(`{"name":"a","part":{"type":3}}`))
		if text := fmt.Sprint(err); !strings.Contains(text, "/part/type: ") {
			t.Errorf("error %v, want /part/type", err)
		}
	})
}

func TestAnswersAreHeldAgainstTheirStatus(t *testing.T) {
	c, err := Load(filepath.Join("testdata", "small.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"good":               {200, `{"name":"a"}`, nil},
		"without a body":     {204, ``, nil},
		"unknown field":      {200, `{"name":"a","nane":"b"}`, ErrBody},
		"missing field":      {200, `{}`, ErrBody},
		"another status":     {201, `{"name":"a"}`, ErrBody},
		"body of an empty":   {204, `{}`, ErrBody},
		"no body of another": {200, ``, ErrBody},
	} {
		if err := c.CheckAnswer("GET", "/api/v10/things/7", k.status, []byte(k.body)); !errors.Is(err, k.want) {
			t.Errorf("%s: %v, want %v", name, err, k.want)
		}
	}
}

func TestLoadRefusesOtherFiles(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "nowhere.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: error %v", err)
	}
	for name, text := range map[string]string{
		"not JSON": "{", "another thing": `{"a":1}`, "not an object": `[]`, "old": `{"openapi":"3.0.1","paths":{"/a":{"get":{}}}}`, "no paths": `{"openapi":"3.1.0"}`,
	} {
		path := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrDocument) {
			t.Errorf("%s: error %v, want ErrDocument", name, err)
		}
	}
}

func TestDiscordsDocument(t *testing.T) {
	c := Open(t)
	const (
		messages = "/api/v10/channels/111111111111111111/messages"
		callback = "/api/v10/interactions/111111111111111111/aW50ZXJhY3Rpb246token/callback"
		commands = "/api/v10/applications/111111111111111111/commands"
		button   = `{"type":2,"style":1,"label":"c3","custom_id":"a"}`
	)
	row := func(buttons ...string) string {
		return `{"type":1,"components":[` + strings.Join(buttons, ",") + `]}`
	}
	run(t, c, []check{
		{"message", "POST", messages, `{"content":"hello","components":[` + row(button) + `],"allowed_mentions":{"parse":[],"users":["111111111111111111"]},"attachments":[{"id":"0","filename":"board.png","description":"x"}]}`, nil, ""},
		{"edit", "PATCH", messages + "/222222222222222222", `{"content":"hello","components":[]}`, nil, ""},
		{"answer", "POST", callback, `{"type":4,"data":{"content":"hello","flags":64}}`, nil, ""},
		{"update", "POST", callback, `{"type":7,"data":{"content":"hello"}}`, nil, ""},
		{"choices", "POST", callback, `{"type":8,"data":{"choices":[{"name":"c3-d4","value":"c3-d4"}]}}`, nil, ""},
		{"deferred edit", "PATCH", "/webhooks/111111111111111111/token/messages/@original", `{"content":"hello"}`, nil, ""},
		{"follow-up", "POST", "/webhooks/111111111111111111/token?wait=true", `{"content":"hello","flags":64}`, nil, ""},
		{"commands", "PUT", commands, `[{"name":"lasca","description":"Lasca","type":1,"options":[{"type":1,"name":"play","description":"Play"}]}]`, nil, ""},
		{"deletion", "DELETE", messages + "/222222222222222222", ``, nil, ""},
		{"gateway", "GET", "/api/v10/gateway/bot", ``, nil, ""},

		{"unknown kind of answer", "POST", callback, `{"type":99}`, ErrBody, "/type"},
		{"unknown style", "POST", messages, `{"components":[` + row(`{"type":2,"style":77,"custom_id":"a"}`) + `]}`, ErrBody, "/components/0/components/0/style"},
		{"unknown component", "POST", messages, `{"components":[{"type":1,"components":[{"type":99}]}]}`, ErrBody, "/components/0/components/0/type"},
		{"six buttons in a row", "POST", messages, `{"components":[` + row(button, button, button, button, button, button) + `]}`, ErrBody, "/components/0/components: "},
		{"empty row", "POST", messages, `{"components":[` + row() + `]}`, ErrBody, "/components/0/components: "},
		{"too many components", "POST", messages, `{"components":[` + strings.TrimSuffix(strings.Repeat(row(button)+",", 41), ",") + `]}`, ErrBody, "/components: "},
		{"custom ID too long", "POST", messages, `{"components":[` + row(`{"type":2,"style":1,"custom_id":"`+strings.Repeat("x", 101)+`"}`) + `]}`, ErrBody, "/components/0/components/0/custom_id"},
		{"command without a name", "PUT", commands, `[{"description":"Lasca"}]`, ErrBody, "'name'"},
		{"option without a name", "PUT", commands, `[{"name":"lasca","description":"Lasca","options":[{"type":3,"description":"x"}]}]`, ErrBody, "/0/options/0: |'name'"},
		{"misspelt field", "POST", messages, `{"contents":"hello"}`, ErrBody, "'contents'"},
		{"misspelt field of a button", "POST", messages, `{"components":[` + row(`{"type":2,"style":1,"customId":"a"}`) + `]}`, ErrBody, "'customId'"},
		{"unknown route", "POST", "/api/v10/channels/1/massages", `{}`, ErrRoute, ""},
	})
}
