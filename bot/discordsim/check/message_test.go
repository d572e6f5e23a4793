package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type obj = map[string]any

var quiet = obj{"parse": []string{}}

// decoded gives a body as it arrives: written out and read again.
func decoded(t *testing.T, body any) any {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wantMistake checks that the first mistake at a place has a code, and that the
// problems name the place.
func wantMistake(t *testing.T, f *Form, place, code string) {
	t.Helper()
	node := f.Errors()
	for key := range strings.SplitSeq(place, ".") {
		node, _ = node[key].(obj)
	}
	errs, _ := node["_errors"].([]any)
	if len(errs) == 0 || errs[0].(obj)["code"] != code {
		t.Errorf("errors = %v, want %s at %s", f.Errors(), code, place)
	}
	if !slices.ContainsFunc(f.Problems(), func(p string) bool { return strings.HasPrefix(p, place+": ") }) {
		t.Errorf("problems = %q, want one at %s", f.Problems(), place)
	}
}

// picture is an upload of a picture.
func picture(t *testing.T, n int, name string) File {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	return File{N: n, Filename: name, SentName: name, ContentType: "image/png", Data: b.Bytes()}
}

func row(components ...obj) []obj { return []obj{{"type": 1, "components": components}} }

func button(id, label string) obj {
	return obj{"type": 2, "style": 1, "custom_id": id, "label": label}
}

// TestMessageLimits has one case for every limit of a message: the place in the
// nested errors and Discord's code.
func TestMessageLimits(t *testing.T) {
	long := strings.Repeat("x", 101)
	v2 := func(components ...obj) obj { return obj{"flags": 1 << 15, "components": components} }
	text := obj{"type": 10, "content": "hi"}
	select1 := func(options ...obj) obj { return obj{"type": 3, "custom_id": "m", "options": options} }
	option := obj{"label": "A", "value": "a"}
	buttons := func(n int) []obj {
		var out []obj
		for i := range n {
			out = append(out, button(fmt.Sprint("b", i), "x"))
		}
		return out
	}
	cases := []struct {
		name  string
		body  obj
		place string // in the nested errors
		code  string // of the first error there
	}{
		{"content of 2001 characters", obj{"content": strings.Repeat("ü", 2001)}, "content", "BASE_TYPE_MAX_LENGTH"},
		{"content that is a number", obj{"content": 1}, "content", "STRING_TYPE_CONVERT"},
		{"six rows", obj{"components": slices.Repeat(row(button("a", "x")), 6)}, "components", "BASE_TYPE_MAX_LENGTH"},
		{"six buttons in a row", obj{"components": row(buttons(6)...)}, "components.0.components", "BASE_TYPE_BAD_LENGTH"},
		{"an empty row", obj{"components": row()}, "components.0.components", "BASE_TYPE_REQUIRED"},
		{"a button without a row", obj{"components": []obj{button("a", "x")}}, "components.0.type", "UNION_TYPE_CHOICES"},
		{"a component of unknown type", obj{"components": row(obj{"type": 29})}, "components.0.components.0.type", "UNION_TYPE_CHOICES"},
		{"a label of 81 characters", obj{"components": row(button("a", strings.Repeat("x", 81)))}, "components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"},
		{"a button with nothing on it", obj{"components": row(button("a", ""))}, "components.0.components.0.label", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"},
		{"a custom ID of 101 characters", obj{"components": row(button(long, "x"))}, "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"},
		{"an empty custom ID", obj{"components": row(button("", "x"))}, "components.0.components.0.custom_id", "BASE_TYPE_REQUIRED"},
		{"two equal custom IDs", obj{"components": append(row(button("a", "x")), row(button("a", "y"))...)}, "components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"},
		{"style 7", obj{"components": row(obj{"type": 2, "style": 7, "custom_id": "a", "label": "x"})}, "components.0.components.0.style", "NUMBER_TYPE_MAX"},
		{"a link without an address", obj{"components": row(obj{"type": 2, "style": 5, "label": "x"})}, "components.0.components.0.url", "BASE_TYPE_REQUIRED"},
		{"a link to a script", obj{"components": row(obj{"type": 2, "style": 5, "label": "x", "url": "javascript:alert(1)"})}, "components.0.components.0.url", "URL_TYPE_INVALID_SCHEME"},
		{"letters as an emoji", obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"name": "ok"}})}, "components.0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"},
		{"an unknown custom emoji", obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"id": "123", "name": "x"}})}, "components.0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"},
		{"a menu beside a button", obj{"components": row(button("a", "x"), select1(option))}, "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
		{"a menu of 26 options", obj{"components": row(select1(slices.Repeat([]obj{option}, 26)...))}, "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"},
		{"a menu without options", obj{"components": row(select1())}, "components.0.components.0.options", "BASE_TYPE_REQUIRED"},
		{"two equal option values", obj{"components": row(select1(option, option))}, "components.0.components.0.options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
		{"an option label of 101 characters", obj{"components": row(select1(obj{"label": long, "value": "a"}))}, "components.0.components.0.options.0.label", "BASE_TYPE_BAD_LENGTH"},
		{"two defaults for one choice", obj{"components": row(select1(obj{"label": "A", "value": "a", "default": true}, obj{"label": "B", "value": "b", "default": true}))}, "components.0.components.0.options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
		{"more to choose than there is", obj{"components": row(obj{"type": 3, "custom_id": "m", "max_values": 2, "options": []obj{option}})}, "components.0.components.0.max_values", "NUMBER_TYPE_MAX"},
		{"a placeholder of 151 characters", obj{"components": row(obj{"type": 3, "custom_id": "m", "placeholder": strings.Repeat("x", 151), "options": []obj{option}})}, "components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"},
		{"the newer layout without its flag", obj{"components": []obj{text}}, "components.0.type", "UNION_TYPE_CHOICES"},
		{"the newer layout with content", obj{"flags": 1 << 15, "content": "x", "components": []obj{text}}, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
		{"41 components", v2(slices.Repeat([]obj{text}, 41)...), "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"},
		{"a gallery of a file that is not there", v2(obj{"type": 12, "items": []obj{{"media": obj{"url": "attachment://b.png"}}}}), "components.0.items.0.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"},
		{"a section without accessory", v2(obj{"type": 9, "components": []obj{text}}), "components.0.accessory", "BASE_TYPE_REQUIRED"},
		{"alt text of 1025 characters", obj{"attachments": []obj{{"id": "0", "description": strings.Repeat("x", 1025)}}}, "attachments.0.description", "BASE_TYPE_MAX_LENGTH"},
		{"an attachment that was not sent", obj{"attachments": []obj{{"id": "7"}}}, "attachments.0.id", "ATTACHMENT_NOT_FOUND"},
		{"parse and users together", obj{"content": "x", "allowed_mentions": obj{"parse": []string{"users"}, "users": []string{"1"}}}, "allowed_mentions.parse", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
		{"an unknown kind of mention", obj{"content": "x", "allowed_mentions": obj{"parse": []string{"all"}}}, "allowed_mentions.parse.0", "BASE_TYPE_CHOICES"},
		{"a nonce of 26 characters", obj{"content": "x", "nonce": strings.Repeat("x", 26)}, "nonce", "BASE_TYPE_MAX_LENGTH"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.body["allowed_mentions"] == nil {
				c.body["allowed_mentions"] = quiet
			}
			f := &Form{}
			f.Message("", decoded(t, c.body), Request{Kind: CreateMessage, Version: 10, Files: []File{picture(t, 0, "b0.png")}})
			wantMistake(t, f, c.place, c.code)
		})
	}
}

// TestProblemsThatDiscordLetsPass has what only a violation shows: Discord
// accepts these bodies and does something else than the bot meant.
func TestProblemsThatDiscordLetsPass(t *testing.T) {
	whole := picture(t, 0, "b.png")
	broken := whole
	broken.Data = broken.Data[:20]
	page := File{N: 0, Filename: "b.txt", Data: []byte("text")}
	described := []obj{{"id": 0, "description": "board"}}
	cases := []struct {
		name string
		body obj
		file File
		want string
	}{
		{"an unknown field", obj{"conten": "y"}, page, "unknown field conten"},
		{"a field of another case", obj{"Content": "y"}, page, "unknown field Content"},
		{"an unknown field of a component", obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "label": "x", "colour": 1})}, page, "unknown field components.0.components.0.colour"},
		{"no allowed_mentions", obj{"allowed_mentions": nil}, page, "allowed_mentions: missing"},
		{"a flag that cannot be set", obj{"flags": FlagEphemeral}, page, "flags: flags 64"},
		{"an embed", obj{"embeds": []obj{{"title": "x"}}}, page, "embeds: embeds are not modelled"},
		{"a picture without alt text", obj{}, whole, "attachments: picture b.png has no description"},
		{"a picture with blank alt text", obj{"attachments": []obj{{"id": 0, "description": " "}}}, whole, "attachments: picture b.png has no description"},
		{"a broken picture", obj{"attachments": described}, broken, "files: b.png is not a readable"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := obj{"content": "x", "allowed_mentions": quiet}
			for key, value := range c.body {
				body[key] = value
			}
			f := &Form{}
			m := f.Message("", decoded(t, body), Request{Kind: CreateMessage, Version: 10, Files: []File{c.file}})
			if f.Errors() != nil || m == nil || m.Content != "x" || m.Flags != 0 {
				t.Errorf("%+v, refused: %v", m, f.Errors())
			}
			if p := f.Problems(); len(p) != 1 || !strings.HasPrefix(p[0], c.want) {
				t.Errorf("problems = %q, want %q", p, c.want)
			}
		})
	}
}

