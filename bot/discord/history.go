package discord

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
)

// historyPage is how many messages of a channel Discord lists at a time at most.
const historyPage = 100

// Board looks through the last hundred messages of a channel, and returns the newest
// one with a button for a version of a game above another, and that version; "" if there
// is none, or if the bot lacks Read Message History there, a permission that it does not
// ask for.
func (r *REST) Board(ctx context.Context, channel string, game match.ID, above uint64) (message string, version uint64, err error) {
	var list []struct {
		ID         string      `json:"id"`
		Components []component `json:"components"`
	}
	query := url.Values{"limit": {strconv.Itoa(historyPage)}}
	err = r.get(ctx, call{
		method: http.MethodGet, op: "/channels/{channel}/messages",
		path:   "channels/" + url.PathEscape(channel) + "/messages?" + query.Encode(),
		bucket: "history " + channel, again: true,
	}, &list)
	newest := uint64(0)
	for _, m := range list { // the newest first, but nothing depends on that
		id, bad := strconv.ParseUint(m.ID, 10, 64)
		if shown := shows(m.Components, game); bad == nil && id > newest && shown > above {
			newest, message, version = id, m.ID, shown
		}
	}
	return message, version, err
}

// component is what matters here of a row or a button.
type component struct {
	CustomID   string      `json:"custom_id"`
	Components []component `json:"components"`
}

// shows returns the newest version of a game that one of the buttons is for, 0 if none is.
func shows(list []component, game match.ID) (version uint64) {
	for _, c := range list {
		if in, err := intent.ParseCustomID(c.CustomID); err == nil && in.About().Game == game {
			version = max(version, in.About().Version)
		}
		version = max(version, shows(c.Components, game))
	}
	return version
}
