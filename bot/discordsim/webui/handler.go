package webui

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// Options adapt the page to the bot behind it.
type Options struct {
	// Examples are command lines such as "/lasca play level:4" that the card for
	// newcomers offers, in this order. Lines whose command is not registered are
	// left out.
	Examples []string
}

//go:embed static
var static embed.FS

// The types are fixed here because those of package mime depend on the machine.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
}

// ui holds what the handlers share.
type ui struct {
	sim    *discordsim.Server
	opts   Options
	modals modalStore
	// revision numbers what is read, see [ui.nextRevision].
	revision atomic.Int64
}

// nextRevision gives the number of a reading; take it before you read. Of two
// states the page keeps the one with the higher number. Every change is announced
// by something read after it, so an answer that an event has overtaken does no
// harm.
func (u *ui) nextRevision() int64 { return u.revision.Add(1) }

// Handler serves the page for sim. It answers only requests to a loopback host
// and from the page itself; see the package comment. The caller must listen on a
// loopback address. It should not set a write timeout, which would cut the event
// stream; the page would reconnect, so only time would be lost.
func Handler(sim *discordsim.Server, opts Options) http.Handler {
	u := &ui{sim: sim, opts: opts}
	u.revision.Store(time.Now().UnixMicro()) // above those of an earlier process, which a page may still show
	mux := http.NewServeMux()
	serveStatic(mux)
	mux.HandleFunc("GET /api/state", u.asUser(u.state))
	mux.HandleFunc("GET /api/messages", u.asUser(u.messages))
	mux.HandleFunc("GET /api/events", u.asUser(u.events))
	mux.HandleFunc("POST /api/say", u.asUser(action(u.say)))
	mux.HandleFunc("POST /api/command", u.asUser(action(u.command)))
	mux.HandleFunc("POST /api/autocomplete", u.asUser(action(u.autocomplete)))
	mux.HandleFunc("POST /api/click", u.asUser(action(u.click)))
	mux.HandleFunc("POST /api/select", u.asUser(action(u.selectValues)))
	mux.HandleFunc("POST /api/user-command", u.asUser(action(u.userCommand)))
	mux.HandleFunc("POST /api/modal", u.asUser(action(u.modal)))
	mux.HandleFunc("POST /api/dismiss", u.asUser(action(u.dismiss)))
	mux.HandleFunc("POST /api/dm", u.asUser(action(u.openDM)))
	mux.HandleFunc("POST /api/switches", u.asUser(action(u.setSwitches)))
	mux.HandleFunc("GET /files/{id}/{name}", u.file)
	mux.HandleFunc("GET /emojis/{id}", u.emoji)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, &apiError{http.StatusNotFound, CodeNotFound, r.Method + " " + r.URL.Path + " does not exist"})
	})
	return guard(mux)
}

// serveStatic registers the files of the page, index.html as the root.
func serveStatic(mux *http.ServeMux) {
	files, err := fs.ReadDir(static, "static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	for _, file := range files {
		body, err := static.ReadFile("static/" + file.Name())
		if err != nil {
			panic(err) // as above
		}
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:8]) + `"`
		contentType := contentTypes[path.Ext(file.Name())]
		pattern := "GET /" + file.Name()
		if file.Name() == "index.html" {
			pattern = "GET /{$}"
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Cache-Control", "no-cache")
			w.Header().Set("ETag", tag)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
		})
	}
}
