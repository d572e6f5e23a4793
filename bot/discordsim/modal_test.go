package discordsim_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func labelled(text string, inside obj) obj {
	return obj{"type": 18, "label": text, "component": inside}
}

func option(value string, more ...string) obj {
	o := obj{"value": value, "label": strings.ToUpper(value)}
	for _, key := range more {
		o[key] = true
	}
	return o
}

// forms is a world whose bot opens a form at every press, and takes it.
type forms struct {
	*world
	id   string
	form []obj
	last obj // the newest submission's data
}

func newForms(t *testing.T, form ...obj) *forms {
	w, id := posted(t, discordsim.Options{})
	f := &forms{world: w, id: id, form: form}
	w.bot(func(i obj) {
		if i["type"] == 5.0 {
			f.last = i["data"].(obj)
			w.callback(i, 6, nil)
			return
		}
		if status, out := w.callback(i, 9, obj{"custom_id": "form", "title": "Settings", "components": f.form}); status != 200 && w.ctx.Err() == nil {
			t.Errorf("opening: %d %v", status, out)
			w.callback(i, 6, nil)
		}
	})
	return f
}

// open gives the form that Ann gets.
func (f *forms) open() *discordsim.Modal {
	f.t.Helper()
	r, err := f.sim.As(f.ann).Click(f.ctx, f.general, f.id, "go")
	if err != nil || r.Modal == nil {
		f.t.Fatalf("%+v, %v", r, err)
	}
	return r.Modal
}

func (f *forms) submit(values map[string]any) error {
	f.t.Helper()
	_, err := f.sim.As(f.ann).Submit(f.ctx, f.open(), values)
	return err
}

// values gives what was submitted by custom ID: "value" or "values".
func (f *forms) values() obj {
	out := obj{}
	for _, c := range f.last["components"].([]any) {
		if inside, ok := c.(obj)["component"].(obj); ok {
			out[inside["custom_id"].(string)] = inside["value"]
			if list, ok := inside["values"]; ok {
				out[inside["custom_id"].(string)] = list
			}
		}
	}
	return out
}