// TestFlagsThatCanBeSet has the flags that each route takes.
func TestFlagsThatCanBeSet(t *testing.T) {
	const both = FlagSuppressEmbeds | FlagComponentsV2
	for kind, want := range map[Kind]int{
		CreateMessage: both | FlagSuppressNotification, EditMessage: both, WebhookEdit: both,
		FollowUp: both | FlagSuppressNotification | FlagEphemeral, CallbackMessage: both | FlagSuppressNotification | FlagEphemeral,
		CallbackUpdate: both | FlagEphemeral,
	} {
		for _, flag := range []int{FlagSuppressEmbeds, FlagEphemeral, FlagLoading, FlagSuppressNotification, FlagComponentsV2} {
			f := &Form{}
			f.Message("", decoded(t, obj{"flags": flag, "allowed_mentions": quiet}), Request{Kind: kind, Version: 10})
			if taken := len(f.Problems()) == 0; taken != (want&flag != 0) {
				t.Errorf("kind %d, flag %d: %q", kind, flag, f.Problems())
			}
		}
	}
}

func TestComponentsGetTheNextFreeID(t *testing.T) {
	text := func(id int) obj { return obj{"type": TextDisplay, "content": "x", "id": id} }
	read := func(components ...obj) (*Form, []int) {
		f := &Form{}
		m := f.Message("", decoded(t, obj{"flags": FlagComponentsV2, "components": components, "allowed_mentions": quiet}), Request{Kind: CreateMessage, Version: 10})
		var ids []int
		Walk(m.Components, func(c *Component) { ids = append(ids, c.ID) })
		return f, ids
	}
	f, ids := read(text(0), text(1), text(3), text(0))
	if d := cmp.Diff([]int{2, 1, 3, 4}, ids); d != "" || len(f.Problems()) > 0 {
		t.Errorf("%q, IDs (-want +got):\n%s", f.Problems(), d)
	}
	f, _ = read(text(3), text(3))
	wantMistake(t, f, "components.1.id", "COMPONENT_ID_DUPLICATED")
}

