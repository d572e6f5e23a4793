package webui_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

func TestBrowserListsThreadsUnderTheirChannel(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	for _, width := range []int64{1280, 390} {
		w := newWorld(t, discordsim.Options{})
		gameBot(t, w)
		message, err := w.sim.As(w.ben).Say(t.Context(), w.board, "who plays?")
		if err != nil {
			t.Fatal(err)
		}
		old := w.sim.AddThread(w.board, "an old game")
		w.sim.SetThread(old, true, false)
		thread, err := w.sim.As(w.ben).StartThread(w.board, message.ID, "our game")
		if err != nil {
			t.Fatal(err)
		}
		forum := w.sim.AddForum(w.guild, "matches")
		post, err := w.sim.As(w.ben).StartPost(forum, "looking for a game", "Anybody?")
		if err != nil {
			t.Fatal(err)
		}
		cleo := open(w.page.URL+"/?as=cleo#"+w.board, width, 800)
		drawer := func() {
			if width < 600 {
				cleo.Click(browsertest.ID("drawer-toggle"))
				cleo.Until(`document.querySelector('[data-testid=side]').getBoundingClientRect().left === 0`)
			}
		}
		line := func(id string) string { return browsertest.ID("channel", `[data-channel-id="`+id+`"]`) }
		drawer()
		// Open threads come before archived ones, both below their channel.
		want := fmt.Sprintf("%s %s %s %s %s %s", w.board, thread, old, w.other, forum, post)
		if got := browsertest.Eval[string](cleo, `[...document.querySelectorAll('[data-testid=channel]')].map((c) => c.dataset.channelId).join(' ')`); got != want {
			t.Errorf("%d px: the list is %s, want %s", width, got, want)
		}
		cleo.Until(browsertest.Has(line(old), "archiviert"))
		cleo.KeepPicture(fmt.Sprint("threads-", width))
		cleo.Click(line(post))
		cleo.Until(browsertest.Has(browsertest.ID("content"), "Anybody?"))
		drawer()
		cleo.Click(line(old))
		cleo.Until(`document.querySelector('[data-testid=scroller]').getAttribute('aria-label') === '#an old game'`)
		if width < 600 { // the drawer has slid away
			cleo.Until(`document.querySelector('[data-testid=side]').getBoundingClientRect().right <= 0`)
		}
		// Writing opens the thread again, for everybody to see.
		cleo.Click(browsertest.ID("composer-input"))
		cleo.Keys("still here" + kb.Enter)
		cleo.Until(browsertest.Has(browsertest.ID("content"), "still here"))
		cleo.Until(`!document.querySelector('` + line(old) + ` .channel-lock')`)
		if browsertest.Eval[bool](cleo, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d px: the page is too wide", width)
		}
		cleo.Quiet()
	}
}

func TestBrowserNamesAChannelThatWasMentionedBeforeItWasKnown(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	gameBot(t, w)
	ben := w.sim.As(w.ben)
	first, err := ben.Say(t.Context(), w.board, "who plays?")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ben.Say(t.Context(), w.board, "here: <#"+first.ID+">"); err != nil { // a thread has its message's ID
		t.Fatal(err)
	}
	cleo := open(w.page.URL+"/?as=cleo#"+w.board, 390, 800)
	cleo.Until(browsertest.Has(browsertest.ID("content"), "here: #unbekannt"))
	if _, err := ben.StartThread(w.board, first.ID, "our game"); err != nil {
		t.Fatal(err)
	}
	cleo.Until(browsertest.Has(browsertest.ID("content"), "here: #our game"))
	cleo.Quiet()
}
