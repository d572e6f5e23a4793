package webui_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

// gameBot answers like a game: a board with buttons, a private hint, a form.
func gameBot(t *testing.T, w *world) *testBot {
	bot := w.connect()
	board := func(content string, c color.Color, labels ...string) map[string]any {
		buttons := []map[string]any{}
		for _, label := range labels {
			buttons = append(buttons, button(label, "move:"+label, 1))
		}
		return map[string]any{
			"content": content, "allowed_mentions": quiet(),
			"components": []any{row(buttons...), row(
				button("Hint", "hint", 2), button("Undo", "silent", 2), button("Draw", "form", 2), button("Resign", "resign", 4), button("⋯", "more", 2))},
			"attachments": []any{map[string]any{"id": "0", "filename": "board.png", "description": "Board: " + content}},
			"files":       map[string][]byte{"board.png": picture(t, 720, 775, c)},
		}
	}
	bot.answers(func(i interaction) (int, map[string]any) {
		switch {
		case i.Type == 4:
			return 8, map[string]any{"choices": []any{map[string]any{"name": "c3-d4", "value": "c3d4"}, map[string]any{"name": "e3-d4", "value": "e3d4"}}}
		case i.Type == 5:
			return 4, map[string]any{"content": "form sent", "flags": 64, "allowed_mentions": quiet()}
		case i.Data.CustomID == "silent" && bot.silent != nil:
			bot.silent()
		case i.Data.CustomID == "hint":
			return 4, map[string]any{"content": "Level 8 would play **c3-d4**.", "flags": 64, "allowed_mentions": quiet()}
		case i.Data.CustomID == "more":
			return 4, map[string]any{"content": "Which side?", "flags": 64, "allowed_mentions": quiet(), "components": []any{row(map[string]any{
				"type": 3, "custom_id": "side", "placeholder": "Your side", "options": []any{map[string]any{"label": "White", "value": "w"}, map[string]any{"label": "Black", "value": "b"}}})}}
		case i.Data.CustomID == "side":
			return 7, map[string]any{"content": "You chose " + i.Data.Values[0], "components": []any{}, "allowed_mentions": quiet()}
		case i.Data.CustomID == "form":
			return 9, map[string]any{"custom_id": "note", "title": "A note", "components": []any{row(map[string]any{"type": 4, "custom_id": "text", "label": "Your note", "style": 1})}}
		case strings.HasPrefix(i.Data.CustomID, "move:"):
			return 7, board("after "+i.Data.CustomID, color.Black, "d4", "f4")
		case i.Data.TargetID != "":
			return 4, map[string]any{"content": "<@" + i.Data.TargetID + ">, you are challenged.", "allowed_mentions": pinging(i.Data.TargetID), "components": []any{row(button("Accept", "accept", 3))}}
		case len(i.Data.Options) > 0 && i.Data.Options[0].Name == "play":
			return 4, board("your move", color.White, "c3 ×2", "e3 ×1")
		case len(i.Data.Options) > 0 && i.Data.Options[0].Name == "challenge":
			return 5, map[string]any{}
		}
		return 0, nil
	})
	return bot
}

