package webui_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
)

// world is a simulator with three people, two channels, a small bot and the page over it.
type world struct {
	t            *testing.T
	sim          *discordsim.Server
	page         *httptest.Server
	bot          *testBot
	guild        string
	board, other string // channels
	ann, ben     string // users
	cleo         string // a user who speaks German
}

// interaction is what the test bot needs of INTERACTION_CREATE.
type interaction struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	Type  int    `json:"type"`
	Data  struct {
		Name     string   `json:"name"`
		CustomID string   `json:"custom_id"`
		TargetID string   `json:"target_id"`
		Values   []string `json:"values"`
		Options  []option `json:"options"`
	} `json:"data"`
}

type option struct {
	Name    string   `json:"name"`
	Value   any      `json:"value"`
	Focused bool     `json:"focused"`
	Options []option `json:"options"`
}

// testBot speaks just enough of Discord to answer interactions. How it answers
// is the test's business: answer gives the callback's type and data, type 0
// keeps silent.
type testBot struct {
	t      *testing.T
	api    string
	client *http.Client
	socket *websocket.Conn
	silent func() // called instead of answering the component "silent"; set before it is pressed

	mu       sync.Mutex
	answer   func(interaction) (int, map[string]any)
	deferred string // token of the newest deferred answer
}

func newWorld(t *testing.T, options discordsim.Options) *world {
	t.Helper()
	w := &world{t: t, sim: discordsim.New(options)}
	w.ann = w.sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann", Locale: "en-US"})
	w.ben = w.sim.AddUser(discordsim.User{Name: "ben", DisplayName: "Ben", Locale: "en-US"})
	w.cleo = w.sim.AddUser(discordsim.User{Name: "cleo", DisplayName: "Cleo", Locale: "de"})
	w.sim.SetDisplayName(w.sim.BotID(), "Lasca")
	w.guild = w.sim.AddGuild("Club", "en-US")
	for _, id := range []string{w.ann, w.ben, w.cleo} {
		w.sim.Join(w.guild, id)
	}
	w.board = w.sim.AddChannel(w.guild, "board-room")
	w.other = w.sim.AddChannel(w.guild, "quiet-table")
	w.page = httptest.NewServer(webui.Handler(w.sim, webui.Options{Examples: []string{"/lasca play level:2", "/lasca nonsense"}}))
	t.Cleanup(w.page.Close)
	t.Cleanup(func() {
		for _, violation := range w.sim.Violations() {
			if !strings.Contains(violation, "no first answer") { // some tests have a silent bot
				t.Errorf("violation: %s", violation)
			}
		}
	})
	return w
}

// connect starts the test bot with a few commands.
func (w *world) connect() *testBot {
	w.t.Helper()
	discord := httptest.NewServer(w.sim)
	w.t.Cleanup(discord.Close)
	bot := &testBot{t: w.t, api: discord.URL + "/api/v10", client: discord.Client()}
	socket, response, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(discord.URL, "http")+"/?v=10&encoding=json", nil)
	if err != nil {
		w.t.Fatalf("gateway: %v (%v)", err, response)
	}
	bot.socket = socket
	w.t.Cleanup(func() { socket.Close() })
	identify := map[string]any{"op": 2, "d": map[string]any{
		"token": "test", "intents": 1, "properties": map[string]string{"os": "linux", "browser": "test", "device": "test"},
	}}
	if err := socket.WriteJSON(identify); err != nil {
		w.t.Fatal(err)
	}
	go bot.listen(socket)
	if err := w.sim.WaitFor(w.t.Context(), func(s *discordsim.Server) bool { return s.BotOnline() }); err != nil {
		w.t.Fatal(err)
	}
	bot.request(http.MethodPut, "/applications/"+w.sim.ApplicationID()+"/commands", "application/json", []byte(commandsJSON))
	w.bot = bot
	return bot
}

// Every kind of thing the page can show: subcommands, choices in two
// languages, a required person, autocomplete, and a user command.
const commandsJSON = `[
	{"name":"lasca","type":1,"description":"Lasca","contexts":[0,1],"options":[
		{"type":1,"name":"play","description":"Play against the bot","description_localizations":{"de":"Gegen den Bot spielen"},"name_localizations":{"de":"spielen"},"options":[
			{"type":4,"name":"level","description":"How strong","min_value":1,"max_value":8,"name_localizations":{"de":"stufe"}},
			{"type":3,"name":"colour","description":"Your side","choices":[
				{"name":"White","value":"w","name_localizations":{"de":"Weiß"}},{"name":"Black","value":"b","name_localizations":{"de":"Schwarz"}}]}]},
		{"type":1,"name":"challenge","description":"Challenge a person","options":[
			{"type":6,"name":"user","description":"Whom","required":true},
			{"type":3,"name":"move","description":"First move","autocomplete":true}]},
		{"type":1,"name":"silent","description":"No answer"}]},
	{"name":"Challenge to Lasca","type":2,"contexts":[0]}
]`

