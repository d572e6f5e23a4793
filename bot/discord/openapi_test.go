package discord

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lascabot/lascabot/bot/view"
)

// TestBodiesFitDiscordsDescription checks what is sent against the OpenAPI
// document that Discord publishes (github.com/discord/discord-api-spec,
// specs/openapi.json). It is too large to keep here: set DISCORD_OPENAPI to a copy.
func TestBodiesFitDiscordsDescription(t *testing.T) {
	name := os.Getenv("DISCORD_OPENAPI")
	if name == "" {
		t.Skip("set DISCORD_OPENAPI to a copy of Discord's openapi.json to run this test")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("discord.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := func(name string) *jsonschema.Schema {
		s, err := c.Compile("discord.json#/components/schemas/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	// A deferral's schema is that of a new message.
	schemas := map[string]*jsonschema.Schema{
		"Respond":       schema("CreateMessageInteractionCallbackRequest"),
		"Defer":         schema("CreateMessageInteractionCallbackRequest"),
		"Defer private": schema("CreateMessageInteractionCallbackRequest"),
		"Update":        schema("UpdateMessageInteractionCallbackRequest"),
		"DeferUpdate":   schema("UpdateMessageInteractionCallbackRequest"),
		"Choices":       schema("ApplicationCommandAutocompleteCallbackRequest"),
		"no Choices":    schema("ApplicationCommandAutocompleteCallbackRequest"),
		"EditOriginal":  schema("IncomingWebhookUpdateRequestPartial"),
		"FollowUp":      schema("IncomingWebhookRequestPartial"),
		"Post":          schema("MessageCreateRequest"),
		"Edit":          schema("MessageEditRequestPartial"),
		"EditText":      schema("MessageEditRequestPartial"),

		"StartThread":     schema("CreateTextThreadWithoutMessageRequest"),
		"StartThreadFrom": schema("CreateTextThreadWithMessageRequest"),
		"StartPost":       schema("CreateForumThreadRequest"),
		"ArchiveThread":   schema("UpdateThreadRequestPartial"),
		"LockThread":      schema("UpdateThreadRequestPartial"),
		"ReopenThread":    schema("UpdateThreadRequestPartial"),
		"OpenDM":          schema("CreatePrivateChannelRequest"),
	}
	for _, call := range calls {
		if call.full == "" || call.name == "RegisterCommand" {
			continue
		}
		t.Run(call.name, func(t *testing.T) {
			r := testREST(t, func(w http.ResponseWriter, req *http.Request) {
				got := readRequest(t, req)
				body, err := jsonschema.UnmarshalJSON(strings.NewReader(got.body))
				if err != nil {
					t.Fatal(err)
				}
				if err := schemas[call.name].Validate(body); err != nil {
					t.Errorf("%v\nin %s", err, got.body)
				}
				io.WriteString(w, call.answer)
			})
			m, picture := full()
			call.do(t.Context(), r, m, picture)
			call.do(t.Context(), r, view.Message{Text: "x", Private: true}, nil)
		})
	}
	t.Run("RegisterCommand", func(t *testing.T) {
		one := schema("ApplicationCommandCreateRequest")
		for _, command := range testCommands() {
			data, err := json.Marshal(command)
			if err != nil {
				t.Fatal(err)
			}
			body, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			if err := one.Validate(body); err != nil {
				t.Errorf("%v\nin %s", err, data)
			}
		}
	})
}
