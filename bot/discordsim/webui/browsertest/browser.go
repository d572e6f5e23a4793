// Package browsertest drives the playground's page in a real browser, headless,
// for the tests of the page and of the programs that serve it.
//
// # Design
//
// The page's policy forbids making code from text, which chromedp's own waiting
// does. [Tab.Until] waits in the page instead.
package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Tab is a page of the test browser.
type Tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	troubles []string // exceptions and console errors
}

// Open starts a browser for the test. The function it returns opens a tab of a
// size in pixels and waits until the page in it is ready. The browser is stopped
// after limit at the latest. If the machine has no browser, the test is skipped,
// or fails if LASCA_BROWSER is set.
func Open(t *testing.T, limit time.Duration) func(url string, width, height int64) *Tab {
	t.Helper()
	var path string
	for _, name := range []string{"chromium-headless", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("LASCA_BROWSER") != "" {
			t.Fatal("LASCA_BROWSER is set, but chromium is not installed")
		}
		t.Skip("chromium is not installed: the page was not tried in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("the browser did not start: %v", err)
	}
	return func(url string, width, height int64) *Tab {
		t.Helper()
		ctx, cancel := chromedp.NewContext(ctx)
		t.Cleanup(cancel)
		page := &Tab{t: t, ctx: ctx}
		var phone []chromedp.EmulateViewportOption
		if width < 600 {
			phone = append(phone, chromedp.EmulateMobile)
		}
		page.Do(chromedp.EmulateViewport(width, height, phone...))
		if err := chromedp.Listen(ctx, page.heard); err != nil {
			t.Fatal(err)
		}
		page.Do(chromedp.Navigate(url))
		page.Until(`document.body.dataset.ready`)
		return page
	}
}

func (p *Tab) heard(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		p.troubles = append(p.troubles, fmt.Sprintf("%s %v", event.ExceptionDetails.Text, event.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if event.Type == "error" || event.Type == "assert" {
			var said []string
			for _, arg := range event.Args {
				said = append(said, string(arg.Value)+arg.Description)
			}
			p.troubles = append(p.troubles, strings.Join(said, " "))
		}
	}
}

// Quiet fails the test if a script of the page failed.
func (p *Tab) Quiet() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, trouble := range p.troubles {
		p.t.Errorf("in the browser: %s", trouble)
	}
}

// Do runs chromedp's actions.
func (p *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// Eval evaluates an expression, waiting for a promise, and decodes its value.
func Eval[T any](p *Tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Until waits up to half a minute for a condition in the page, an expression of
// JavaScript. It looks at every change of the document and at every event that
// comes with a change of what is loaded, in view or in focus.
func (p *Tab) Until(condition string) {
	p.t.Helper()
	expression := fmt.Sprintf(`new Promise((done) => {
		const holds = () => { try { return Boolean(%s); } catch { return false; } };
		if (holds()) return done(true);
		const events = ['load', 'scroll', 'focusin', 'focusout', 'transitionend', 'resize', 'hashchange'];
		const look = () => { if (holds()) end(true); };
		const changes = new MutationObserver(look);
		const limit = setTimeout(() => end(holds()), 30000);
		const end = (value) => {
			changes.disconnect();
			clearTimeout(limit);
			for (const name of events) removeEventListener(name, look, true);
			done(value);
		};
		changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		for (const name of events) addEventListener(name, look, true);
	})`, condition)
	ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
	for err != nil && strings.Contains(err.Error(), "navigated") && p.ctx.Err() == nil {
		// The page went elsewhere meanwhile; the condition is about where it arrives.
		ok, err = chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		p.t.Fatalf("%s: %v", condition, err)
	}
	if !ok {
		p.KeepPicture()
		p.Quiet()
		p.t.Fatalf("never: %s\nmessages: %s", condition, Eval[string](p, `document.querySelector('[data-testid=messages]')?.innerText ?? ''`))
	}
}

// KeepPicture saves what the tab shows when WEBUI_SHOTS names a folder.
func (p *Tab) KeepPicture(names ...string) {
	folder := os.Getenv("WEBUI_SHOTS")
	if folder == "" {
		return
	}
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		name := strings.NewReplacer("/", "-").Replace(p.t.Name() + "-" + strings.Join(append(names, "failed")[:1], ""))
		err = os.WriteFile(filepath.Join(folder, name+".png"), shot, 0o644)
	}
	if err != nil {
		p.t.Log(err)
	}
}

// Click waits for an element and presses it.
func (p *Tab) Click(selector string) {
	p.t.Helper()
	p.Until(`document.querySelector(` + Quote(selector) + `)`)
	p.Do(chromedp.Click(chromedp.CSS(selector)))
}

// Keys types.
func (p *Tab) Keys(keys string) {
	p.t.Helper()
	p.Do(chromedp.KeyEvent(keys))
}

// ID is a selector for a data-testid with more attributes appended.
func ID(name string, more ...string) string {
	return `[data-testid="` + name + `"]` + strings.Join(more, "")
}

// Quote writes a text as a literal of JavaScript.
func Quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(quoted)
}

// Has is the condition that an element exists and holds the text.
func Has(selector, text string) string {
	return `[...document.querySelectorAll(` + Quote(selector) + `)].some((e) => e.textContent.includes(` + Quote(text) + `))`
}