func TestAGoodMessageHasNoProblems(t *testing.T) {
	body := obj{"flags": FlagComponentsV2, "attachments": []obj{{"id": 0}}, "allowed_mentions": obj{"users": []string{"1"}}, "components": []obj{{
		"type": Container, "components": []obj{
			{"type": TextDisplay, "content": "Your move <@1>"},
			{"type": MediaGallery, "items": []obj{{"media": obj{"url": "attachment://b.png"}, "description": "board"}}},
			{"type": ActionRow, "components": []obj{button("go", "Go")}},
		}}},
	}
	f := &Form{}
	m := f.Message("", decoded(t, body), Request{Kind: CreateMessage, Version: 10, Files: []File{picture(t, 0, "b.png")}})
	if p := f.Problems(); len(p) != 0 {
		t.Fatalf("problems = %q", p)
	}
	var ids []int
	Walk(m.Components, func(c *Component) { ids = append(ids, c.ID) })
	if d := cmp.Diff([]int{1, 2, 3, 4, 5}, ids); d != "" {
		t.Errorf("component IDs (-want +got):\n%s", d)
	}
	if m.Mentions == nil || m.Mentions.Users || !slices.Equal(m.Mentions.UserIDs, []string{"1"}) {
		t.Errorf("mentions = %+v", m.Mentions)
	}
}

