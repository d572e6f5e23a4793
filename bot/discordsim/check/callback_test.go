package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCallbackTypesFitTheInteraction(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  obj
		place string
		code  string // "" when it fits
	}{
		{"allowed", obj{"type": AnswerDeferredUpdate}, "", ""},
		{"no type", obj{}, "type", "BASE_TYPE_REQUIRED"},
		{"pong", obj{"type": 1}, "type", "BASE_TYPE_CHOICES"},
		{"type 13", obj{"type": 13}, "type", "NUMBER_TYPE_MAX"},
		{"a type for something else", obj{"type": AnswerChoices}, "type", "BASE_TYPE_CHOICES"},
		{"a message without data", obj{"type": AnswerMessage}, "data", "BASE_TYPE_REQUIRED"},
		{"an update without data", obj{"type": AnswerUpdate, "data": nil}, "data", "BASE_TYPE_REQUIRED"},
	} {
		f := &Form{}
		typ, _, ok := f.Callback(decoded(t, c.body), []int{AnswerMessage, AnswerDeferredUpdate, AnswerUpdate})
		if c.code == "" {
			if !ok || typ != c.body["type"] || len(f.Problems()) > 0 {
				t.Errorf("%s: %d, %v, %q", c.name, typ, ok, f.Problems())
			}
			continue
		}
		if wantMistake(t, f, c.place, c.code); ok {
			t.Errorf("%s is accepted", c.name)
		}
	}
}

func TestDeferredAnswersTakeOneFlag(t *testing.T) {
	for _, c := range []struct {
		data     any
		private  bool
		problems []string
	}{
		{nil, false, nil},
		{obj{"flags": FlagEphemeral}, true, nil},
		{obj{"flags": 0, "content": "", "components": []any{}, "tts": false}, false, nil}, // as discordgo sends it
		{obj{"flags": 4}, false, []string{"data.flags: a deferred answer takes EPHEMERAL only, not 4"}},
		{obj{"content": "x"}, false, []string{"data.content: means nothing for this type of answer"}},
	} {
		f := &Form{}
		data := c.data
		if data != nil {
			data = decoded(t, data)
		}
		if got := f.Deferred(data); got != c.private {
			t.Errorf("%v: ephemeral = %v", c.data, got)
		}
		if d := cmp.Diff(c.problems, f.Problems()); d != "" {
			t.Errorf("%v: problems (-want +got):\n%s", c.data, d)
		}
	}
}

func TestChoiceLimits(t *testing.T) {
	choice := func(name string, value any) obj { return obj{"choices": []obj{{"name": name, "value": value}}} }
	for _, c := range []struct {
		name   string
		data   obj
		option int
		place  string
		code   string
	}{
		{"26 choices", obj{"choices": slices.Repeat([]obj{{"name": "a", "value": "a"}}, 26)}, StringOption, "data.choices", "BASE_TYPE_MAX_LENGTH"},
		{"no list", obj{}, StringOption, "data.choices", "BASE_TYPE_REQUIRED"},
		{"an empty name", choice("", "a"), StringOption, "data.choices.0.name", "BASE_TYPE_REQUIRED"},
		{"a blank name", choice(" ", "a"), StringOption, "data.choices.0.name", "BASE_TYPE_REQUIRED"},
		{"a name of 101 characters", choice(strings.Repeat("x", 101), "a"), StringOption, "data.choices.0.name", "BASE_TYPE_BAD_LENGTH"},
		{"a value of 101 characters", choice("a", strings.Repeat("x", 101)), StringOption, "data.choices.0.value", "BASE_TYPE_BAD_LENGTH"},
		{"a number for a string", choice("a", 1), StringOption, "data.choices.0.value", "STRING_TYPE_CONVERT"},
		{"a fraction for an integer", choice("a", 1.5), IntegerOption, "data.choices.0.value", "NUMBER_TYPE_COERCE"},
		{"a string for a number", choice("a", "1"), NumberOption, "data.choices.0.value", "NUMBER_TYPE_COERCE"},
	} {
		f := &Form{}
		if got := f.Choices(decoded(t, c.data), c.option); got != nil {
			t.Errorf("%s: accepted as %v", c.name, got)
		}
		wantMistake(t, f, c.place, c.code)
	}
	f := &Form{}
	if got := f.Choices(decoded(t, choice("a", "b")), StringOption); len(got) != 1 || got[0].Value != "b" || len(f.Problems()) > 0 {
		t.Errorf("a good choice: %v, %q", got, f.Problems())
	}
}

