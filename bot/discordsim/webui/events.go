package webui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// keepAlive is how often a silent stream sends a comment, so that both sides
// notice a dead connection.
const keepAlive = 20 * time.Second

// retryAfter is how soon the page tries again when the stream breaks.
const retryAfter = 500 * time.Millisecond

// changeView tells the page what changed. Kind "message" carries the message
// (Fresh when it is new), "delete" and "mention" its ID; "state" means that
// everything should be read again.
type changeView struct {
	Kind    string       `json:"kind"`
	Channel string       `json:"channel,omitempty"`
	ID      string       `json:"id,omitempty"`
	Fresh   bool         `json:"fresh,omitempty"`
	Message *messageView `json:"message,omitempty"`
}

// events streams the changes that the user may see until the page goes away.
func (u *ui) events(w http.ResponseWriter, r *http.Request, me userView) {
	controller := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	// Subscribing before "ready" catches what happens while the page reads the state.
	changes := u.sim.Subscribe(r.Context())
	send := func(name string, data any) error {
		body, err := json.Marshal(data)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, body); err != nil {
			return err
		}
		return controller.Flush()
	}
	if _, err := fmt.Fprintf(w, "retry: %d\n", retryAfter.Milliseconds()); err != nil || send("ready", struct{}{}) != nil {
		return
	}
	ticker := time.NewTicker(keepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
			if _, err := fmt.Fprint(w, ": alive\n\n"); err != nil || controller.Flush() != nil {
				return
			}
		case event, open := <-changes:
			if !open {
				return // the page connects again and reads everything
			}
			if change, ok := u.changeFor(me, event); ok && send("change", change) != nil {
				return
			}
		}
	}
}

// changeFor translates an event for a user; false if the user may not see it.
func (u *ui) changeFor(me userView, event discordsim.Event) (changeView, bool) {
	if event.UserID != "" && event.UserID != me.ID {
		return changeView{}, false
	}
	switch event.Kind {
	case discordsim.EventWorld, discordsim.EventCommands, discordsim.EventBot, discordsim.EventResync:
		return changeView{Kind: "state"}, true
	}
	if !u.canSee(me, event.ChannelID) {
		return changeView{}, false
	}
	change := changeView{Channel: event.ChannelID, ID: event.MessageID}
	switch event.Kind {
	case discordsim.EventMessageCreate, discordsim.EventMessageUpdate:
		// The state now, not that of the event: a page that lags skips steps.
		view, ok := u.readMessage(me, event.ChannelID, event.MessageID)
		if !ok {
			return changeView{}, false
		}
		change.Kind, change.Message, change.Fresh = "message", &view, event.Kind == discordsim.EventMessageCreate
	case discordsim.EventMessageDelete:
		change.Kind = "delete"
	case discordsim.EventMention:
		change.Kind = "mention"
	default:
		return changeView{}, false
	}
	return change, true
}