func TestAnEditMayNotGoBackFromTheNewerLayout(t *testing.T) {
	old := &Stored{Flags: FlagComponentsV2, Components: 1}
	f := &Form{}
	f.Message("", decoded(t, obj{"content": "text", "allowed_mentions": quiet}), Request{Kind: EditMessage, Version: 10, Old: old})
	wantMistake(t, f, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")

	old = &Stored{Content: "text"}
	f = &Form{}
	f.Message("", decoded(t, obj{"flags": FlagComponentsV2, "allowed_mentions": quiet}), Request{Kind: EditMessage, Version: 10, Old: old})
	wantMistake(t, f, "flags", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")
}

func TestAMessageIsEmptyWhenNothingWouldBeLeft(t *testing.T) {
	text := &Stored{Content: "x"}
	buttons := &Stored{Components: 1}
	file := &Stored{Attachments: []StoredFile{{"7", "a.txt"}}}
	for _, c := range []struct {
		name string
		body obj
		old  *Stored
		want bool
	}{
		{"new, blank", obj{"content": " "}, nil, true},
		{"new, text", obj{"content": "x"}, nil, false},
		{"new, components", obj{"components": row(button("a", "x"))}, nil, false},
		{"an edit of nothing", obj{}, text, false},
		{"the text goes", obj{"content": ""}, text, true},
		{"the text goes with null", obj{"content": nil}, text, true},
		{"the text goes, a button comes", obj{"content": "", "components": row(button("a", "x"))}, text, false},
		{"the buttons stay", obj{"content": ""}, buttons, false},
		{"the buttons go", obj{"components": []obj{}}, buttons, true},
		{"the file stays", obj{"content": ""}, file, false},
		{"the file goes", obj{"attachments": []obj{}}, file, true},
	} {
		kind := CreateMessage
		if c.old != nil {
			kind = EditMessage
		}
		m := (&Form{}).Message("", decoded(t, c.body), Request{Kind: kind, Version: 10, Old: c.old})
		if got := m.Empty(c.old); got != c.want {
			t.Errorf("%s: empty = %v", c.name, got)
		}
	}
}

// TestEnforcedNoncesAreForNewMessagesOnly: the other routes ignore the field, so
// a bot that relies on it there would send twice.
func TestEnforcedNoncesAreForNewMessagesOnly(t *testing.T) {
	for kind, want := range map[Kind]int{CreateMessage: 0, FollowUp: 1} {
		for _, on := range []bool{true, false} {
			f := &Form{}
			f.Message("", decoded(t, obj{"content": "x", "enforce_nonce": on, "allowed_mentions": quiet}), Request{Kind: kind, Version: 10})
			if n := len(f.Problems()); on && n != want || !on && n != 0 {
				t.Errorf("kind %d, enforce_nonce %v: %q", kind, on, f.Problems())
			}
		}
	}
}
