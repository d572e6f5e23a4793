package discordsim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

const (
	// historyPage is how many messages of a channel are listed without a limit, and
	// maxHistoryPage how many at most.
	historyPage    = 50
	maxHistoryPage = 100
)

// listMessages lists messages of a channel, the newest first: the last ones, those just
// before another, or those just after another. Without Read Message History the list is
// empty. What others have written is withheld, as from every bot without the privileged
// intent for it. Messages around another are not modelled.
func listMessages(c *call) (int, any, *apiError) {
	s := c.s
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	limit, after, before, err := c.historyPage()
	if err != nil {
		return 0, nil, err
	}
	list := []any{}
	if !s.permissions(ch, s.botID).Has(ReadMessageHistory) {
		return http.StatusOK, list, nil
	}
	var found []*message
	for _, m := range ch.messages {
		id, _ := strconv.ParseUint(m.ID, 10, 64)
		if m.EphemeralFor == "" && id > after && (before == 0 || id < before) {
			found = append(found, m)
		}
	}
	if after > 0 {
		found = found[:min(len(found), limit)]
	}
	found = found[max(0, len(found)-limit):]
	for _, m := range slices.Backward(found) {
		out := s.messageJSON(m)
		if m.Author.ID != s.botID && ch.Type != DMChannel && !slices.Contains(m.Mentioned, s.botID) {
			out["content"], out["attachments"], out["components"] = "", []any{}, []check.Component{}
		}
		list = append(list, out)
	}
	return http.StatusOK, list, nil
}

// historyPage reads which messages are asked for. 0 stands for an ID that is not set.
func (c *call) historyPage() (limit int, after, before uint64, _ *apiError) {
	limit = historyPage
	if text := c.query.Get("limit"); c.query.Has("limit") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return 0, 0, 0, c.badQuery("limit", "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not int.", text))
		}
		if n < 1 || n > maxHistoryPage {
			return 0, 0, 0, c.badQuery("limit", "NUMBER_TYPE_RANGE", fmt.Sprintf("int value should be between 1 and %d.", maxHistoryPage))
		}
		limit = n
	}
	set := 0
	for name, to := range map[string]*uint64{"after": &after, "before": &before, "around": new(uint64)} {
		if !c.query.Has(name) {
			continue
		}
		n, err := strconv.ParseUint(c.query.Get(name), 10, 64)
		if err != nil {
			return 0, 0, 0, c.badQuery(name, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not snowflake.", c.query.Get(name)))
		}
		*to = n
		if set++; set > 1 || name == "around" {
			c.s.violate("%s: one of before and after can be given; around is not modelled", c.name())
		}
	}
	return limit, after, before, nil
}
