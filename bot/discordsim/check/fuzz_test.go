package check

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzComponents checks that what is accepted is accepted again after it has
// been stored and written out, with nothing changed.
func FuzzComponents(f *testing.F) {
	for _, s := range []string{
		`[{"type":1,"components":[{"type":2,"style":1,"custom_id":"a","label":"x","emoji":{"name":"💡"}}]}]`,
		`[{"type":1,"components":[{"type":3,"custom_id":"m","min_values":0,"options":[{"label":"A","value":"a","default":true}]}]}]`,
		`[{"type":17,"accent_color":1,"components":[{"type":10,"content":"x"},{"type":14,"divider":false}]}]`,
		`[{"type":9,"components":[{"type":10,"content":"x"}],"accessory":{"type":2,"style":5,"url":"https://example.org","label":"x"}}]`,
		`[{"type":12,"items":[{"media":{"url":"attachment://b.png"},"description":"b"}]}]`, `[null]`, `[{"type":1}]`, `[[]]`, `{}`,
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, v2 bool) {
		check := func(data []byte) ([]Component, []string) {
			v, err := Decode(data)
			list, ok := v.([]any)
			if err != nil || !ok {
				return nil, []string{"no list"}
			}
			form := &Form{}
			c := &layout{f: form, v2: v2, files: map[string]bool{"b.png": true}}
			out := c.components("components", list)
			if len(form.mistakes) > 0 && out != nil || form.Errors() == nil && len(out) != len(list) {
				t.Fatalf("mistakes %q with %v", form.mistakes, out)
			}
			return out, form.mistakes
		}
		first, mistakes := check(data)
		if len(mistakes) > 0 {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		again, mistakes := check(written)
		if d := cmp.Diff(first, again); len(mistakes) > 0 || len(first) > 0 && d != "" {
			t.Fatalf("%s comes back as %s: %q\n%s", data, written, mistakes, d)
		}
	})
}

// FuzzCommand checks that an accepted command is accepted again as it is
// stored, and that it fits the limits.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{
		`{"name":"lasca","description":"x","options":[{"type":4,"name":"level","description":"x","required":true,"min_value":1,"choices":[{"name":"a","value":1}]}]}`,
		`{"name":"Challenge","type":2,"contexts":[0],"default_member_permissions":"8"}`,
		`{"name":"a","description":"x","options":[{"type":2,"name":"g","description":"x","options":[{"type":1,"name":"s","description":"x"}]}]}`,
		`{"name":1}`, `[]`, `null`, `{"name":"a","type":2,"Contexts":[]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if err != nil {
			return
		}
		first := &Form{}
		cmd, ok := first.command("", v)
		if ok != (len(first.mistakes) == 0) {
			t.Fatalf("ok = %v with %q", ok, first.mistakes)
		}
		if !ok {
			return
		}
		if len(cmd.Options) > maxOptions || cmd.Name == "" {
			t.Fatalf("accepted %+v", cmd)
		}
		written, err := json.Marshal(cmd)
		if err != nil {
			t.Fatal(err)
		}
		v, _ = Decode(written)
		second := &Form{}
		if _, ok := second.command("", v); !ok {
			t.Fatalf("%s is stored as %s, which is refused: %q", data, written, second.mistakes)
		}
	})
}
