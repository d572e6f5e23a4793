package webui_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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

// leave ends the bot's connection.
func (w *world) leave() {
	w.t.Helper()
	w.bot.socket.Close()
	if err := w.sim.WaitFor(w.t.Context(), func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		w.t.Fatal(err)
	}
}

// do sends a request to the page's server and reads the whole answer.
func (w *world) do(method, path, body string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute) // an event stream has no end
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, w.page.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := w.page.Client().Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response, string(text)
}

// json sends a request that must succeed and decodes the answer.
func (w *world) json(method, path string, body any) map[string]any {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	response, answer := w.do(method, path, string(text))
	if response.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: %s %s", method, path, response.Status, answer)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		w.t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	return v
}

// code sends a request that must fail and returns the status and error code.
func (w *world) code(method, path string, body any) (int, string) {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	response, answer := w.do(method, path, string(text))
	return response.StatusCode, errorCode(w.t, answer)
}

func errorCode(t *testing.T, answer string) string {
	t.Helper()
	var v struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	if v.Error.Message == "" {
		t.Errorf("no message in %s", answer)
	}
	return v.Error.Code
}
