package check

import (
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
	f := &Form{}
	got := f.Modal(decoded(t, modal("t", label(menu), label(obj{"type": TextInput, "custom_id": "n", "style": 1}))), nil)
	if got.Title != "t" || len(got.Components) != 2 || got.Components[0].Component.CustomID != "m" || len(f.Problems()) > 0 {
		t.Errorf("a good form: %+v, %q", got, f.Problems())
	}
}
