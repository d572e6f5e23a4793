package discordsim

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// AppEmoji is an emoji of the application's own. It needs no permission and works
// everywhere. Its picture comes from [Server.EmojiPicture].
type AppEmoji struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Data        []byte `json:"data"` // the picture
}

// Emoji gives the application's emoji, oldest first, without their pictures.
func (s *Server) Emoji() []AppEmoji {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]AppEmoji, len(s.emoji))
	for i, e := range s.emoji {
		out[i] = AppEmoji{ID: e.ID, Name: e.Name, ContentType: e.ContentType}
	}
	return out
}

// EmojiPicture gives an emoji with its picture; false if the application does not have
// it.
func (s *Server) EmojiPicture(id string) (AppEmoji, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.findEmoji(id); e != nil {
		return *e, true
	}
	return AppEmoji{}, false
}

// AddEmoji gives the application an emoji, as its owner does in the developer portal, and
// gives the emoji's ID. The ID of e does not matter.
func (s *Server) AddEmoji(e AppEmoji) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.ID = s.newID()
	s.emoji = append(s.emoji, &e)
	s.record(recEmoji, &e)
	return e.ID
}

// findEmoji gives nil if there is no such emoji. The caller holds s.mu.
func (s *Server) findEmoji(id string) *AppEmoji {
	for _, e := range s.emoji {
		if e.ID == id {
			return e
		}
	}
	return nil
}

func (s *Server) hasEmoji(id string) bool { return s.findEmoji(id) != nil }

func (s *Server) dropEmoji(id string) {
	s.emoji = slices.DeleteFunc(s.emoji, func(e *AppEmoji) bool { return e.ID == id })
}

// emojiRoutes are the routes for the application's emoji.
func emojiRoutes() []route {
	const all, one = "/applications/{application_id}/emojis", "/applications/{application_id}/emojis/{emoji_id}"
	return []route{
		{method: "GET", template: all, h: listEmoji},
		{method: "POST", template: all, h: createEmoji},
		{method: "GET", template: one, h: getEmoji},
		{method: "PATCH", template: one, h: renameEmoji},
		{method: "DELETE", template: one, h: deleteEmoji},
	}
}

func (s *Server) emojiJSON(e *AppEmoji) map[string]any {
	return map[string]any{
		"id": e.ID, "name": e.Name, "roles": []string{}, "user": s.userJSON(s.users[s.botID]),
		"require_colons": true, "managed": false, "animated": e.ContentType == "image/gif", "available": true,
	}
}

// emojiOf gives the emoji of the path.
func (c *call) emojiOf() (*AppEmoji, *apiError) {
	if _, err := c.commandScope(); err != nil {
		return nil, err
	}
	e := c.s.findEmoji(c.params["emoji_id"])
	if e == nil {
		return nil, refusal(http.StatusNotFound, 10014, "Unknown Emoji")
	}
	return e, nil
}

func listEmoji(c *call) (int, any, *apiError) {
	if _, err := c.commandScope(); err != nil {
		return 0, nil, err
	}
	items := []any{}
	for _, e := range c.s.emoji {
		items = append(items, c.s.emojiJSON(e))
	}
	return http.StatusOK, map[string]any{"items": items}, nil
}

func getEmoji(c *call) (int, any, *apiError) {
	e, err := c.emojiOf()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.s.emojiJSON(e), nil
}

func createEmoji(c *call) (int, any, *apiError) {
	if _, err := c.commandScope(); err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	up := f.Emoji(c.body, false)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	if up.TooLarge {
		return 0, nil, mistake(http.StatusBadRequest, 0, "File cannot be larger than 256.0 kb.")
	}
	if len(c.s.emoji) >= check.MaxEmoji {
		// Not documented: the code for an application. This is a guild's.
		return 0, nil, mistake(http.StatusBadRequest, 30008, "Maximum number of emojis reached (2000)")
	}
	e := &AppEmoji{Name: up.Name, Data: up.Data, ContentType: up.ContentType}
	if err := c.nameEmoji(e, up.Name); err != nil {
		return 0, nil, err
	}
	e.ID = c.s.newID()
	c.s.emoji = append(c.s.emoji, e)
	c.s.record(recEmoji, e)
	return http.StatusCreated, c.s.emojiJSON(e), nil
}

func renameEmoji(c *call) (int, any, *apiError) {
	e, err := c.emojiOf()
	if err != nil {
		return 0, nil, err
	}
	f := &check.Form{}
	up := f.Emoji(c.body, true)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	if up.Name != "" {
		if err := c.nameEmoji(e, up.Name); err != nil {
			return 0, nil, err
		}
		c.s.record(recEmoji, e)
	}
	return http.StatusOK, c.s.emojiJSON(e), nil
}

// nameEmoji gives an emoji a name that no other one has. Another process of the bot
// may have taken it, so a name that is taken is no violation. Not documented: the code.
func (c *call) nameEmoji(e *AppEmoji, name string) *apiError {
	for _, other := range c.s.emoji {
		if other != e && other.Name == name {
			taken := refusal(http.StatusBadRequest, 50035, "Invalid Form Body")
			taken.fields = map[string]any{"name": map[string]any{"_errors": []any{
				map[string]any{"code": "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "message": "This name is already taken"}}}}
			return taken
		}
	}
	e.Name = name
	return nil
}

func deleteEmoji(c *call) (int, any, *apiError) {
	e, err := c.emojiOf()
	if err != nil {
		return 0, nil, err
	}
	c.s.dropEmoji(e.ID)
	c.s.record(recEmojiGone, e.ID)
	return http.StatusNoContent, nil, nil
}

// serveEmoji serves a picture as Discord's CDN does, whatever ending is asked for.
func (s *Server) serveEmoji(w http.ResponseWriter, r *http.Request) {
	id, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/emojis/"), ".")
	e, ok := s.EmojiPicture(id)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", e.ContentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(e.Data))
}
