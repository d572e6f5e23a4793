package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

const interactionToken = "aW50ZXJhY3Rpb246MTIz_-secret"

var request = Request{ID: "111", Token: interactionToken, App: "900", Channel: "600", Kind: Button}

// sent is a request as the server sees it.
type sent struct {
	method, path string
	body         string // JSON
	files        map[string]sentFile
}

type sentFile struct{ name, contentType, data string }

// readRequest takes a request apart.
func readRequest(t *testing.T, r *http.Request) sent {
	t.Helper()
	s := sent{method: r.Method, path: r.URL.RequestURI()}
	if got := r.Header.Get("Authorization"); got != "Bot "+botToken {
		t.Errorf("%s: authorization %q", s.path, got)
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.body = string(b)
		return s
	}
	s.files = map[string]sentFile{}
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			return s
		}
		if err != nil {
			t.Error(err)
			return s
		}
		b, err := io.ReadAll(p)
		if err != nil {
			t.Error(err)
		}
		if p.FormName() == "payload_json" {
			s.body = string(b)
			continue
		}
		s.files[p.FormName()] = sentFile{p.FileName(), p.Header.Get("Content-Type"), string(b)}
	}
}

// testREST makes a REST that talks to a handler over a real connection.
func testREST(t *testing.T, h http.HandlerFunc) *REST {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	r, err := NewREST(Settings{Token: botToken, Base: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// full has everything that a message can have.
func full() (view.Message, []byte) {
	ref := intent.Ref{Game: "42", Version: 7}
	return view.Message{
		Text:    "<@100> against <@200>",
		Notify:  []match.UserID{"100", "100"},
		Picture: &view.Picture{Alt: "white to move", Name: "lasca-42-7.png"},
		File:    &view.File{Name: "game.txt", Data: []byte("1. c3-d4")},
		Rows: []view.Row{
			{{Label: "a1", Style: view.Primary, Intent: intent.Step{Ref: ref}}, {Label: "No", Style: view.Danger, Intent: intent.Resign{Ref: ref}, Disabled: true}},
			{},
			{{Emoji: "💡", Intent: intent.Hint{Ref: ref}}, {Label: "Yes", Emoji: "🤝", Style: view.Success, Intent: intent.Draw{Ref: ref}}},
		},
	}, []byte("\x89PNG")
}

const fullJSON = `{
	"content":"<@100> against <@200>",
	"allowed_mentions":{"parse":[],"users":["100"]},
	"attachments":[{"id":"0","filename":"lasca-42-7.png","description":"white to move"},{"id":"1","filename":"game.txt"}],
	"components":[
		{"type":1,"components":[
			{"type":2,"style":1,"label":"a1","custom_id":"1s42.7."},
			{"type":2,"style":4,"label":"No","custom_id":"1Q42.7","disabled":true}]},
		{"type":1,"components":[
			{"type":2,"style":2,"emoji":{"name":"💡"},"custom_id":"1h42.7"},
			{"type":2,"style":3,"label":"Yes","emoji":{"name":"🤝"},"custom_id":"1r42.7"}]}]
	%}`

// bareJSON is what a message with the text "x" must say to replace an earlier
// version completely.
const bareJSON = `{"content":"x","allowed_mentions":{"parse":[],"users":[]},"attachments":[],"components":[]%}`

func with(message, more string) string { return strings.Replace(message, "%", more, 1) }

// calls are all methods, with what they must send. The tests of faults use them
// too.
var calls = []struct {
	name       string
	do         func(ctx context.Context, r *REST, m view.Message, picture []byte) (string, error)
	method     string
	path       string
	full, bare string // JSON for the messages; full also if there is no message
	answer     string
	id         string // to be returned
	webhook    bool
}{
	{
		name: "Respond",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			return r.Respond(ctx, request, m, p)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":4,"data":` + with(fullJSON, "") + `}`, bare: `{"type":4,"data":` + with(bareJSON, `,"flags":64`) + `}`,
		answer: `{"interaction":{"id":"111","response_message_id":"71"},"resource":{"type":4,"message":{"id":"71"}}}`, id: "71", webhook: true,
	},
	{
		name: "Update",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			return "", r.Update(ctx, request, m, p)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":7,"data":` + with(fullJSON, "") + `}`, bare: `{"type":7,"data":` + with(bareJSON, "") + `}`,
		answer: `{}`, webhook: true,
	},
	{
		name: "Defer",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.Defer(ctx, request, false)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":5}`, webhook: true,
	},
	{
		name: "Defer private",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.Defer(ctx, request, true)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":5,"data":{"flags":64}}`, webhook: true,
	},
	{
		name: "DeferUpdate",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.DeferUpdate(ctx, request)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":6}`, webhook: true,
	},
	{
		name: "Choices",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.Choices(ctx, request, []view.Choice{{Name: "c3-d4", Value: "c3d4"}, {Name: " ", Value: "x"}, {Name: "none", Value: ""}})
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":8,"data":{"choices":[{"name":"c3-d4","value":"c3d4"}]}}`, webhook: true,
	},
	{
		name: "no Choices",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.Choices(ctx, request, nil)
		},
		method: "POST", path: "/api/v9/interactions/111/" + interactionToken + "/callback?with_response=true",
		full: `{"type":8,"data":{"choices":[]}}`, webhook: true,
	},
	{
		name: "EditOriginal",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			return r.EditOriginal(ctx, request, m, p)
		},
		method: "PATCH", path: "/api/v9/webhooks/900/" + interactionToken + "/messages/@original",
		full: with(fullJSON, ""), bare: with(bareJSON, ""), answer: `{"id":"72"}`, id: "72", webhook: true,
	},
	{
		name: "FollowUp",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			return r.FollowUp(ctx, request, m, p)
		},
		method: "POST", path: "/api/v9/webhooks/900/" + interactionToken,
		full: with(fullJSON, ""), bare: with(bareJSON, `,"flags":64`), answer: `{"id":"73"}`, id: "73", webhook: true,
	},
	{
		name: "Post",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			m.Private = false
			return r.Post(ctx, "600", m, p, "nonce-1")
		},
		method: "POST", path: "/api/v9/channels/600/messages",
		full: with(fullJSON, `,"nonce":"nonce-1","enforce_nonce":true`), bare: with(bareJSON, `,"nonce":"nonce-1","enforce_nonce":true`),
		answer: `{"id":"74"}`, id: "74",
	},
	{
		name: "Edit",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			m.Private = false
			return "", r.Edit(ctx, "600", "700", m, p)
		},
		method: "PATCH", path: "/api/v9/channels/600/messages/700",
		full: with(fullJSON, ""), bare: with(bareJSON, ""), answer: `{"id":"700"}`,
	},
	{
		name: "EditText",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.EditText(ctx, "600", "700", view.Message{Text: "x"})
		},
		method: "PATCH", path: "/api/v9/channels/600/messages/700",
		full: `{"content":"x","components":[],"allowed_mentions":{"parse":[],"users":[]}}`, answer: `{"id":"700"}`,
	},
	{
		name: "StartThread",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return r.StartThread(ctx, "600", "Ann – Ben")
		},
		method: "POST", path: "/api/v9/channels/600/threads",
		full: `{"name":"Ann – Ben","auto_archive_duration":10080,"type":11}`, answer: `{"id":"75"}`, id: "75",
	},
	{
		name: "StartThreadFrom",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return r.StartThreadFrom(ctx, "600", "700", "Ann – Ben")
		},
		method: "POST", path: "/api/v9/channels/600/messages/700/threads",
		full: `{"name":"Ann – Ben","auto_archive_duration":10080}`, answer: `{"id":"700"}`, id: "700",
	},
	{
		name: "StartPost",
		do: func(ctx context.Context, r *REST, m view.Message, p []byte) (string, error) {
			m.Private = false
			thread, message, err := r.StartPost(ctx, "600", "Ann – Ben", m, p)
			return thread + " " + message, err
		},
		method: "POST", path: "/api/v9/channels/600/threads",
		full: `{"name":"Ann – Ben","auto_archive_duration":10080,"message":` + with(fullJSON, "") + `}`,
		bare: `{"name":"Ann – Ben","auto_archive_duration":10080,"message":` + with(bareJSON, "") + `}`, answer: `{"id":"76","message":{"id":"77"}}`, id: "76 77",
	},
	{
		name: "ArchiveThread",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.ArchiveThread(ctx, "75")
		},
		method: "PATCH", path: "/api/v9/channels/75", full: `{"archived":true}`, answer: `{"id":"75"}`,
	},
	{
		name: "LockThread",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.LockThread(ctx, "75")
		},
		method: "PATCH", path: "/api/v9/channels/75", full: `{"archived":true,"locked":true}`, answer: `{"id":"75"}`,
	},
	{
		name: "ReopenThread",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.ReopenThread(ctx, "75")
		},
		method: "PATCH", path: "/api/v9/channels/75", full: `{"archived":false}`, answer: `{"id":"75"}`,
	},
	{
		name: "OpenDM",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return r.OpenDM(ctx, "100")
		},
		method: "POST", path: "/api/v9/users/@me/channels", full: `{"recipient_id":"100"}`, answer: `{"id":"78"}`, id: "78",
	},
	{
		name: "Self",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			a, err := r.Self(ctx)
			return a.App + " " + string(a.User) + " " + a.Name, err
		},
		method: "GET", path: "/api/v9/applications/@me",
		answer: `{"id":"900","name":"The game","bot":{"id":"901","username":"lasca"}}`, id: "900 901 lasca",
	},
	{
		name: "RegisteredCommands",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			list, err := r.RegisteredCommands(ctx, "900")
			if len(list) == 1 {
				return list[0].Name, err
			}
			return "", err
		},
		method: "GET", path: "/api/v9/applications/900/commands?with_localizations=true",
		answer: `[{"id":"1","version":"2","type":1,"name":"lasca","nsfw":false}]`, id: "lasca",
	},
	{
		name: "RegisterCommand",
		do: func(ctx context.Context, r *REST, _ view.Message, _ []byte) (string, error) {
			return "", r.RegisterCommand(ctx, "900", CommandSpec{Type: typeSlash, Name: "lasca", Description: "Lasca"})
		},
		method: "POST", path: "/api/v9/applications/900/commands", full: `{"type":1,"name":"lasca","description":"Lasca"}`, answer: `{}`,
	},
}

