package discord

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// guildsPage is how many guilds Discord lists at a time at most.
	guildsPage = 200
	// maxGuildPages is far beyond the 2,500 guilds at which Discord demands shards,
	// which the gateway does not have.
	maxGuildPages = 100
	// guildsTime is the time for a list whose context has no deadline.
	guildsTime = time.Minute
)

// GuildIDs asks for the IDs of all guilds that the application is in. The list is
// whole: if one of its pages cannot be had, there is an error, an [*Error], and no
// list. It takes a minute at most, unless the context has a deadline of its own.
func (r *REST) GuildIDs(ctx context.Context) ([]string, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, guildsTime)
		defer cancel()
	}
	ids := []string{}
	var last uint64
	for range maxGuildPages {
		page, err := r.guildsAfter(ctx, last)
		if err != nil {
			return nil, err
		}
		// Only an empty page is the end. A short one may lack what Discord could not
		// read just now.
		if len(page) == 0 {
			return ids, nil
		}
		for _, id := range page {
			ids = append(ids, strconv.FormatUint(id, 10))
		}
		last = page[len(page)-1]
	}
	return nil, garbledGuilds(fmt.Sprintf("the list of guilds has more than %d pages", maxGuildPages))
}

// guildsAfter asks for the next guilds by ID. They are in the order of their IDs.
func (r *REST) guildsAfter(ctx context.Context, last uint64) ([]uint64, error) {
	var got []struct {
		ID string `json:"id"`
	}
	query := url.Values{"limit": {strconv.Itoa(guildsPage)}, "after": {strconv.FormatUint(last, 10)}}
	err := r.get(ctx, call{
		method: http.MethodGet, op: guildsOp, path: "users/@me/guilds?" + query.Encode(),
		bucket: "guilds", again: true,
	}, &got)
	if err != nil {
		return nil, err
	}
	if got == nil {
		return nil, garbledGuilds("the answer has no list of guilds")
	}
	page := make([]uint64, len(got))
	for i, g := range got {
		id, err := strconv.ParseUint(g.ID, 10, 64)
		if err != nil || id <= last {
			return nil, garbledGuilds("the guilds are not in the order of their IDs")
		}
		page[i], last = id, id
	}
	return page, nil
}

const guildsOp = "/users/@me/guilds"

func garbledGuilds(text string) *Error {
	return &Error{Op: http.MethodGet + " " + guildsOp, Status: http.StatusOK, kind: ErrUnavailable, Text: text}
}
