package discordsim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// TestDiscordgo runs the unmodified library against two servers at once: it
// connects, registers a command, answers it with a picture, updates the
// message on a click and edits it later.
func TestDiscordgo(t *testing.T) {
	for _, name := range []string{"first server", "second server"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, discordsim.Options{BotToken: "secret"})
			s, err := discordgo.New("Bot secret")
			if err != nil {
				t.Fatal(err)
			}
			s.Client = &http.Client{Timeout: 10 * time.Second, Transport: w.sim.Transport(w.srv.URL)}
			s.ShouldReconnectOnError = false
			s.StateEnabled = false
			s.Identify.Intents = discordgo.IntentsGuilds
			fail := func(err error) {
				if err != nil {
					t.Errorf("library: %v", err)
				}
			}
			board := picture(t)
			// discordgo's attachment has no description, so the answer goes out by hand.
			respond := func(i *discordgo.Interaction, typ int, name, content string, components any) {
				payload := obj{"type": typ, "data": obj{
					"content": content, "components": components, "allowed_mentions": quiet,
					"attachments": []obj{{"id": "0", "filename": name, "description": "the board"}},
				}}
				ct, body, err := discordgo.MultipartBodyWithJSON(payload, []*discordgo.File{{Name: name, ContentType: "image/png", Reader: bytes.NewReader(board)}})
				fail(err)
				url := discordgo.EndpointInteractionResponse(i.ID, i.Token)
				_, err = s.RequestWithLockedBucket("POST", url, ct, body, discordgo.NewRatelimiter().LockBucket(url), 0)
				fail(err)
			}
			s.AddHandler(func(s *discordgo.Session, e *discordgo.InteractionCreate) {
				switch e.Type {
				case discordgo.InteractionApplicationCommand:
					if e.Member == nil || e.Member.User.ID != w.ann {
						t.Errorf("member = %+v, want Ann", e.Member)
					}
					sub := e.ApplicationCommandData().Options[0]
					if sub.Name != "play" || sub.Options[0].IntValue() != 4 {
						t.Errorf("options = %+v", sub)
					}
					respond(e.Interaction, 4, "board-1.png", "Your move", row(button("move:1", "c3"), button("resign", "Resign")))
				case discordgo.InteractionMessageComponent:
					respond(e.Interaction, 7, "board-2.png", "Thinking", row(button("resign", "Resign")))
				}
			})
			if err := s.Open(); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var commands []*discordgo.ApplicationCommand
			data, _ := json.Marshal([]obj{lasca})
			if err := json.Unmarshal(data, &commands); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ApplicationCommandBulkOverwrite(w.sim.ApplicationID(), "", commands); err != nil {
				t.Fatal(err)
			}
			if got, err := s.ApplicationCommands(w.sim.ApplicationID(), ""); err != nil || len(got) != 1 || got[0].Options[0].NameLocalizations[discordgo.German] != "spielen" {
				t.Fatalf("commands = %v, %v", got, err)
			}

			ann := w.sim.As(w.ann)
			r, err := ann.Slash(w.ctx, w.general, "lasca play", map[string]any{"level": 4})
			if err != nil || r.Kind != discordsim.ReplyMessage {
				t.Fatalf("Slash: %+v, %v", r, err)
			}
			m, _ := w.sim.Message(w.ann, w.general, r.MessageID)
			if len(m.Attachments) != 1 || m.Attachments[0].Width != 4 || m.Attachments[0].Description != "the board" {
				t.Fatalf("attachments = %+v", m.Attachments)
			}
			if _, data, ok := w.sim.Attachment(m.Attachments[0].ID); !ok || !bytes.Equal(data, board) {
				t.Fatal("the picture did not arrive as sent")
			}

			r, err = ann.ClickLabel(w.ctx, w.general, m.ID, "c3")
			if err != nil || r.Kind != discordsim.ReplyUpdate {
				t.Fatalf("Click: %+v, %v", r, err)
			}
			m, _ = w.sim.Message(w.ann, w.general, m.ID)
			if m.Content != "Thinking" || len(m.Attachments) != 1 || m.Attachments[0].Filename != "board-2.png" {
				t.Fatalf("after the click: %q %+v", m.Content, m.Attachments)
			}

			edit := discordgo.NewMessageEdit(w.general, m.ID).SetContent("Your move again")
			edit.AllowedMentions = &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}
			got, err := s.ChannelMessageEditComplex(edit)
			if err != nil || got.Content != "Your move again" || len(got.Attachments) != 1 || got.EditedTimestamp == nil {
				t.Fatalf("edit: %+v, %v", got, err)
			}
			if _, err := s.ChannelMessage(w.general, "1"); err == nil || !strings.Contains(err.Error(), "10008") {
				t.Errorf("an unknown message gives %v, want 10008", err)
			}
			w.clean()
		})
	}
}

// TestTransportRefusesOtherHosts keeps tests off the network.
func TestTransportRefusesOtherHosts(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	c := http.Client{Transport: w.sim.Transport(w.srv.URL)}
	if _, err := c.Get("https://example.org/"); !errors.Is(err, discordsim.ErrUnknownHost) {
		t.Errorf("err = %v, want ErrUnknownHost", err)
	}
	if _, err := (&http.Client{Transport: w.sim.Transport("nonsense")}).Get("https://discord.com/api/v9/gateway"); err == nil {
		t.Error("a malformed base URL is accepted")
	}
	m := w.send(w.general, obj{"attachments": []obj{{"id": 0, "description": "dot"}}}, file{"a.png", "image/png", picture(t)})
	msg, _ := w.sim.Message("", w.general, m)
	resp, err := c.Get("https://cdn.discordapp.com" + msg.Attachments[0].Path)
	if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the file server gives %v, %v", resp, err)
	}
}