func TestCallsSend(t *testing.T) {
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			var got sent
			r := testREST(t, func(w http.ResponseWriter, req *http.Request) {
				got = readRequest(t, req)
				w.Header().Set("Content-Type", "application/json")
				if c.answer == "" {
					w.WriteHeader(http.StatusNoContent)
				}
				io.WriteString(w, c.answer)
			})
			m, picture := full()
			id, err := c.do(t.Context(), r, m, picture)
			if err != nil {
				t.Fatal(err)
			}
			if got.method != c.method || got.path != c.path || id != c.id && c.id != "" {
				t.Errorf("%s %s returns %q, want %s %s and %q", got.method, got.path, id, c.method, c.path, c.id)
			}
			sameJSON(t, c.full, got.body)
			if c.bare == "" {
				return
			}
			want := map[string]sentFile{
				"files[0]": {"lasca-42-7.png", "image/png", "\x89PNG"},
				"files[1]": {"game.txt", "text/plain; charset=utf-8", "1. c3-d4"},
			}
			if d := cmp.Diff(want, got.files, cmp.AllowUnexported(sentFile{})); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if _, err := c.do(t.Context(), r, view.Message{Text: "x", Private: true}, nil); err != nil {
				t.Fatal(err)
			}
			sameJSON(t, c.bare, got.body)
		})
	}
}