func TestModalLimits(t *testing.T) {
	input := obj{"type": TextInput, "custom_id": "m", "label": "l", "style": 1}
	modal := func(title string, components ...obj) obj {
		return obj{"custom_id": "f", "title": title, "components": components}
	}
	label := func(inside obj) obj { return obj{"type": Label, "label": "l", "component": inside} }
	menu := obj{"type": StringSelect, "custom_id": "m", "options": []obj{{"label": "a", "value": "a"}}}
	for _, c := range []struct {
		name  string
		data  obj
		place string
		code  string
	}{
		{"no inputs", modal("t", []obj{}...), "data.components", "BASE_TYPE_BAD_LENGTH"},
		{"six rows", modal("t", slices.Repeat(row(input), 6)...), "data.components", "BASE_TYPE_BAD_LENGTH"},
		{"a title of 46 characters", modal(strings.Repeat("t", 46), row(input)...), "data.title", "BASE_TYPE_BAD_LENGTH"},
		{"a button", modal("t", row(button("a", "x"))...), "data.components.0.components.0.type", "UNION_TYPE_CHOICES"},
		{"a menu in a row", modal("t", row(menu)...), "data.components.0.components.0.type", "UNION_TYPE_CHOICES"},
		{"an input without a label", modal("t", row(obj{"type": TextInput, "custom_id": "m", "style": 1})...), "data.components.0.components.0.label", "BASE_TYPE_REQUIRED"},
		{"an input with min_length over max_length", modal("t", row(obj{"type": TextInput, "custom_id": "m", "label": "l", "style": 1, "min_length": 3, "max_length": 2})...), "data.components.0.components.0.min_length", "NUMBER_TYPE_MAX"},
		{"a label with nothing in it", modal("t", obj{"type": Label, "label": "l"}), "data.components.0.component", "BASE_TYPE_REQUIRED"},
	} {
		f := &Form{}
		f.Modal(decoded(t, c.data), nil)
		wantMistake(t, f, c.place, c.code)
	}
	kit := func(typ int, keys obj) obj {
		inside := obj{"type": typ, "custom_id": "c"}
		maps.Copy(inside, keys)
		return modal("t", label(inside))
	}
	options := func(n int) (list []obj) {
		for i := range n {
			list = append(list, obj{"label": "l", "value": fmt.Sprint(i)})
		}
		return list
	}
	both := []obj{{"label": "a", "value": "a", "default": true}, {"label": "b", "value": "b", "default": true}}
	for _, c := range []struct {
		name  string
		data  obj
		place string
		code  string
	}{
		{"a radio group of one", kit(RadioGroup, obj{"options": options(1)}), "options", "BASE_TYPE_BAD_LENGTH"},
		{"a radio group of eleven", kit(RadioGroup, obj{"options": options(11)}), "options", "BASE_TYPE_BAD_LENGTH"},
		{"a radio group with two defaults", kit(RadioGroup, obj{"options": both}), "options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
		{"radio buttons of one value", kit(RadioGroup, obj{"options": append(options(2), options(1)...)}), "options.2.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
		{"no checkboxes", kit(CheckboxGroup, obj{"options": []obj{}}), "options", "BASE_TYPE_BAD_LENGTH"},
		{"eleven checkboxes", kit(CheckboxGroup, obj{"options": options(11)}), "options", "BASE_TYPE_BAD_LENGTH"},
		{"more checkboxes to set than there are", kit(CheckboxGroup, obj{"options": options(2), "max_values": 3}), "max_values", "NUMBER_TYPE_MAX"},
		{"at least none, but required", kit(CheckboxGroup, obj{"options": options(2), "min_values": 0}), "min_values", "NUMBER_TYPE_MIN"},
		{"at least none of a menu, but required", kit(StringSelect, obj{"options": options(2), "min_values": 0, "required": true}), "min_values", "NUMBER_TYPE_MIN"},
		{"eleven files", kit(FileUpload, obj{"max_values": 11}), "max_values", "NUMBER_TYPE_MAX"},
		{"a disabled menu", kit(UserSelect, obj{"disabled": true}), "disabled", "MODAL_COMPONENT_DISABLED"},
		{"a channel as a user", kit(UserSelect, obj{"default_values": []obj{{"id": "1", "type": "channel"}}}), "default_values.0.type", "BASE_TYPE_CHOICES"},
		{"more people than can be chosen", kit(UserSelect, obj{"default_values": []obj{{"id": "1", "type": "user"}, {"id": "2", "type": "user"}}}), "default_values", "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
		{"an unknown kind of channel", kit(ChannelSelect, obj{"channel_types": []int{6}}), "channel_types.0", "BASE_TYPE_CHOICES"},
		{"a checkbox without an ID", modal("t", label(obj{"type": Checkbox})), "custom_id", "BASE_TYPE_REQUIRED"},
		{"a text of no characters", modal("t", obj{"type": TextDisplay, "content": ""}), "", "BASE_TYPE_REQUIRED"},
		{"an input of up to nothing", kit(TextInput, obj{"style": 1, "max_length": 0}), "max_length", "NUMBER_TYPE_MIN"},
	} {
		f := &Form{}
		f.Modal(decoded(t, c.data), nil)
		place := "data.components.0.component." + c.place
		if c.place == "" {
			place = "data.components.0.content"
		}
		wantMistake(t, f, place, c.code)
	}
	f := &Form{}
	f.Modal(decoded(t, modal("t", obj{"type": TextDisplay, "content": "**Hello**"},
		label(obj{"type": RadioGroup, "custom_id": "r", "required": false, "options": options(10)}),
		label(obj{"type": CheckboxGroup, "custom_id": "g", "min_values": 0, "required": false, "options": both}),
		label(obj{"type": Checkbox, "custom_id": "c", "default": true}),
		label(obj{"type": FileUpload, "custom_id": "u", "max_values": 10}))), nil)
	if len(f.Problems()) > 0 {
		t.Errorf("a good form of newer parts: %q", f.Problems())
	}
	f = &Form{}
	got := f.Modal(decoded(t, modal("t", label(menu), label(obj{"type": TextInput, "custom_id": "n", "style": 1}))), nil)
	if got.Title != "t" || len(got.Components) != 2 || got.Components[0].Component.CustomID != "m" || len(f.Problems()) > 0 {
		t.Errorf("a good form: %+v, %q", got, f.Problems())
	}
}