func (b *testBot) listen(socket *websocket.Conn) {
	for {
		var event struct {
			Op   int             `json:"op"`
			Type string          `json:"t"`
			Data json.RawMessage `json:"d"`
		}
		if socket.ReadJSON(&event) != nil {
			return
		}
		if event.Type != "INTERACTION_CREATE" {
			continue
		}
		var i interaction
		if err := json.Unmarshal(event.Data, &i); err != nil {
			b.t.Errorf("INTERACTION_CREATE: %v", err)
			return
		}
		b.mu.Lock()
		answer := b.answer
		b.mu.Unlock()
		if answer == nil {
			continue
		}
		kind, data := answer(i)
		if kind == 5 {
			b.mu.Lock()
			b.deferred = i.Token
			b.mu.Unlock()
		}
		if kind != 0 {
			b.callback(i, kind, data)
		}
	}
}

// answers sets how the bot answers from now on.
func (b *testBot) answers(f func(interaction) (int, map[string]any)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = f
}

func (b *testBot) callback(i interaction, kind int, data map[string]any) {
	payload := map[string]any{"type": kind}
	if data != nil {
		payload["data"] = data
	}
	contentType, body := encode(b.t, payload, data)
	b.request(http.MethodPost, "/interactions/"+i.ID+"/"+i.Token+"/callback", contentType, body)
}

// encode writes a payload as JSON, or with the files that data names under
// "files" (name to bytes, taken out of data) as multipart.
func encode(t *testing.T, payload, data map[string]any) (contentType string, body []byte) {
	files, _ := data["files"].(map[string][]byte)
	delete(data, "files")
	text, err := json.Marshal(payload)
	if err != nil {
		t.Error(err)
	}
	if files == nil {
		return "application/json", text
	}
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	part := func(name, filename, contentType string, content []byte) {
		header := textproto.MIMEHeader{"Content-Type": {contentType}}
		disposition := fmt.Sprintf(`form-data; name=%q`, name)
		if filename != "" {
			disposition += fmt.Sprintf(`; filename=%q`, filename)
		}
		header.Set("Content-Disposition", disposition)
		out, err := form.CreatePart(header)
		if err == nil {
			_, err = out.Write(content)
		}
		if err != nil {
			t.Error(err)
		}
	}
	part("payload_json", "", "application/json", text)
	n := 0
	for name, content := range files {
		kind := "application/octet-stream"
		if strings.HasSuffix(name, ".png") {
			kind = "image/png"
		}
		part(fmt.Sprintf("files[%d]", n), name, kind, content)
		n++
	}
	if err := form.Close(); err != nil {
		t.Error(err)
	}
	return form.FormDataContentType(), buffer.Bytes()
}

func (b *testBot) request(method, path, contentType string, body []byte) {
	request, err := http.NewRequest(method, b.api+path, bytes.NewReader(body))
	if err != nil {
		b.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Authorization", "Bot test")
	request.Header.Set("User-Agent", "DiscordBot (https://discord.com, 1)")
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Errorf("%s %s: %v", method, path, err)
		return
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		var answer bytes.Buffer
		answer.ReadFrom(response.Body)
		b.t.Errorf("%s %s: %s %s", method, path, response.Status, answer.String())
	}
}

// send posts a message of the bot's own accord.
func (b *testBot) send(channel string, message map[string]any) {
	contentType, body := encode(b.t, message, message)
	b.request(http.MethodPost, "/channels/"+channel+"/messages", contentType, body)
}

// finish fills in the newest deferred answer.
func (b *testBot) finish(application string, message map[string]any) {
	b.mu.Lock()
	token := b.deferred
	b.mu.Unlock()
	contentType, body := encode(b.t, message, message)
	b.request(http.MethodPatch, "/webhooks/"+application+"/"+token+"/messages/@original", contentType, body)
}

// leave ends the bot's connection.
func (w *world) leave() {
	w.t.Helper()
	w.bot.socket.Close()
	if err := w.sim.WaitFor(w.t.Context(), func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		w.t.Fatal(err)
	}
}

// quiet is what every message of a bot should say about mentions.
func quiet() map[string]any { return map[string]any{"parse": []string{}} }

// pinging notifies one user.
func pinging(userID string) map[string]any { return map[string]any{"users": []string{userID}} }

func row(components ...map[string]any) map[string]any {
	return map[string]any{"type": 1, "components": components}
}

func button(label, customID string, style int) map[string]any {
	return map[string]any{"type": 2, "label": label, "custom_id": customID, "style": style}
}

// picture draws a PNG of one colour.
func picture(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	canvas := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			canvas.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