func TestBrowserPlaysFromTheFirstCardToAMove(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	clock := discordsim.NewManualClock(time.Now())
	w := newWorld(t, discordsim.Options{Clock: clock})
	bot := gameBot(t, w)
	bot.silent = func() { clock.Advance(3 * time.Second) }
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)

	ann.Until(browsertest.Has(browsertest.ID("intro"), "open a second tab as Ben"))
	ann.KeepPicture("intro")
	ann.Click(browsertest.ID("example"))
	ann.Until(browsertest.Has(browsertest.ID("composer-command"), "lasca play"))
	if got := browsertest.Eval[string](ann, `document.querySelector('[data-testid=command-field][data-option=level]').value`); got != "2" {
		t.Errorf("the example fills in level %q, want 2", got)
	}
	ann.Keys(kb.Enter)
	ann.Until(browsertest.Has(browsertest.ID("message")+" "+browsertest.ID("button"), "c3"))
	ann.Until(`document.querySelector('[data-testid=picture]').complete`)
	ann.KeepPicture("board")

	// Question, picture and all buttons fit at 800 px.
	fits := browsertest.Eval[bool](ann, `(() => { const view = document.querySelector('[data-testid=scroller]').getBoundingClientRect();
		const message = document.querySelector('[data-testid=message]'); const box = message.getBoundingClientRect();
		return box.top >= view.top && box.bottom <= view.bottom && document.documentElement.scrollWidth <= innerWidth; })()`)
	if !fits {
		t.Error("the board message does not fit the window")
	}
	if got := browsertest.Eval[string](ann, `document.querySelector('[data-custom-id="move:c3 ×2"]').getAttribute('aria-label')`); got != "c3 ×2" {
		t.Errorf("the button is called %q", got)
	}
	if got := browsertest.Eval[string](ann, `document.querySelector('[data-testid=picture]').alt`); got != "Board: your move" {
		t.Errorf("the picture is described as %q", got)
	}

	// A click shows that it waits. Then the message changes: the picture stays in
	// its place and the focus on a button.
	before := browsertest.Eval[float64](ann, `document.querySelector('[data-testid=picture]').getBoundingClientRect().top`)
	waiting := browsertest.Eval[bool](ann, `(() => { const b = document.querySelector('[data-custom-id="move:c3 ×2"]'); b.focus(); b.click(); return b.getAttribute('aria-disabled') === 'true' && b.matches('.pressed'); })()`)
	if !waiting {
		t.Error("a pressed button does not show that it waits")
	}
	ann.Until(browsertest.Has(browsertest.ID("content"), "after move:c3"))
	ann.Until(`document.querySelector('[data-testid=picture]').alt.includes('after')`)
	if after := browsertest.Eval[float64](ann, `document.querySelector('[data-testid=picture]').getBoundingClientRect().top`); after != before {
		t.Errorf("the picture jumped from %v to %v", before, after)
	}
	if got := browsertest.Eval[int](ann, `document.querySelectorAll('[data-testid=message]').length`); got != 1 {
		t.Errorf("%d messages after the edit, want 1", got)
	}
	if got := browsertest.Eval[string](ann, `document.activeElement.dataset.customId ?? ''`); got != "move:d4" {
		t.Errorf("the focus is on %q, want the first button", got)
	}

	// Private answers look private and can be dismissed.
	ann.Click(browsertest.ID("button", `[data-custom-id="hint"]`))
	private := browsertest.ID("message", `[data-private="true"]`)
	ann.Until(browsertest.Has(private, "Only you can see this"))
	ann.Until(`document.querySelector('` + private + ` strong').textContent === 'c3-d4'`)
	ann.KeepPicture("hint")
	ann.Click(private + " " + browsertest.ID("dismiss"))
	ann.Until(`!document.querySelector('` + private + `')`)

	// A missing answer is reported below the message, and the buttons work again.
	ann.Click(browsertest.ID("button", `[data-custom-id="silent"]`))
	ann.Until(browsertest.Has(browsertest.ID("failure"), "The application did not respond"))
	ann.Until(`!document.querySelector('[data-testid=button][aria-disabled=true]')`)

	// A select menu.
	ann.Click(browsertest.ID("button", `[data-custom-id="more"]`))
	ann.Until(`document.querySelector('[data-testid=select]').getAttribute('aria-label') === 'Your side'`)
	browsertest.Eval[bool](ann, `(() => { const s = document.querySelector('[data-testid=select]'); s.value = 'b'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	ann.Until(browsertest.Has(private, "You chose b"))

	// A form.
	ann.Click(browsertest.ID("button", `[data-custom-id="form"]`))
	ann.Until(`document.querySelector('[data-testid=modal]').open`)
	ann.Keys("hello" + kb.Enter)
	ann.Until(browsertest.Has(private, "form sent"))
	ann.Quiet()
}

func TestBrowserShowsMentionsInOtherChannels(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	ben := open(w.page.URL+"/?as=ben#"+w.other, 1280, 800)
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)

	// A user command from a person's menu.
	ann.Click(browsertest.ID("person", `[data-user-id="`+w.ben+`"]`))
	ann.Click(browsertest.ID("user-command"))
	ann.Until(browsertest.Has(browsertest.ID("content"), "@Ben, you are challenged."))

	ben.Until(browsertest.Has(browsertest.ID("notice"), "Lasca mentioned you in #board-room"))
	ben.Until(browsertest.Has(browsertest.ID("channel", `[data-channel-id="`+w.board+`"]`)+" "+browsertest.ID("badge"), "1"))
	ben.Until(`document.title.startsWith('(1) ')`)
	ben.KeepPicture("notice")
	ben.Click(browsertest.ID("notice-show"))
	ben.Until(browsertest.Has(browsertest.ID("content"), "you are challenged"))
	ben.Until(`!document.querySelector('[data-testid=notice]') && !document.querySelector('[data-testid=badge]')`)
	ben.Until(`document.querySelector('.mention.me').textContent === '@Ben'`)

	// What is typed as plain text appears for both.
	ben.Click(browsertest.ID("composer-input"))
	ben.Keys("hello <b>Ann</b>" + kb.Enter)
	for _, page := range []*browsertest.Tab{ben, ann} {
		page.Until(browsertest.Has(browsertest.ID("content"), "hello <b>Ann</b>"))
	}
	ann.Quiet()
	ben.Quiet()
}

func TestBrowserComposerFillsCommands(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	cleo := open(w.page.URL+"/?as=cleo#"+w.board, 1280, 800)
	if got := browsertest.Eval[string](cleo, `document.documentElement.lang`); got != "de" {
		t.Errorf("the page is in %q for Cleo, want de", got)
	}
	fields := `Object.fromEntries([...document.querySelectorAll('[data-testid=command-field]')].map((f) => [f.dataset.option, f.value]))`
	check := func(when string, want map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, browsertest.Eval[map[string]string](cleo, fields)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}

	// The list filters by the reader's own names; Tab takes the entry.
	cleo.Click(browsertest.ID("composer-input"))
	cleo.Keys("/spie")
	cleo.Until(`document.querySelectorAll('[data-testid=composer-item]').length === 1`)
	cleo.Until(browsertest.Has(browsertest.ID("composer-item"), "Gegen den Bot spielen"))
	cleo.Keys(kb.Tab)
	cleo.Until(browsertest.Has(browsertest.ID("composer-command"), "lasca spielen"))
	// Options can be typed on as in a line, in either language.
	cleo.Keys("stufe:4 colour:sch")
	check("typed", map[string]string{"level": "4", "colour": "sch"})
	cleo.Until(browsertest.Has(browsertest.ID("composer-item"), "Schwarz"))
	cleo.Keys(kb.Enter)
	check("taken from the list", map[string]string{"level": "4", "colour": "Schwarz"})
	cleo.Keys(kb.Enter)
	cleo.Until(browsertest.Has(browsertest.ID("content"), "your move"))

	// A missing required option is named, and its field gets the focus.
	cleo.Click(browsertest.ID("composer-input"))
	cleo.Keys("/lasca challenge" + kb.Enter + kb.Escape + kb.Enter)
	cleo.Until(browsertest.Has(browsertest.ID("composer-error"), "user"))
	if got := browsertest.Eval[string](cleo, `document.activeElement.dataset.option ?? ''`); got != "user" {
		t.Errorf("the focus is on %q, want the missing option", got)
	}
	cleo.Keys("@be" + kb.Enter)
	check("person", map[string]string{"user": "Ben"})
	// Autocomplete asks the bot.
	cleo.Keys("move:")
	cleo.Until(browsertest.Has(browsertest.ID("composer-item"), "e3-d4"))
	cleo.Keys(kb.ArrowDown + kb.ArrowDown + kb.Enter)
	check("autocomplete", map[string]string{"user": "Ben", "move": "e3-d4"})
	cleo.KeepPicture("fields")
	// Escape closes the list, then leaves the command.
	cleo.Keys(kb.Escape + kb.Escape)
	cleo.Until(`!document.querySelector('[data-testid=command-field]') && document.querySelector('[data-testid=composer-input]').value === ''`)
	// A wrong command is not posted as a message.
	cleo.Keys("/nonsense" + kb.Enter)
	cleo.Until(browsertest.Has(browsertest.ID("composer-error"), "/nonsense"))
	for _, message := range w.sim.Messages(w.cleo, w.board) {
		if strings.Contains(message.Content, "nonsense") {
			t.Error("an unknown command was posted as a message")
		}
	}
	cleo.Quiet()
}

func TestBrowserTakesWholeCommandsAtOnce(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)
	fields := `Object.fromEntries([...document.querySelectorAll('[data-testid=command-field]')].map((f) => [f.dataset.option, f.value]))`
	paste := func(text string) {
		t.Helper()
		browsertest.Eval[bool](ann, `document.execCommand('insertText', false, `+browsertest.Quote(text)+`)`)
	}
	want := map[string]string{"user": "ben", "move": "c3-d4"}
	for _, test := range []struct {
		name  string
		enter func()
	}{
		{"pasted", func() { paste("/lasca challenge user:ben move:c3-d4") }},
		{"typed", func() { ann.Keys("/lasca challenge user:ben move:c3-d4") }},
		{"the rest pasted", func() { ann.Keys("/lasca challenge "); paste("user:ben move:c3-d4") }},
		{"the first value without its name", func() { paste("/lasca challenge ben move:c3-d4") }},
		{"pasted over one that is open", func() {
			ann.Keys("/lasca challenge cleo move:e3")
			paste("") // nothing
			ann.Keys(kb.Escape)
			browsertest.Eval[bool](ann, `(document.activeElement.select(), true)`)
			paste("/lasca challenge user:ben move:c3-d4")
		}},
		{"an option again, which counts", func() { paste("/lasca challenge user:ben move:e3-f4"); paste(" move:c3-d4") }},
	} {
		ann.Click(browsertest.ID("composer-input"))
		test.enter()
		if diff := cmp.Diff(want, browsertest.Eval[map[string]string](ann, fields)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if got := browsertest.Eval[string](ann, `document.querySelector('[data-testid=composer-error]').textContent`); got != "" {
			t.Errorf("%s: %s", test.name, got)
		}
		ann.Keys(kb.Escape + kb.Escape + kb.Escape)
		ann.Until(`!document.querySelector('[data-testid=command-field]')`)
	}
	ann.Quiet()
}

func TestBrowserJumpsToMessagesAndToOnesOwnResult(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	ben := w.sim.As(w.ben)
	say := func(channel, text string) string {
		t.Helper()
		m, err := ben.Say(t.Context(), channel, text)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	there := say(w.other, "the game is here")
	for i := range 60 {
		say(w.other, fmt.Sprintf("line %d", i))
	}
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)
	// A link to a message is a chip that names the channel and jumps.
	say(w.board, "see https://discord.com/channels/1/"+w.other+"/"+there+" or [**there**](https://discord.com/channels/1/"+w.other+"/"+there+")")
	chips := `[...document.querySelectorAll('[data-testid=message-mention]')]`
	ann.Until(chips + `.length === 2 && ` + chips + `[0].textContent.startsWith('#') && ` + chips + `[1].textContent === 'there'`)
	ann.Click(browsertest.ID("message-mention"))
	inView := func(id string) string {
		return `(() => { const m = document.querySelector('[data-message-id="` + id + `"]').getBoundingClientRect(), v = document.querySelector('[data-testid=scroller]').getBoundingClientRect(); return m.top > v.top - 2 && m.bottom < v.bottom + 2; })()`
	}
	ann.Until(`location.hash === '#` + w.other + `' && ` + inView(there))

	// Whoever presses a button further up sees what came of it.
	ann.Click(browsertest.ID("channel", `[data-channel-id="`+w.board+`"]`))
	ann.Click(browsertest.ID("composer-input"))
	ann.Keys("/lasca play" + kb.Enter)
	ann.Until(browsertest.Has(browsertest.ID("button"), "c3"))
	for i := range 40 {
		say(w.board, fmt.Sprintf("line %d", i))
	}
	ann.Until(browsertest.Has(browsertest.ID("content"), "line 39"))
	browsertest.Eval[bool](ann, `(document.querySelector('[data-custom-id="hint"]').scrollIntoView({ block: 'center' }), true)`)
	ann.Click(browsertest.ID("button", `[data-custom-id="hint"]`))
	private := `document.querySelector('[data-testid=message][data-private="true"]')`
	ann.Until(private + ` && ` + strings.ReplaceAll(inView("x"), `document.querySelector('[data-message-id="x"]')`, private))
	ann.Quiet()
}

func TestBrowserFitsAPhone(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	ann := open(w.page.URL+"/?as=ann#"+w.board, 390, 844)
	ann.Click(browsertest.ID("example"))
	ann.Click(browsertest.ID("composer-send"))
	ann.Until(browsertest.Has(browsertest.ID("button"), "c3"))
	ann.Until(`document.querySelector('[data-testid=picture]').complete`)
	ann.KeepPicture("board")
	type measure struct {
		Overflow, PictureWidth float64
		Low, Rows              int
	}
	got := browsertest.Eval[measure](ann, `(() => {
		const buttons = [...document.querySelectorAll('[data-testid=button]')].map((b) => b.getBoundingClientRect());
		return { Overflow: document.documentElement.scrollWidth - innerWidth, PictureWidth: document.querySelector('[data-testid=picture]').getBoundingClientRect().width,
			Low: buttons.filter((b) => b.height < 44).length, Rows: new Set(buttons.map((b) => b.top)).size };
	})()`)
	if diff := cmp.Diff(measure{Overflow: 0, PictureWidth: 390 - 24, Low: 0, Rows: 2}, got); diff != "" {
		t.Errorf("layout (-want +got):\n%s", diff)
	}
	// Whatever can be pressed is at least 40 px high for the finger, unless another target is nearer.
	ann.Click(browsertest.ID("button", `[data-custom-id="hint"]`))
	ann.Until(browsertest.Has(browsertest.ID("message", `[data-private="true"]`), "Only you can see this"))
	small := `[...document.querySelectorAll('button, a[href], select, input, [role=button]')].filter((e) => {
		e.scrollIntoView({ block: 'center' });
		const box = e.getBoundingClientRect();
		if (box.width === 0 || e.disabled || getComputedStyle(e).visibility === 'hidden' || e.matches('.picture, .face *')) return false;
		const x = box.left + box.width / 2, y = box.top + box.height / 2;
		const target = (dy) => document.elementFromPoint(x, y + dy)?.closest('button, a[href], select, input, label, [role=button]');
		return [-19, 19].some((dy) => y + dy > 0 && y + dy < innerHeight && target(dy) !== e && !target(dy));
	}).map((e) => e.outerHTML.slice(0, 120))`
	if got := browsertest.Eval[[]string](ann, small); len(got) > 0 {
		t.Errorf("too small for a finger:\n%s", strings.Join(got, "\n"))
	}
	ann.Click(browsertest.ID("drawer-toggle"))
	ann.Until(`document.querySelector('[data-testid=side]').getBoundingClientRect().left === 0 && document.querySelector('[data-testid=side] [data-testid=person]')`)
	ann.KeepPicture("drawer")
	if got := browsertest.Eval[[]string](ann, strings.Replace(small, "document.querySelectorAll(", "document.querySelector('[data-testid=side]').querySelectorAll(", 1)); len(got) > 0 {
		t.Errorf("too small for a finger in the list of channels:\n%s", strings.Join(got, "\n"))
	}
	ann.Click(browsertest.ID("channel", `[data-channel-id="`+w.other+`"]`))
	ann.Until(`getComputedStyle(document.querySelector('[data-testid=side]')).visibility === 'hidden' && location.hash === '#` + w.other + `'`)
	ann.Quiet()
}

func TestBrowserComesBackAfterALostConnection(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	w.connect()
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)
	w.leave()
	w.page.CloseClientConnections()
	if _, err := w.sim.As(w.ben).Say(t.Context(), w.board, "while you were away"); err != nil {
		t.Fatal(err)
	}
	ann.Until(browsertest.Has(browsertest.ID("content"), "while you were away"))
	ann.Until(browsertest.Has(browsertest.ID("connection")+":not([hidden])", "Lasca is not connected"))
	w.connect()
	ann.Until(`document.querySelector('[data-testid=connection]').hidden`)
}

func TestBrowserShowsThatTheBotThinks(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	bot := gameBot(t, w)
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)
	ann.Click(browsertest.ID("composer-input"))
	ann.Keys("/lasca challenge user:ben" + kb.Enter + kb.Enter)
	ann.Until(browsertest.Has(browsertest.ID("message", `[data-message-id^="1"]`)+" "+browsertest.ID("content"), "Lasca is thinking"))
	ann.Until(`document.querySelectorAll('[data-testid=message]').length === 1`)
	bot.finish(w.sim.ApplicationID(), map[string]any{"content": "there it is", "allowed_mentions": quiet()})
	ann.Until(browsertest.Has(browsertest.ID("content"), "there it is"))
	ann.Until(`!document.querySelector('.dots')`)
	ann.Quiet()
}

// The answer to a click and the event of a later change can arrive in either order.
func TestBrowserKeepsTheNewestStateOfAMessage(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	page := open(w.page.URL+"/?as=ann", 1280, 800)
	got := browsertest.Eval[[]string](page, `import('/messages.js').then(({ MessageList }) => {
		const nobody = { id: '9', name: 'Lasca', tone: 0, bot: true };
		const list = new MessageList(document.createElement('ol'), { user: () => nobody, commandLabel: (path) => path, people: () => [], markdown: {} });
		const message = (id, revision, content) => ({ id, revision, content, channel: '1', author: nobody, at: 0, edited: false, private: false, loading: false, failed: false, newLayout: false, attachments: [], components: [] });
		const shown = [];
		const look = () => shown.push([...list.root.querySelectorAll('[data-testid=content]')].map((e) => e.textContent).join(' '));
		list.upsert(message('5', 2, 'new')); list.upsert(message('5', 1, 'old')); look();
		list.upsert(message('7', 4, 'seven')); list.reset({ revision: 3, messages: [message('5', 3, 'newer')] }); look();
		list.remove('7'); list.upsert(message('7', 9, 'ghost')); look();
		list.reset({ revision: 10, messages: [message('6', 10, 'six')] }); look();
		list.upsert(message('10', 11, 'ten')); look();
		return shown;
	})`)
	if diff := cmp.Diff([]string{"new", "newer seven", "newer", "six", "six ten"}, got); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestBrowserStaysWhereTheReaderIs(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	ben := w.sim.As(w.ben)
	say := func(text string) {
		t.Helper()
		if _, err := ben.Say(t.Context(), w.board, text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		say(fmt.Sprintf("line %d", i))
	}
	ann := open(w.page.URL+"/?as=ann#"+w.board, 1280, 800)
	atEnd := `(() => { const s = document.querySelector('[data-testid=scroller]'); return s.scrollHeight - s.scrollTop - s.clientHeight < 2; })()`
	ann.Until(atEnd)
	say("at the end")
	ann.Until(browsertest.Has(browsertest.ID("content"), "at the end") + " && " + atEnd)

	browsertest.Eval[bool](ann, `(document.querySelector('[data-testid=scroller]').scrollTop = 100, true)`)
	ann.Until(`document.querySelector('[data-testid=scroller]').scrollTop === 100`)
	say("while reading")
	ann.Until(`!document.querySelector('[data-testid=jump-latest]').hidden`)
	if got := browsertest.Eval[int](ann, `document.querySelector('[data-testid=scroller]').scrollTop`); got != 100 {
		t.Errorf("a new message moved the reader from 100 to %d", got)
	}
	ann.Click(browsertest.ID("jump-latest"))
	ann.Until(atEnd)

	// A tab can switch to another person, and remembers them when the address does not say who it is.
	ann.Click(browsertest.ID("user-switch"))
	ann.Click(browsertest.ID("user-choice", `[data-user-id="`+w.cleo+`"]`))
	ann.Until(`document.documentElement.lang === 'de' && document.body.dataset.ready`)
	ann.Do(chromedp.Navigate(w.page.URL + "/"))
	ann.Until(`document.body.dataset.ready && document.querySelector('[data-testid=user-switch]').textContent.includes('Cleo')`)
	ann.Quiet()
}

func TestBrowserDrawsMarkdownLikeDiscordAndNeverAsHTML(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	page := open(w.page.URL+"/?as=ann", 1280, 800)
	render := func(text string) string {
		t.Helper()
		return browsertest.Eval[string](page, `import('/markdown.js').then(({ markdown }) => {
			const box = document.createElement('div');
			const name = (kind) => (id) => { const e = document.createElement('x'); e.textContent = kind + id; return e; };
			box.append(...markdown(`+browsertest.Quote(text)+`, { mention: name('@'), channel: name('#'), message: (c, m, label) => name('!')(c + '/' + m + (label ? ' ' + label.length : '')), command: name('/') }));
			return box.innerHTML;
		})`)
	}
	for _, test := range []struct{ text, want string }{
		{"plain < & > text", "plain &lt; &amp; &gt; text"},
		{"**bold** *it* _it_ __u__ ~~s~~", "<strong>bold</strong> <em>it</em> <em>it</em> <u>u</u> <s>s</s>"},
		{"***both*** and **a *b* c**", "<strong><em>both</em></strong> and <strong>a <em>b</em> c</strong>"},
		{"snake_case_name 2*3*4", "snake_case_name 2<em>3</em>4"},
		{"`**code**` ``a ` b``", "<code>**code**</code> <code>a ` b</code>"},
		{"```go\nx := **1**\n```after", "<pre><code>x := **1**</code></pre>after"},
		{`\*not\* it`, "*not* it"},
		{"<@12> <@!12> <#3> </lasca play:4>", "<x>@12</x> <x>@12</x> <x>#3</x> <x>/lasca play</x>"},
		{"> quoted **x**\n> more\nout", "<blockquote>quoted <strong>x</strong>\nmore</blockquote>out"},
		{"## Head\ntext", `<div class="heading h2" role="heading" aria-level="4">Head</div>text`},
		{"- a\n- b", "<ul><li>a</li><li>b</li></ul>"},
		{"see https://example.org/a_b_c.", `see <a href="https://example.org/a_b_c" target="_blank" rel="noopener noreferrer">https://example.org/a_b_c</a>.`},
		{"at https://discord.com/channels/1/2/3.", "at <x>!2/3</x>."},
		{"<https://discord.com/channels/@me/2/3>", "<x>!2/3</x>"},
		{"[board](https://discord.com/channels/1/2/3)", "<x>!2/3 1</x>"},
		{"https://discord.com/channels/1/2", "<x>#2</x>"},
		{"https://discord.com.example.org/channels/1/2/3", `<a href="https://discord.com.example.org/channels/1/2/3" target="_blank" rel="noopener noreferrer">https://discord.com.example.org/channels/1/2/3</a>`},
		{"[x](javascript:alert(1))", "[x](javascript:alert(1))"},
		{"[**x**](https://example.org)", `<a href="https://example.org" target="_blank" rel="noopener noreferrer"><strong>x</strong></a>`},
		{"<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"},
		{"**<script>alert(1)</script>**", "<strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong>"},
		{"** not bold ** and *", "** not bold ** and *"},
	} {
		if diff := cmp.Diff(test.want, render(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
	if got := render("||secret||"); !strings.Contains(got, "secret") || !strings.Contains(got, `class="spoiler"`) || !strings.Contains(got, `aria-hidden="true"`) {
		t.Errorf("spoiler: %s", got)
	}
	if got := render(fmt.Sprintf("<t:%d:R>", time.Now().Add(3*24*time.Hour+time.Minute).Unix())); !strings.Contains(got, "in 3 days") {
		t.Errorf("relative time: %s", got)
	}
	page.Quiet()
}

func TestBrowserSpeaksEnglishAndGermanCompletely(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	page := open(w.page.URL+"/?as=ann", 1280, 800)
	// Each key with the placeholders of its text.
	catalog := func(language string) map[string][]string {
		return browsertest.Eval[map[string][]string](page, `import('/words.js').then(({ catalogs }) => Object.fromEntries(Object.entries(catalogs.`+language+`)
			.map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).sort()])))`)
	}
	if diff := cmp.Diff(catalog("en"), catalog("de")); diff != "" {
		t.Errorf("keys and placeholders (-en +de):\n%s", diff)
	}
}