// sameJSON compares what two JSON texts mean; null and absent differ.
func sameJSON(t *testing.T, want, got string) {
	t.Helper()
	if want == "" {
		if got != "" {
			t.Errorf("a body where none belongs: %s", got)
		}
		return
	}
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("body (-want +got):\n%s", d)
	}
}

func TestPictureMissing(t *testing.T) {
	t.Run("a message whose picture could not be drawn goes without", func(t *testing.T) {
		m, _ := full()
		msg, files, _ := encode(m, nil)
		if len(files) != 1 || files[0].name != "game.txt" || len(msg.Attachments) != 1 || msg.Attachments[0].ID != "0" {
			t.Errorf("%+v, %d files", msg.Attachments, len(files))
		}
	})
}

func TestPrivateStaysPrivate(t *testing.T) {
	r := testREST(t, func(w http.ResponseWriter, req *http.Request) { t.Errorf("sent %s", req.URL) })
	if _, err := r.Post(t.Context(), "600", view.Message{Text: "x", Private: true}, nil, ""); err != ErrPrivate {
		t.Errorf("Post: %v", err)
	}
	if err := r.Edit(t.Context(), "600", "700", view.Message{Text: "x", Private: true}, nil); err != ErrPrivate {
		t.Errorf("Edit: %v", err)
	}
}

