package discord

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/lascabot/lascabot/bot/view"
)

const (
	// guildsPage is how many guilds Discord lists at a time at most.
	guildsPage = 200
	// maxGuildPages is far beyond what any bot of this kind has.
	maxGuildPages = 250
	// guildsTime is the time for a list whose context has no deadline.
	guildsTime = time.Minute
)

// Guild is a server that the bot has been added to.
type Guild struct {
	ID, Name string
	// Lacks are the permissions that the bot needs and lacks there. They are those for
	// the whole server, which channels may change.
	Lacks []Permission
}

// Permission is a permission that the bot needs.
type Permission struct {
	Name    string // as Discord's settings have it
	Without string // what becomes of games without it
	bit     int64
}

// ShardOf returns which of so many shards hears of a server; "" is direct messages.
func ShardOf(guild string, shards int) int {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil || shards <= 0 {
		return 0
	}
	return int(id >> 22 % uint64(shards))
}

// needed are the permissions that the bot needs.
var needed = []Permission{
	{"View Channels", "boards stop changing a quarter of an hour after the last press", discordgo.PermissionViewChannel},
	{"Send Messages", "nobody is reminded of their turn, and boards change by presses and edits alone", discordgo.PermissionSendMessages},
	{"Send Messages in Threads", "the same in threads", discordgo.PermissionSendMessagesInThreads},
	{"Attach Files", "boards are in letters, and there are no GIFs", discordgo.PermissionAttachFiles},
}

// Guilds asks for all guilds that the application is in. The list is whole: if one of
// its pages cannot be had, there is an error, an [*Error], and no list. It takes a
// minute at most, unless the context has a deadline of its own.
func (r *REST) Guilds(ctx context.Context) ([]Guild, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, guildsTime)
		defer cancel()
	}
	list := []Guild{}
	var last uint64
	for range maxGuildPages {
		page, end, err := r.guildsAfter(ctx, last)
		if err != nil {
			return nil, err
		}
		// Only an empty page is the end. A short one may lack what Discord could not
		// read just now.
		if len(page) == 0 {
			return list, nil
		}
		list, last = append(list, page...), end
	}
	return nil, garbledGuilds(fmt.Sprintf("the list of guilds has more than %d pages", maxGuildPages))
}

// guildsAfter asks for the next guilds by ID, and returns the last ID too. They are in
// the order of their IDs.
func (r *REST) guildsAfter(ctx context.Context, last uint64) ([]Guild, uint64, error) {
	var got []struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	query := url.Values{"limit": {strconv.Itoa(guildsPage)}, "after": {strconv.FormatUint(last, 10)}}
	err := r.get(ctx, call{
		method: http.MethodGet, op: guildsOp, path: "users/@me/guilds?" + query.Encode(),
		bucket: "guilds", again: true,
	}, &got)
	if err != nil {
		return nil, 0, err
	}
	if got == nil {
		return nil, 0, garbledGuilds("the answer has no list of guilds")
	}
	page := make([]Guild, len(got))
	for i, g := range got {
		id, err := strconv.ParseUint(g.ID, 10, 64)
		if err != nil || id <= last {
			return nil, 0, garbledGuilds("the guilds are not in the order of their IDs")
		}
		last = id
		page[i] = Guild{ID: strconv.FormatUint(id, 10), Name: view.CleanName(g.Name)}
		have, err := strconv.ParseInt(g.Permissions, 10, 64)
		if err != nil || have&discordgo.PermissionAdministrator != 0 {
			continue
		}
		for _, n := range needed {
			if have&n.bit == 0 {
				page[i].Lacks = append(page[i].Lacks, n)
			}
		}
	}
	return page, last, nil
}

const guildsOp = "/users/@me/guilds"

func garbledGuilds(text string) *Error {
	return &Error{Op: http.MethodGet + " " + guildsOp, Status: http.StatusOK, kind: ErrUnavailable, Text: text}
}
