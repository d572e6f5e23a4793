package discord

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
)

// AppEmoji is an emoji of the application's own. It works in every channel, without
// any permission.
type AppEmoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// AppEmoji returns the application's emoji, at most 2,000.
func (r *REST) AppEmoji(ctx context.Context, app string) ([]AppEmoji, error) {
	var got struct {
		Items []AppEmoji `json:"items"`
	}
	err := r.get(ctx, call{
		method: http.MethodGet, op: "/applications/{app}/emojis", path: emojiPath(app), bucket: "emoji", again: true,
	}, &got)
	return got.Items, err
}

// CreateAppEmoji uploads an emoji: a name of 2 to 32 letters, digits and lines, which
// no other emoji of the application has, and a PNG of at most 256 KiB. It is sent once;
// [ErrRejected] may mean that the name is taken.
func (r *REST) CreateAppEmoji(ctx context.Context, app, name string, png []byte) (AppEmoji, error) {
	var got AppEmoji
	err := r.get(ctx, call{
		method: http.MethodPost, op: "/applications/{app}/emojis", path: emojiPath(app), bucket: "emoji",
		payload: struct {
			Name  string `json:"name"`
			Image string `json:"image"`
		}{name, "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)},
	}, &got)
	return got, err
}

// DeleteAppEmoji removes an emoji of the application.
func (r *REST) DeleteAppEmoji(ctx context.Context, app, id string) error {
	_, _, err := r.do(ctx, call{
		method: http.MethodDelete, op: "/applications/{app}/emojis/{emoji}", path: emojiPath(app) + "/" + url.PathEscape(id),
		bucket: "emoji", again: true,
	})
	return err
}

func emojiPath(app string) string { return "applications/" + url.PathEscape(app) + "/emojis" }
