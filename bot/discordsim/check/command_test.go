package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestCommandLimits has one case for every rule of registration.
func TestCommandLimits(t *testing.T) {
	cmd := func(more obj) obj {
		c := obj{"name": "lasca", "description": "Play"}
		maps.Copy(c, more)
		return c
	}
	options := func(list ...obj) obj { return cmd(obj{"options": list}) }
	opt := func(more obj) obj {
		o := obj{"type": 3, "name": "move", "description": "Notation"}
		maps.Copy(o, more)
		return o
	}
	many := func(n int, f func(i int) obj) (out []obj) {
		for i := range n {
			out = append(out, f(i))
		}
		return out
	}
	choice := func(i int) obj { return obj{"name": fmt.Sprint("c", i), "value": fmt.Sprint("v", i)} }
	x := func(n int) string { return strings.Repeat("x", n) }
	cases := []struct {
		name  string
		cmd   obj
		place string
		want  string
	}{
		{"capital letters", cmd(obj{"name": "Lasca"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
		{"a blank in the name", cmd(obj{"name": "la sca"}), "0.name", "APPLICATION_COMMAND_INVALID_NAME"},
		{"a name of 33 characters", cmd(obj{"name": x(33)}), "0.name", "BASE_TYPE_BAD_LENGTH"},
		{"no name", cmd(obj{"name": nil}), "0.name", "BASE_TYPE_REQUIRED"},
		{"no description", cmd(obj{"description": nil}), "0.description", "BASE_TYPE_REQUIRED"},
		{"a description of 101 characters", cmd(obj{"description": x(101)}), "0.description", "BASE_TYPE_BAD_LENGTH"},
		{"a bad localized name", cmd(obj{"name_localizations": obj{"de": "Dame Spiel"}}), "0.name_localizations.de", "APPLICATION_COMMAND_INVALID_NAME"},
		{"an unknown locale", cmd(obj{"name_localizations": obj{"de-AT": "dame"}}), "0.name_localizations.de-AT", "BASE_TYPE_CHOICES"},
		{"a long localized description", cmd(obj{"description_localizations": obj{"de": x(101)}}), "0.description_localizations.de", "BASE_TYPE_BAD_LENGTH"},
		{"26 options", options(many(26, func(i int) obj { return opt(obj{"name": fmt.Sprint("o", i)}) })...), "0.options", "BASE_TYPE_MAX_LENGTH"},
		{"required after optional", options(opt(obj{"name": "a"}), opt(obj{"name": "b", "required": true})), "0.options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"},
		{"two options of a name", options(opt(nil), opt(nil)), "0.options", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"},
		{"26 choices", options(opt(obj{"choices": many(26, choice)})), "0.options.0.choices", "BASE_TYPE_MAX_LENGTH"},
		{"a choice twice", options(opt(obj{"choices": []obj{choice(1), choice(1)}})), "0.options.0.choices.1", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAMES_INVALID"},
		{"a choice of the wrong type", options(opt(obj{"type": 4, "choices": []obj{choice(1)}})), "0.options.0.choices.0.value", "NUMBER_TYPE_COERCE"},
		{"choices and autocomplete", options(opt(obj{"choices": []obj{choice(1)}, "autocomplete": true})), "0.options.0.autocomplete", "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID"},
		{"autocomplete for a user", options(opt(obj{"type": 6, "autocomplete": true})), "0.options.0.autocomplete", "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID"},
		{"min_value for a text", options(opt(obj{"min_value": 1})), "0.options.0.min_value", "APPLICATION_COMMAND_OPTIONS_MIN_MAX_VALUE_INVALID"},
		{"min over max", options(opt(obj{"type": 4, "min_value": 3, "max_value": 2})), "0.options.0.max_value", "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_GREATER_THAN_MAX_VALUE"},
		{"max_length for a number", options(opt(obj{"type": 4, "max_length": 2})), "0.options.0.min_length", "APPLICATION_COMMAND_OPTIONS_MIN_MAX_LENGTH_INVALID"},
		{"min_length over max_length", options(opt(obj{"min_length": 3, "max_length": 2})), "0.options.0.max_length", "APPLICATION_COMMAND_OPTIONS_MIN_LENGTH_GREATER_THAN_MAX_LENGTH"},
		{"option type 12", options(opt(obj{"type": 12})), "0.options.0.type", "NUMBER_TYPE_MAX"},
		{"subcommands beside options", options(opt(nil), opt(obj{"type": 1, "name": "sub"})), "0.options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"},
		{"a subcommand in a subcommand", options(opt(obj{"type": 1, "options": []obj{opt(obj{"type": 1})}})), "0.options.0.options.0.type", "BASE_TYPE_CHOICES"},
		{"an option in a group", options(opt(obj{"type": 2, "options": []obj{opt(nil)}})), "0.options.0.options.0.type", "BASE_TYPE_CHOICES"},
		{"more than 8000 characters", options(many(4, func(i int) obj {
			return opt(obj{"name": fmt.Sprint("o", i), "choices": many(25, func(j int) obj {
				return obj{"name": fmt.Sprintf("%098d%02d", i, j), "value": fmt.Sprint(j)}
			})})
		})...), "0", "APPLICATION_COMMAND_TOO_LARGE"},
		{"context 3", cmd(obj{"contexts": []int{3}}), "0.contexts.0", "BASE_TYPE_CHOICES"},
		{"a context twice", cmd(obj{"contexts": []int{0, 0}}), "0.contexts", "SET_TYPE_ALREADY_CONTAINS_VALUE"},
		{"integration type 2", cmd(obj{"integration_types": []int{2}}), "0.integration_types.0", "BASE_TYPE_CHOICES"},
		{"permissions as a number", cmd(obj{"default_member_permissions": 8}), "0.default_member_permissions", "NUMBER_TYPE_COERCE"},
		{"a user command with description", obj{"type": 2, "name": "Challenge", "description": "x"}, "0.description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_CANNOT_BE_SET"},
		{"a user command with options", obj{"type": 2, "name": "Challenge", "options": []obj{opt(nil)}}, "0.options", "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_CANNOT_BE_SET"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := &Form{}
			got := f.Commands(decoded(t, []obj{c.cmd}))
			wantMistake(t, f, c.place, c.want)
			if len(got) != 0 {
				t.Errorf("accepted %+v", got)
			}
		})
	}
	t.Run("two commands of a name", func(t *testing.T) {
		f := &Form{}
		f.Commands(decoded(t, []obj{cmd(nil), cmd(nil)}))
		wantMistake(t, f, "1.name", "APPLICATION_COMMANDS_DUPLICATE_NAME")
	})
	t.Run("a command of another kind may have the name", func(t *testing.T) {
		f := &Form{}
		if got := f.Commands(decoded(t, []obj{cmd(nil), {"type": 2, "name": "lasca"}})); len(got) != 2 || len(f.Problems()) != 0 {
			t.Errorf("%+v, %q", got, f.Problems())
		}
	})
	t.Run("no list", func(t *testing.T) {
		f := &Form{}
		if f.Commands(obj{}); f.Errors() == nil {
			t.Error("accepted")
		}
	})
}

func TestAnApplicationHasAHundredSlashCommands(t *testing.T) {
	for _, c := range []struct {
		kind, n int
		want    bool
	}{
		{ChatInputCommand, 100, false}, {ChatInputCommand, 101, true},
		{UserCommand, 15, false}, {UserCommand, 16, true}, {MessageCommand, 16, true},
	} {
		if got := TooManyCommands(slices.Repeat([]Command{{Type: c.kind}}, c.n)); got != c.want {
			t.Errorf("%d of kind %d: %v", c.n, c.kind, got)
		}
	}
}