func TestFormsOfEveryPartAreOpenedAndSubmitted(t *testing.T) {
	f := newForms(t,
		labelled("Note", obj{"type": 4, "custom_id": "note", "style": 2, "value": "preset"}),
		labelled("Look", obj{"type": 21, "custom_id": "look", "options": []obj{option("wood", "default"), option("dark")}}),
		labelled("Notices", obj{"type": 22, "custom_id": "notices", "required": false, "min_values": 0, "options": []obj{option("dm"), option("ping", "default")}}),
		labelled("Confirm", obj{"type": 23, "custom_id": "confirm", "default": true}),
		labelled("Language", obj{"type": 3, "custom_id": "language", "options": []obj{option("de"), option("en", "default")}}))
	if err := f.submit(nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(obj{"note": "preset", "look": "wood", "notices": []any{"ping"}, "confirm": true, "language": []any{"en"}}, f.values()); d != "" {
		t.Errorf("as preset (-want +got):\n%s", d)
	}
	if err := f.submit(map[string]any{"note": "x", "look": "dark", "notices": []string{}, "confirm": false, "language": "de"}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(obj{"note": "x", "look": "dark", "notices": []any{}, "confirm": false, "language": []any{"de"}}, f.values()); d != "" {
		t.Errorf("filled in (-want +got):\n%s", d)
	}
	// Each part tells its type and number, as Discord says.
	want := obj{"type": 18.0, "id": 3.0, "component": obj{"type": 21.0, "id": 4.0, "custom_id": "look", "value": "dark"}}
	if d := cmp.Diff(want, f.last["components"].([]any)[1]); d != "" {
		t.Errorf("a radio group (-want +got):\n%s", d)
	}
	f.held(t, "POST /interactions/{interaction_id}/{interaction_token}/callback")
	f.clean()
}

func TestFormsOfPeopleChannelsFilesAndTexts(t *testing.T) {
	f := newForms(t,
		obj{"type": 10, "content": "## Import\nChoose a file."},
		labelled("Rival", obj{"type": 5, "custom_id": "rival", "max_values": 2, "default_values": []obj{}}),
		labelled("Where", obj{"type": 8, "custom_id": "where", "channel_types": []int{0}, "required": false}),
		labelled("Game", obj{"type": 19, "custom_id": "game", "max_values": 2}),
		labelled("Colour", obj{"type": 21, "custom_id": "colour", "required": false, "options": []obj{option("white"), option("black")}}))
	if err := f.submit(map[string]any{
		"rival": []string{f.ben, f.ann}, "where": []string{f.general}, "game": []discordsim.Upload{{Filename: "my game.txt", Data: []byte("1. c3-d4")}},
	}); err != nil {
		t.Fatal(err)
	}
	values := f.values()
	if d := cmp.Diff([]any{f.ben, f.ann}, values["rival"]); d != "" || values["colour"] != nil {
		t.Errorf("submitted %v", values)
	}
	if first := f.last["components"].([]any)[0].(obj); first["type"] != 10.0 || first["id"] != 1.0 || first["content"] != nil {
		t.Errorf("a text display comes back as %v", first)
	}
	resolved := f.last["resolved"].(obj)
	if resolved["users"].(obj)[f.ben].(obj)["username"] != "ben" || resolved["members"].(obj)[f.ben] == nil {
		t.Errorf("resolved people: %v", resolved)
	}
	if c := resolved["channels"].(obj)[f.general].(obj); c["name"] != "general" || c["permissions"] == nil {
		t.Errorf("resolved channels: %v", resolved["channels"])
	}
	id := values["game"].([]any)[0].(string)
	a := resolved["attachments"].(obj)[id].(obj)
	if a["filename"] != "my_game.txt" || a["size"] != 8.0 || a["ephemeral"] != true {
		t.Errorf("resolved file: %v", a)
	}
	client := &http.Client{Transport: f.sim.Transport(f.srv.URL)}
	resp, err := client.Get(a["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if data, _ := io.ReadAll(resp.Body); string(data) != "1. c3-d4" {
		t.Errorf("the file is %d, %q", resp.StatusCode, data)
	}
	f.held(t, "POST /interactions/{interaction_id}/{interaction_token}/callback")
	f.clean()
}

func TestFormsRefuseWhatTheyDoNotAllow(t *testing.T) {
	voice := newForms(t).sim.AddGuild("Other", "")
	f := newForms(t,
		labelled("Look", obj{"type": 21, "custom_id": "look", "options": []obj{option("wood"), option("dark")}}),
		labelled("Notices", obj{"type": 22, "custom_id": "notices", "max_values": 1, "options": []obj{option("dm"), option("ping")}}),
		labelled("Confirm", obj{"type": 23, "custom_id": "confirm"}),
		labelled("Where", obj{"type": 8, "custom_id": "where", "required": false, "channel_types": []int{11}}),
		labelled("Game", obj{"type": 19, "custom_id": "game", "required": false}))
	hidden := f.sim.AddChannel(f.guild, "hidden")
	for _, c := range []struct {
		name   string
		values map[string]any
		want   error
	}{
		{"no radio button", map[string]any{"notices": "dm"}, discordsim.ErrBadSelection},
		{"no checkbox of a required group", map[string]any{"look": "wood"}, discordsim.ErrBadSelection},
		{"too many checkboxes", map[string]any{"look": "wood", "notices": []string{"dm", "ping"}}, discordsim.ErrBadSelection},
		{"a value that is not offered", map[string]any{"look": "x", "notices": "dm"}, discordsim.ErrBadSelection},
		{"a word for a checkbox", map[string]any{"look": "wood", "notices": "dm", "confirm": "yes"}, discordsim.ErrBadInput},
		{"a channel of another kind", map[string]any{"look": "wood", "notices": "dm", "where": hidden}, discordsim.ErrBadSelection},
		{"a channel of another guild", map[string]any{"look": "wood", "notices": "dm", "where": voice}, discordsim.ErrBadSelection},
		{"too many files", map[string]any{"look": "wood", "notices": "dm", "game": []discordsim.Upload{{Filename: "a"}, {Filename: "b"}}}, discordsim.ErrBadSelection},
		{"a file without a name", map[string]any{"look": "wood", "notices": "dm", "game": []discordsim.Upload{{}}}, discordsim.ErrBadInput},
		{"an input that is not there", map[string]any{"look": "wood", "notices": "dm", "x": "y"}, discordsim.ErrNoComponent},
		{"all right", map[string]any{"look": "wood", "notices": "dm", "game": []discordsim.Upload{{Filename: "a"}}}, nil},
	} {
		if err := f.submit(c.values); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	f.clean()
}

func TestFormsWorkWhereTheBotIsNot(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.bot(func(i obj) {
		w.last = i
		if i["type"] == 2.0 {
			w.callback(i, 9, obj{"custom_id": "f", "title": "Form", "components": []obj{labelled("x", obj{"type": 23, "custom_id": "c"})}})
			return
		}
		w.callback(i, 4, obj{"content": "done", "allowed_mentions": quiet})
	})
	r, err := w.use(w.ann, w.group)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.sim.As(w.ann).Submit(w.ctx, r.Modal, nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(obj{"1": w.ann}, w.last["authorizing_integration_owners"]); d != "" || w.last["context"] != 2.0 || w.last["message"] != nil {
		t.Errorf("submission: %v", w.last)
	}
	w.clean()
}

func TestFormsAreReadable(t *testing.T) {
	f := newForms(t,
		obj{"type": 10, "content": "Read **this**."},
		labelled("Note", obj{"type": 4, "custom_id": "note", "style": 2, "required": false, "value": "preset"}),
		labelled("Look", obj{"type": 21, "custom_id": "look", "options": []obj{option("wood", "default"), option("dark")}}),
		labelled("Confirm", obj{"type": 23, "custom_id": "confirm", "default": true}),
		labelled("Rival", obj{"type": 5, "custom_id": "rival"}))
	const want = `# Settings
Read **this**.
Note: [text preset]
Look, required: [radio WOOD ✓ | DARK]
Confirm: [checkbox ✓]
Rival, required: [menu of people]
`
	if d := cmp.Diff(want, f.open().String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestMenusOfPeopleAndChannelsInMessages(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	var last obj
	w.bot(func(i obj) { last = i["data"].(obj); w.callback(i, 6, nil) })
	id := w.send(w.general, obj{"content": "x", "components": []obj{
		{"type": 1, "components": []obj{{"type": 5, "custom_id": "who"}}},
		{"type": 1, "components": []obj{{"type": 8, "custom_id": "where", "channel_types": []int{0}, "min_values": 0}}}}})
	thread := w.sim.AddThread(w.general, "talk")
	ann := w.sim.As(w.ann)
	if _, err := ann.Select(w.ctx, w.general, id, "where", w.general); err != nil {
		t.Fatal(err)
	}
	if last["component_type"] != 8.0 || last["resolved"].(obj)["channels"].(obj)[w.general].(obj)["type"] != 0.0 {
		t.Errorf("a channel: %v", last)
	}
	if _, err := ann.Select(w.ctx, w.general, id, "where", thread); !errors.Is(err, discordsim.ErrBadSelection) {
		t.Errorf("a channel of another kind: %v", err)
	}
	if _, err := ann.Select(w.ctx, w.general, id, "where"); err != nil {
		t.Errorf("no channel: %v", err)
	}
	if _, err := ann.Select(w.ctx, w.general, id, "who", w.ben); err != nil || last["resolved"].(obj)["users"].(obj)[w.ben] == nil {
		t.Errorf("a person: %v, %v", last, err)
	}
	w.clean()
}
