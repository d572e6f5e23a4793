package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// world is a simulator with two people and a text channel, and a raw client
// that plays the bot.
type world struct {
	t       *testing.T
	sim     *discordsim.Server
	srv     *httptest.Server
	ctx     context.Context
	guild   string
	general string
	ann     string
	ben     string
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newWorld(t *testing.T, o discordsim.Options) *world {
	t.Helper()
	return serve(t, discordsim.New(o))
}

func serve(t *testing.T, sim *discordsim.Server) *world {
	t.Helper()
	w := &world{t: t, sim: sim, srv: httptest.NewServer(sim)}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	w.ctx = ctx
	t.Cleanup(func() {
		cancel()
		sim.Close()
		w.srv.Close()
	})
	w.guild = sim.AddGuild("Club", "")
	w.general = sim.AddChannel(w.guild, "general")
	w.ann = sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann"})
	w.ben = sim.AddUser(discordsim.User{Name: "ben", DisplayName: "Ben", Locale: "de"})
	sim.Join(w.guild, w.ann)
	sim.Join(w.guild, w.ben)
	return w
}

type obj = map[string]any

type file struct {
	name, typ string
	data      []byte
}

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rest sends a request as a bot and gives status and decoded answer.
func (w *world) rest(method, path string, body any, files ...file) (int, obj) {
	w.t.Helper()
	var rd io.Reader
	typ := ""
	if body != nil {
		data, ok := body.(string)
		if !ok {
			b, err := json.Marshal(body)
			if err != nil {
				w.t.Fatal(err)
			}
			data = string(b)
		}
		rd, typ = strings.NewReader(data), "application/json"
		if len(files) > 0 {
			var buf bytes.Buffer
			mw := multipart.NewWriter(&buf)
			p, _ := mw.CreatePart(textproto.MIMEHeader{
				"Content-Disposition": {`form-data; name="payload_json"`}, "Content-Type": {"application/json"}})
			io.WriteString(p, data)
			for i, f := range files {
				p, _ := mw.CreatePart(textproto.MIMEHeader{
					"Content-Disposition": {fmt.Sprintf(`form-data; name="files[%d]"; filename="%s"`, i, f.name)}, "Content-Type": {f.typ}})
				p.Write(f.data)
			}
			mw.Close()
			rd, typ = &buf, mw.FormDataContentType()
		}
	}
	if !strings.HasPrefix(path, "/api") {
		path = "/api/v10" + path
	}
	req, err := http.NewRequestWithContext(w.ctx, method, w.srv.URL+path, rd)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot secret")
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	if typ != "" {
		req.Header.Set("Content-Type", typ)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, obj{"error": err.Error()}
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body)
	var v any
	json.Unmarshal(data, &v)
	out, ok := v.(obj)
	if !ok {
		out = obj{"list": v, "text": string(data)}
	}
	out["header"] = resp.Header
	return resp.StatusCode, out
}

// send posts a message with allowed_mentions and gives its ID.
func (w *world) send(channel string, body obj, files ...file) string {
	w.t.Helper()
	if body["allowed_mentions"] == nil {
		body["allowed_mentions"] = obj{"parse": []string{}}
	}
	status, out := w.rest("POST", "/channels/"+channel+"/messages", body, files...)
	if status != 200 {
		w.t.Fatalf("sending: %d %v", status, out)
	}
	return out["id"].(string)
}

// register puts global commands.
func (w *world) register(commands ...obj) {
	w.t.Helper()
	if status, out := w.rest("PUT", "/applications/"+w.sim.ApplicationID()+"/commands", commands); status != 200 {
		w.t.Fatalf("registering: %d %v", status, out)
	}
}

var lasca = obj{
	"name": "lasca", "description": "Play Lasca", "contexts": []int{0, 1},
	"options": []obj{
		{"type": 1, "name": "play", "description": "Play the machine", "name_localizations": obj{"de": "spielen"}, "options": []obj{
			{"type": 4, "name": "level", "description": "How strong", "required": true, "min_value": 1, "max_value": 8},
			{"type": 3, "name": "colour", "name_localizations": obj{"de": "farbe"}, "description": "Yours", "choices": []obj{
				{"name": "White", "value": "white", "name_localizations": obj{"de": "Weiß"}}, {"name": "Black", "value": "black"}}},
		}},
		{"type": 1, "name": "challenge", "description": "Play somebody", "options": []obj{
			{"type": 6, "name": "user", "description": "Whom", "required": true},
			{"type": 3, "name": "note", "description": "A word", "max_length": 20},
		}},
		{"type": 1, "name": "move", "description": "Move", "options": []obj{
			{"type": 3, "name": "move", "description": "Notation", "required": true, "autocomplete": true},
		}},
	},
}

// event is a gateway frame.
type event struct {
	Op int             `json:"op"`
	T  string          `json:"t"`
	S  int64           `json:"s"`
	D  json.RawMessage `json:"d"`
}

// gateway is a raw connection.
type gateway struct {
	t  *testing.T
	ws *websocket.Conn
}

func (w *world) dial() *gateway {
	w.t.Helper()
	ws, _, err := websocket.DefaultDialer.DialContext(w.ctx, strings.Replace(w.srv.URL, "http", "ws", 1)+"/gateway/?v=9&encoding=json", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	deadline, _ := w.ctx.Deadline()
	ws.SetReadDeadline(deadline)
	w.t.Cleanup(func() { ws.Close() })
	return &gateway{w.t, ws}
}

func (g *gateway) read() event {
	g.t.Helper()
	var e event
	if err := g.ws.ReadJSON(&e); err != nil {
		g.t.Fatalf("gateway: %v", err)
	}
	return e
}

// closeCode reads until the connection ends.
func (g *gateway) closeCode() int {
	for {
		if _, _, err := g.ws.ReadMessage(); err != nil {
			if ce, ok := err.(*websocket.CloseError); ok {
				return ce.Code
			}
			return 0
		}
	}
}

func (g *gateway) send(op int, d any) { g.ws.WriteJSON(obj{"op": op, "d": d}) }

func identify(intents int) obj {
	return obj{"token": "secret", "intents": intents, "properties": obj{"os": "test"}}
}

// ready connects, identifies and reads READY.
func (w *world) ready(intents int) (*gateway, obj) {
	w.t.Helper()
	g := w.dial()
	if e := g.read(); e.Op != 10 {
		w.t.Fatalf("first frame has op %d, want HELLO", e.Op)
	}
	g.send(2, identify(intents))
	e := g.read()
	if e.T != "READY" || e.S != 1 {
		w.t.Fatalf("got %+v, want READY with s 1", e)
	}
	var d obj
	json.Unmarshal(e.D, &d)
	return g, d
}

// answer is what the bot under test does with an interaction.
type answer func(i obj)

// bot connects and calls f for every interaction, one after the other.
func (w *world) bot(f answer) {
	w.t.Helper()
	g, _ := w.ready(0)
	go func() {
		for {
			var e event
			if g.ws.ReadJSON(&e) != nil {
				return
			}
			if e.T == "INTERACTION_CREATE" {
				var i obj
				json.Unmarshal(e.D, &i)
				f(i)
			}
		}
	}()
}

func (w *world) callback(i obj, typ int, data any, files ...file) (int, obj) {
	body := obj{"type": typ}
	if data != nil {
		body["data"] = data
	}
	return w.rest("POST", fmt.Sprintf("/interactions/%s/%s/callback?with_response=true", i["id"], i["token"]), body, files...)
}

// clean fails the test if the bot did anything wrong.
func (w *world) clean() {
	w.t.Helper()
	for _, v := range w.sim.Violations() {
		w.t.Errorf("violation: %s", v)
	}
}

// violated checks that some violation holds the text.
func (w *world) violated(text string) {
	w.t.Helper()
	for _, v := range w.sim.Violations() {
		if strings.Contains(v, text) {
			return
		}
	}
	w.t.Errorf("no violation has %q in %q", text, w.sim.Violations())
}

func code(out obj) int {
	c, _ := out["code"].(float64)
	return int(c)
}

func row(components ...obj) []obj {
	return []obj{{"type": 1, "components": components}}
}

func button(id, label string) obj {
	return obj{"type": 2, "style": 1, "custom_id": id, "label": label}
}

var quiet = obj{"parse": []string{}}

// serveAgain serves another simulator for the people and places of w.
func serveAgain(t *testing.T, w *world) *world {
	w.srv = httptest.NewServer(w.sim)
	t.Cleanup(func() { w.sim.Close(); w.srv.Close() })
	return w
}
