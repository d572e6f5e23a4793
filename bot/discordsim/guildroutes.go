package discordsim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// maxGuildsPage is how many guilds are listed at a time, at most and by default.
const maxGuildsPage = 200

// getMyGuilds lists the bot's guilds by ID, in pages. With before alone, these are
// the last ones before it.
func getMyGuilds(c *call) (int, any, *apiError) {
	limit, after, before, err := c.guildsPage()
	if err != nil {
		return 0, nil, err
	}
	type entry struct {
		id uint64
		g  *guild
	}
	var list []entry
	for _, g := range c.s.guilds {
		id, err := strconv.ParseUint(g.ID, 10, 64)
		if err == nil && g.Members[c.s.botID] != nil && id > after && (before == 0 || id < before) {
			list = append(list, entry{id, g})
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	if n := len(list) - limit; n > 0 {
		if before != 0 && after == 0 {
			list = list[n:]
		} else {
			list = list[:limit]
		}
	}
	out := []any{}
	for _, e := range list {
		out = append(out, map[string]any{
			"id": e.g.ID, "name": e.g.Name, "icon": nil, "banner": nil, "owner": false, "features": []string{},
			"permissions": strconv.FormatUint(uint64(e.g.Members[c.s.botID].Permissions), 10),
		})
	}
	return http.StatusOK, out, nil
}

// guildsPage reads which guilds are asked for. 0 stands for a limit of IDs that is
// not set.
func (c *call) guildsPage() (limit int, after, before uint64, _ *apiError) {
	limit = maxGuildsPage
	if c.query.Has("limit") {
		n, err := strconv.Atoi(c.query.Get("limit"))
		if err != nil {
			return 0, 0, 0, c.badQuery("limit", "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not int.", c.query.Get("limit")))
		}
		if n < 1 || n > maxGuildsPage {
			return 0, 0, 0, c.badQuery("limit", "NUMBER_TYPE_RANGE", fmt.Sprintf("int value should be between 1 and %d.", maxGuildsPage))
		}
		limit = n
	}
	for name, to := range map[string]*uint64{"after": &after, "before": &before} {
		if !c.query.Has(name) {
			continue
		}
		n, err := strconv.ParseUint(c.query.Get(name), 10, 64)
		if err != nil {
			return 0, 0, 0, c.badQuery(name, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not snowflake.", c.query.Get(name)))
		}
		*to = n
	}
	return limit, after, before, nil
}

// badQuery is the answer to a bad value in an address, which is a violation.
func (c *call) badQuery(name, code, message string) *apiError {
	c.s.violate("%s: %s: %s", c.name(), name, message)
	e := mistake(http.StatusBadRequest, 50035, "Invalid Form Body")
	e.fields = map[string]any{name: map[string]any{"_errors": []any{map[string]any{"code": code, "message": message}}}}
	return e
}
