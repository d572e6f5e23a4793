package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

// asProgram turns the test binary into the playground itself, so that a test can
// kill it as a process.
const asProgram = "LASCABOT_TEST_PLAYGROUND"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// playground is a running playground.
type playground struct {
	cmd     *exec.Cmd
	address string
}

// start runs a playground on a folder and waits until it prints its address.
func start(t *testing.T, folder, addr string) *playground {
	t.Helper()
	p := &playground{cmd: exec.Command(os.Args[0], "-addr", addr, "-data", folder)}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "Lasca playground: "); ok {
			p.address = address
			go io.Copy(io.Discard, out) //nolint:errcheck // only keeps the pipe from filling
			return p
		}
	}
	t.Fatal("the playground ended without an address")
	return nil
}

// kill ends it as a power cut does.
func (p *playground) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// lastMessage is the newest message of the tab that has buttons and is for all.
const lastMessage = `[...document.querySelectorAll('[data-testid=message]:not([data-private="true"])')].filter((m) => m.querySelector('[data-testid=button]')).at(-1)`

// press clicks the button with a label on the newest public message.
func press(tab *browsertest.Tab, label string) {
	pressIn(tab, lastMessage, label)
}

// pressPrivate clicks the button with a label on the newest private message.
func pressPrivate(tab *browsertest.Tab, label string) {
	pressIn(tab, `[...document.querySelectorAll('[data-testid=message][data-private="true"]')].at(-1)`, label)
}

func pressIn(tab *browsertest.Tab, message, label string) {
	button := fmt.Sprintf(`[...%s.querySelectorAll('[data-testid=button]')].find((b) => b.getAttribute('aria-label').includes(%s) && !b.disabled && b.getAttribute('aria-disabled') !== 'true')`,
		message, browsertest.Quote(label))
	tab.Until(button)
	browsertest.Eval[bool](tab, `(`+button+`.click(), true)`)
}

// says waits until the newest public board says something.
func says(tab *browsertest.Tab, text string) {
	tab.Until(lastMessage + `?.textContent.includes(` + browsertest.Quote(text) + `)`)
}

// typed enters a command line and sends it.
func typed(tab *browsertest.Tab, line string) {
	tab.Click(browsertest.ID("composer-input"))
	tab.Keys(line)
	tab.Keys(kb.Enter)
}

// TestBrowser uses the playground as people do: in a browser, by buttons alone.
func TestBrowser(t *testing.T) {
	open := browsertest.Open(t, 5*time.Minute)

	t.Run("a game against level 3 is played to its end", func(t *testing.T) {
		p := start(t, t.TempDir(), "127.0.0.1:0")
		ann := open(p.address+"/?as=ann#board-room", 1280, 800)
		typed(ann, "/lasca play level:3 colour:white")
		says(ann, "your move")
		ann.KeepPicture("start")
		// Ann presses whatever comes first among the moves, as soon as she may.
		end := browsertest.Eval[string](ann, `new Promise((done) => {
			const standing = ['Hint', 'Undo', 'Draw', 'Resign', '⋯', 'Back'];
			const step = () => {
				const message = `+lastMessage+`;
				const buttons = [...message.querySelectorAll('[data-testid=button]')].filter((b) => !b.disabled && b.getAttribute('aria-disabled') !== 'true');
				if (buttons.some((b) => b.getAttribute('aria-label').includes('Rematch'))) return done(message.textContent);
				buttons.find((b) => !standing.some((s) => b.getAttribute('aria-label').includes(s)))?.click();
			};
			new MutationObserver(step).observe(document.body, {subtree: true, childList: true, attributes: true});
			setTimeout(() => done('not over: ' + document.body.innerText), 180000);
			step();
		})`)
		if !strings.Contains(end, "wins") && !strings.Contains(end, "Draw") {
			t.Errorf("the game did not end: %s", end)
		}
		ann.KeepPicture("end")
		ann.Quiet()
	})

	t.Run("a hint shows an arrow to the person who asked", func(t *testing.T) {
		p := start(t, t.TempDir(), "127.0.0.1:0")
		ann := open(p.address+"/?as=ann#board-room", 1280, 800)
		typed(ann, "/lasca play level:3 colour:white")
		says(ann, "your move")
		press(ann, "Hint")
		ann.Until(`document.querySelector('[data-testid=message][data-private="true"]')?.textContent.includes('I would play')`)
		ann.KeepPicture("hint")
		ann.Quiet()
	})

	t.Run("two play, with undo by consent, draw and resignation; a killed playground goes on", func(t *testing.T) {
		folder := t.TempDir()
		p := start(t, folder, "127.0.0.1:0")
		ann := open(p.address+"/?as=ann#board-room", 1280, 800)
		ben := open(p.address+"/?as=ben#board-room", 390, 844)
		typed(ann, "/lasca challenge user:@Ben colour:white")
		says(ben, "challenges you")
		press(ben, "Accept")
		says(ann, "your move")

		press(ann, "c3")
		press(ann, "d4")
		says(ben, "1. c3-d4")

		press(ann, "Undo")
		says(ben, "asks to take back")
		ben.KeepPicture("phone")
		press(ben, "Allow undo")
		says(ann, "took a move back")

		press(ann, "c3")
		press(ann, "b4")
		says(ben, "1. c3-b4")
		press(ben, "Draw")
		says(ann, "offers a draw")
		press(ann, "Decline the draw")
		says(ben, "declined the draw")
		ann.Quiet()
		ben.Quiet()

		addr := strings.TrimPrefix(p.address, "http://")
		p.kill()
		start(t, folder, addr)
		ann.Until(`document.querySelector('[data-testid=connection]')?.hidden !== false`)
		says(ben, "1. c3-b4")
		press(ben, "only move") // the same board's button
		says(ann, "a5xc3")

		press(ben, "Resign")
		pressPrivate(ben, "Yes, resign")
		says(ann, "Ben resigned")
	})
}
