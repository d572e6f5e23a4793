package discordsim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// route is one REST route of Discord's.
type route struct {
	method   string
	template string // with the names of Discord's OpenAPI description in braces
	parts    []string
	open     bool // needs no bot token
	interact bool // exempt from the global rate limit
	h        handler
}

// routes are all REST routes that exist here, literal paths before patterns.
// They are what the bot and the clients in the tests use. init fills the table,
// because handlers refer to it.
var routes []route

func init() {
	const (
		message  = "/channels/{channel_id}/messages/{message_id}"
		webhook  = "/webhooks/{webhook_id}/{webhook_token}"
		original = webhook + "/messages/@original"
		followed = webhook + "/messages/{message_id}"
	)
	routes = []route{
		{method: "GET", template: "/gateway", open: true, h: getGateway},
		{method: "GET", template: "/gateway/bot", h: getGatewayBot},
		{method: "GET", template: "/applications/@me", h: getApplication},
		{method: "GET", template: "/users/@me/guilds", h: getMyGuilds},
		{method: "POST", template: "/users/@me/channels", h: openDM},
		{method: "GET", template: "/guilds/{guild_id}", h: getGuild},
		{method: "POST", template: "/channels/{channel_id}/messages", h: createMessage},
		{method: "GET", template: "/channels/{channel_id}/messages", h: listMessages},
		{method: "GET", template: message, h: getMessage},
		{method: "PATCH", template: message, h: editMessage},
		{method: "DELETE", template: message, h: deleteMessage},
		{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", open: true, interact: true, h: callback},
		{method: "POST", template: webhook, open: true, interact: true, h: followUp},
		{method: "GET", template: original, open: true, interact: true, h: webhookGet},
		{method: "PATCH", template: original, open: true, interact: true, h: webhookEdit},
		{method: "DELETE", template: original, open: true, interact: true, h: webhookDelete},
		{method: "GET", template: followed, open: true, interact: true, h: webhookGet},
		{method: "PATCH", template: followed, open: true, interact: true, h: webhookEdit},
		{method: "DELETE", template: followed, open: true, interact: true, h: webhookDelete},
	}
	routes = append(routes, slices.Concat(emojiRoutes(), threadRoutes())...)
	for _, scope := range []string{"", "/guilds/{guild_id}"} {
		template := "/applications/{application_id}" + scope + "/commands"
		routes = append(routes,
			route{method: "GET", template: template, h: listCommands},
			route{method: "POST", template: template, h: createCommand},
			route{method: "PUT", template: template, h: overwriteCommands})
	}
	for i := range routes {
		routes[i].parts = strings.Split(strings.Trim(routes[i].template, "/"), "/")
	}
}

// match finds the route of a call and fills in its version, parameters and
// route. found is true as well when the path exists with another method.
func match(c *call) (_ *route, found bool) {
	path := strings.TrimPrefix(c.req.Path, "/api")
	if rest, ok := strings.CutPrefix(path, "/v"); ok {
		v, tail, _ := strings.Cut(rest, "/")
		if n, err := strconv.Atoi(v); err == nil && (n == 9 || n == 10) {
			c.version, path = n, "/"+tail
		}
	}
	c.req.Version = c.version
	if c.version == 0 {
		return nil, false // a version this server does not know
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for i := range routes {
		rt := &routes[i]
		params, ok := rt.params(parts)
		if !ok {
			continue
		}
		found = true
		if rt.method == c.req.Method {
			c.params = params
			c.req.Route = rt.method + " " + rt.template
			return rt, true
		}
	}
	return nil, found
}

func (rt *route) params(parts []string) (map[string]string, bool) {
	if len(parts) != len(rt.parts) {
		return nil, false
	}
	params := map[string]string{}
	for i, p := range rt.parts {
		if name, ok := strings.CutPrefix(p, "{"); ok && parts[i] != "" {
			params[strings.TrimSuffix(name, "}")] = parts[i]
		} else if p != parts[i] {
			return nil, false
		}
	}
	return params, true
}

func gatewayURL(r *http.Request) string {
	if r.TLS != nil {
		return "wss://" + r.Host + "/gateway"
	}
	return "ws://" + r.Host + "/gateway"
}

func getGateway(c *call) (int, any, *apiError) {
	return http.StatusOK, map[string]any{"url": gatewayURL(c.r)}, nil
}

func getGatewayBot(c *call) (int, any, *apiError) {
	return http.StatusOK, map[string]any{
		"url": gatewayURL(c.r), "shards": c.s.opts.Shards,
		"session_start_limit": map[string]any{
			"total": identifyLimit, "remaining": max(0, identifyLimit-c.s.gw.identifies),
			"reset_after": (24 * time.Hour).Milliseconds(), "max_concurrency": c.s.opts.MaxConcurrency,
		},
	}, nil
}

func getApplication(c *call) (int, any, *apiError) {
	bot := c.s.users[c.s.botID]
	return http.StatusOK, map[string]any{
		"id": c.s.appID, "name": bot.DisplayName, "icon": nil, "description": "", "bot_public": true,
		"bot_require_code_grant": false, "verify_key": strings.Repeat("0", 64), "flags": 0, "bot": c.s.userJSON(bot),
	}, nil
}

func getGuild(c *call) (int, any, *apiError) {
	g := c.s.guilds[c.params["guild_id"]]
	switch {
	case g == nil:
		return 0, nil, refusal(http.StatusNotFound, 10004, "Unknown Guild")
	case g.Members[c.s.botID] == nil:
		return 0, nil, errMissingAccess
	case g.outage:
		return 0, nil, refusal(http.StatusServiceUnavailable, 0, "503: Service Unavailable")
	}
	return http.StatusOK, c.s.guildJSON(g), nil
}
