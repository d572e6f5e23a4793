package webui

import (
	"net/http"
	"net/url"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/check"
)

type attachmentView struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
	URL         string `json:"url"` // relative to the page
	Size        int    `json:"size"`
	Picture     bool   `json:"picture"` // shown, not offered to be saved
	Width       int    `json:"width"`
	Height      int    `json:"height"`
}

type commandUseView struct {
	User string `json:"user"` // ID
	Name string `json:"name"` // path of the command
}

type messageView struct {
	ID          string            `json:"id"`
	Revision    int64             `json:"revision"`
	Channel     string            `json:"channel"`
	Author      userView          `json:"author"`
	Content     string            `json:"content"`
	At          int64             `json:"at"` // ms since 1970
	Edited      bool              `json:"edited"`
	Private     bool              `json:"private"`
	Loading     bool              `json:"loading"`
	Failed      bool              `json:"failed"`
	NewLayout   bool              `json:"newLayout"` // the components are the whole body
	Attachments []attachmentView  `json:"attachments"`
	Components  []check.Component `json:"components"`
	Command     *commandUseView   `json:"command,omitempty"` // the command it answers
}

// pictureTypes are the media types shown in the page. Anything else is saved as a
// file, so that an upload cannot become a document of this origin.
var pictureTypes = map[string]bool{"image/png": true, "image/gif": true, "image/jpeg": true, "image/webp": true}

// readMessage returns a message as the user sees it now; false if the user cannot
// see it.
func (u *ui) readMessage(me userView, channel, id string) (messageView, bool) {
	revision := u.nextRevision()
	message, ok := u.sim.Message(me.ID, channel, id)
	if !ok {
		return messageView{}, false
	}
	return viewMessage(message, u.users(), revision), true
}

func viewMessage(message discordsim.Message, users []userView, revision int64) messageView {
	view := messageView{
		ID: message.ID, Revision: revision, Channel: message.ChannelID, Author: find(users, message.Author.ID), Content: message.Content,
		At: message.CreatedAt.UnixMilli(), Edited: !message.EditedAt.IsZero(), Private: message.EphemeralFor != "",
		Loading: message.Loading, Failed: message.Failed, NewLayout: message.Flags&check.FlagComponentsV2 != 0,
		Attachments: []attachmentView{}, Components: message.Components,
	}
	if view.Author.Username == "" { // somebody who left
		view.Author = viewUser(message.Author, 0)
	}
	if view.Components == nil {
		view.Components = []check.Component{}
	}
	for _, file := range message.Attachments {
		view.Attachments = append(view.Attachments, attachmentView{
			ID: file.ID, Filename: file.Filename, Description: file.Description, Size: file.Size,
			URL: "files/" + file.ID + "/" + url.PathEscape(file.Filename), Picture: pictureTypes[pictureType(file.ContentType)],
			Width: file.Width, Height: file.Height,
		})
	}
	if use := message.Interaction; use != nil && use.Command != "" {
		view.Command = &commandUseView{use.UserID, use.Command}
	}
	return view
}

// messages answers with what the user sees of ?channel=, oldest first.
func (u *ui) messages(w http.ResponseWriter, r *http.Request, me userView) {
	channel := r.URL.Query().Get("channel")
	if !u.canSee(me, channel) {
		writeError(w, notFound("the channel does not exist, or you cannot see it"))
		return
	}
	users := u.users()
	revision := u.nextRevision()
	views := []messageView{}
	for _, message := range u.sim.Messages(me.ID, channel) {
		views = append(views, viewMessage(message, users, revision))
	}
	writeJSON(w, http.StatusOK, map[string]any{"revision": revision, "messages": views})
}