func TestPathsAreEscaped(t *testing.T) {
	var path string
	r := testREST(t, func(w http.ResponseWriter, req *http.Request) {
		path = req.URL.EscapedPath()
		io.WriteString(w, `{"id":"1"}`)
	})
	if err := r.EditText(t.Context(), "../users", "1?x#", view.Message{Text: "x"}); err != nil {
		t.Fatal(err)
	}
	if want := "/api/v9/channels/..%2Fusers/messages/1%3Fx%23"; path != want {
		t.Errorf("%s, want %s", path, want)
	}
}

func TestNoOtherHost(t *testing.T) {
	t.Run("a base address is a scheme and a host", func(t *testing.T) {
		for _, base := range []string{"127.0.0.1:80", "ftp://x", "http://", "http://x/api", "%"} {
			if _, err := NewREST(Settings{Token: "x", Base: base}); err == nil || !strings.Contains(err.Error(), "scheme and a host") {
				t.Errorf("%s: %v", base, err)
			}
		}
	})
	t.Run("a redirection is not followed", func(t *testing.T) {
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the token went elsewhere") }))
		defer other.Close()
		r := testREST(t, func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, other.URL, http.StatusFound) })
		if _, err := r.Self(t.Context()); err == nil {
			t.Error("no error")
		}
	})
	t.Run("the transport refuses foreign hosts", func(t *testing.T) {
		tr, err := newTransport("", nil)
		if err != nil {
			t.Fatal(err)
		}
		req := httptest.NewRequest("GET", "https://cdn.discordapp.com/x", nil)
		if _, err := tr.RoundTrip(req); err == nil || !strings.Contains(err.Error(), ErrForeignHost.Error()) {
			t.Errorf("%v", err)
		}
	})
}

func TestEditsOfChannelsRunSideBySide(t *testing.T) {
	// discordgo would send these one after the other; here, each waits for all.
	const n = 8
	var together sync.WaitGroup
	together.Add(n)
	r := testREST(t, func(w http.ResponseWriter, req *http.Request) {
		io.Copy(io.Discard, req.Body)
		together.Done()
		together.Wait()
		io.WriteString(w, `{"id":"1"}`)
	})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			var err error
			if i%2 == 0 {
				err = r.Edit(t.Context(), string(rune('a'+i)), "1", view.Message{Text: "x"}, nil)
			} else {
				_, err = r.EditOriginal(t.Context(), request, view.Message{Text: "x"}, nil)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

func BenchmarkRespond(b *testing.B) {
	r, err := NewREST(Settings{Token: botToken, Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		io.Copy(io.Discard, req.Body)
		return reply(200, "", `{}`), nil
	})})
	if err != nil {
		b.Fatal(err)
	}
	m, _ := full()
	picture := bytes.Repeat([]byte("x"), 20_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Respond(b.Context(), request, m, picture); err != nil {
			b.Fatal(err)
		}
	}
}
