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
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

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
		// Components are the parts of a form that was sent.
		Components []struct {
			Component struct {
				CustomID string `json:"custom_id"`
				Value    any    `json:"value"`
				Values   []any  `json:"values"`
			} `json:"component"`
		} `json:"components"`
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
