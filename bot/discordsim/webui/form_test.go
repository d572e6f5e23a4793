package webui_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

func labelled(text, description string, inside map[string]any) map[string]any {
	label := map[string]any{"type": 18, "label": text, "component": inside}
	if description != "" {
		label["description"] = description
	}
	return label
}

func choices(values ...string) (list []map[string]any) {
	for _, v := range values {
		list = append(list, map[string]any{"label": "The " + v, "value": v})
	}
	return list
}

// formBot opens one of two forms and says back what was sent.
func formBot(w *world, sent chan<- map[string]any) {
	bot := w.connect()
	bot.answers(func(i interaction) (int, map[string]any) {
		form := func(parts ...map[string]any) (int, map[string]any) {
			return 9, map[string]any{"custom_id": "form", "title": "Settings", "components": parts}
		}
		switch {
		case i.Type == 5:
			values := map[string]any{}
			for _, part := range i.Data.Components {
				if c := part.Component; c.Values != nil {
					values[c.CustomID] = c.Values
				} else if c.CustomID != "" {
					values[c.CustomID] = c.Value
				}
			}
			sent <- values
			return 4, map[string]any{"content": "saved", "flags": 64, "allowed_mentions": quiet()}
		case i.Data.CustomID == "second":
			return form(map[string]any{"type": 10, "content": "Read **this**."},
				labelled("Rival", "", map[string]any{"type": 5, "custom_id": "rival"}),
				labelled("Where", "", map[string]any{"type": 8, "custom_id": "where", "channel_types": []int{0}, "max_values": 2}),
				labelled("Game", "A text file", map[string]any{"type": 19, "custom_id": "game"}))
		case i.Data.CustomID == "first":
			return form(
				labelled("Note", "Said to everybody", map[string]any{"type": 4, "custom_id": "note", "style": 2, "value": "preset"}),
				labelled("Look", "", map[string]any{"type": 21, "custom_id": "look", "options": choices("wood", "dark", "letters")}),
				labelled("Notices", "When it is your turn", map[string]any{"type": 22, "custom_id": "notices", "max_values": 2, "options": choices("mention", "message", "silence")}),
				labelled("Ask before each move", "", map[string]any{"type": 23, "custom_id": "confirm"}),
				labelled("Language", "", map[string]any{"type": 3, "custom_id": "language", "options": choices("en", "de")}))
		}
		return 4, map[string]any{"content": "x", "allowed_mentions": quiet(), "components": []any{row(button("First", "first", 1), button("Second", "second", 1))}}
	})
}

func TestFormsOfNewerPartsAreSent(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	sent := make(chan map[string]any, 1)
	formBot(w, sent)
	board := w.json(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca play"})
	message := board["messages"].([]any)[0].(map[string]any)["id"]
	open := func(which string) any {
		return w.json(http.MethodPost, "/api/click?as=ann", map[string]any{"channel": w.board, "message": message, "component": which})["modal"].(map[string]any)["token"]
	}
	w.json(http.MethodPost, "/api/modal?as=ann", map[string]any{"modal": open("first"), "values": map[string]any{
		"note": "x", "look": []string{"dark"}, "notices": []string{"mention"}, "confirm": true, "language": []string{"de"}}})
	want := map[string]any{"note": "x", "look": "dark", "notices": []any{"mention"}, "confirm": true, "language": []any{"de"}}
	if diff := cmp.Diff(want, <-sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.json(http.MethodPost, "/api/modal?as=ann", map[string]any{"modal": open("second"), "values": map[string]any{
		"rival": []string{w.ben}, "where": []string{w.board, w.other}, "game": []map[string]any{{"name": "a.txt", "data": []byte("1. c3-d4")}}}})
	got := <-sent
	if _, file, ok := w.sim.Attachment(got["game"].([]any)[0].(string)); !ok || string(file) != "1. c3-d4" {
		t.Errorf("the file is %q, %v", file, ok)
	}
	if diff := cmp.Diff([]any{w.board, w.other}, got["where"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, values := range map[string]map[string]any{
		"nothing chosen": {}, "a number": {"note": 3}, "a mixed list": {"notices": []any{"mention", 2}},
	} {
		status, code := w.code(http.MethodPost, "/api/modal?as=ann", map[string]any{"modal": open("first"), "values": values})
		want := [2]any{http.StatusUnprocessableEntity, webui.CodeBadInput}
		if name != "nothing chosen" {
			want = [2]any{http.StatusBadRequest, webui.CodeBadRequest}
		}
		if [2]any{status, code} != want {
			t.Errorf("%s: %d %s, want %v", name, status, code, want)
		}
	}
}

func TestBrowserFillsInForms(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	for _, width := range []int64{1280, 390} {
		w := newWorld(t, discordsim.Options{})
		sent := make(chan map[string]any, 1)
		formBot(w, sent)
		ann := open(w.page.URL+"/?as=ann#"+w.board, width, 800)
		ann.Click(browsertest.ID("composer-input"))
		ann.Keys("/lasca play\n")
		field := func(id string, more ...string) string {
			return browsertest.ID("modal-field", append([]string{`[data-custom-id="` + id + `"]`}, more...)...)
		}
		choose := func(id string, values ...string) {
			t.Helper()
			browsertest.Eval[bool](ann, fmt.Sprintf(`(() => { const s = document.querySelector(%s); const chosen = %s.split(' '); for (const o of s.options) o.selected = chosen.includes(o.value);
				s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`, browsertest.Quote(field(id)), browsertest.Quote(fmt.Sprint(values)[1:len(fmt.Sprint(values))-1])))
		}
		fits := func() {
			t.Helper()
			if !browsertest.Eval[bool](ann, `(() => { const d = document.querySelector('[data-testid=modal]'); const b = d.getBoundingClientRect();
				return b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight && d.scrollWidth <= d.clientWidth; })()`) {
				t.Errorf("%d px: the form does not fit", width)
			}
		}

		ann.Click(browsertest.ID("button", `[data-custom-id=first]`))
		ann.Until(`document.querySelector('[data-testid=modal]').open`)
		fits()
		ann.KeepPicture(fmt.Sprint("form-", width))
		titles := browsertest.Eval[string](ann, `[...document.querySelectorAll('[data-testid=modal] :is(legend > span, label:not(.choices label) span:not(:has(*)))')].map((e) => e.textContent).join('|')`)
		if want := "Note *|Look *|Notices *|Ask before each move|Language *"; titles != want {
			t.Errorf("%d px: titles %q, want %q", width, titles, want)
		}
		// What is missing keeps the form open.
		ann.Click(browsertest.ID("modal-submit"))
		ann.Until(`document.querySelector('[data-testid=modal] :invalid')`)
		if n := browsertest.Eval[int](ann, `document.querySelectorAll('[data-testid=modal] legend').length`); n != 2 {
			t.Errorf("%d px: %d groups have a title, want 2", width, n)
		}
		ann.Click(field("look", `[data-value=dark]`))
		ann.Click(field("notices", `[data-value=mention]`))
		ann.Click(field("notices", `[data-value=silence]`))
		ann.Click(field("confirm"))
		choose("language", "de")
		ann.Click(browsertest.ID("modal-submit"))
		want := map[string]any{"note": "preset", "look": "dark", "notices": []any{"mention", "silence"}, "confirm": true, "language": []any{"de"}}
		if diff := cmp.Diff(want, <-sent); diff != "" {
			t.Errorf("%d px (-want +got):\n%s", width, diff)
		}
		ann.Until(`!document.querySelector('[data-testid=modal]')`)

		ann.Click(browsertest.ID("button", `[data-custom-id=second]`))
		ann.Until(`document.querySelector('[data-testid=modal] strong').textContent === 'this'`)
		fits()
		choose("rival", w.ben)
		choose("where", w.board, w.other)
		browsertest.Eval[bool](ann, `(() => { const box = new DataTransfer(); box.items.add(new File(['1. c3-d4'], 'game.txt')); document.querySelector(`+browsertest.Quote(field("game"))+`).files = box.files; return true; })()`)
		ann.KeepPicture(fmt.Sprint("form-people-", width))
		ann.Click(browsertest.ID("modal-submit"))
		got := <-sent
		if _, file, ok := w.sim.Attachment(got["game"].([]any)[0].(string)); !ok || string(file) != "1. c3-d4" {
			t.Errorf("%d px: the file is %q, %v", width, file, ok)
		}
		if diff := cmp.Diff([]any{w.board, w.other}, got["where"]); diff != "" {
			t.Errorf("%d px (-want +got):\n%s", width, diff)
		}
		ann.Quiet()
	}
}
