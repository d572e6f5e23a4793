package discordsim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// routes are all REST routes that exist here, literal paths before patterns.
// The names in braces are those of Discord's OpenAPI description. The table is
// filled in init because handlers need it themselves.
var routes []route

func init() {
	routes = []route{
		{method: "GET", template: "/gateway", open: true, h: getGateway},
		{method: "GET", template: "/gateway/bot", h: getGatewayBot},
		{method: "GET", template: "/users/@me", h: getMe},
		{method: "GET", template: "/users/@me/guilds", h: getMyGuilds},
		{method: "POST", template: "/users/@me/channels", h: openDM},
		{method: "GET", template: "/users/{user_id}", h: getUser},
		{method: "GET", template: "/applications/@me", h: getApplication},
		{method: "GET", template: "/oauth2/applications/@me", h: getApplication},
		{method: "GET", template: "/channels/{channel_id}", h: getChannel},
		{method: "PATCH", template: "/channels/{channel_id}", h: patchChannel},
		{method: "POST", template: "/channels/{channel_id}/typing", h: typing},
		{method: "POST", template: "/channels/{channel_id}/threads", h: startThread},
		{method: "GET", template: "/channels/{channel_id}/messages", h: listMessages},
		{method: "POST", template: "/channels/{channel_id}/messages", h: createMessage},
		{method: "GET", template: "/channels/{channel_id}/messages/{message_id}", h: getMessage},
		{method: "PATCH", template: "/channels/{channel_id}/messages/{message_id}", h: editMessage},
		{method: "DELETE", template: "/channels/{channel_id}/messages/{message_id}", h: deleteMessage},
		{method: "POST", template: "/channels/{channel_id}/messages/{message_id}/threads", h: startThread},
		{method: "GET", template: "/guilds/{guild_id}", h: getGuild},
		{method: "GET", template: "/guilds/{guild_id}/channels", h: getGuildChannels},
		{method: "GET", template: "/guilds/{guild_id}/members/{user_id}", h: getMember},
		{method: "POST", template: "/interactions/{interaction_id}/{interaction_token}/callback", open: true, interact: true, h: callback},
		{method: "POST", template: "/webhooks/{webhook_id}/{webhook_token}", open: true, interact: true, h: followUp},
		{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", open: true, interact: true, h: webhookGet},
		{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", open: true, interact: true, h: webhookEdit},
		{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/@original", open: true, interact: true, h: webhookDelete},
		{method: "GET", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", open: true, interact: true, h: webhookGet},
		{method: "PATCH", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", open: true, interact: true, h: webhookEdit},
		{method: "DELETE", template: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}", open: true, interact: true, h: webhookDelete},
	}
	for _, base := range []string{"/applications/{application_id}/commands", "/applications/{application_id}/guilds/{guild_id}/commands"} {
		routes = append(routes,
			route{method: "GET", template: base, h: listCommands},
			route{method: "PUT", template: base, h: overwriteCommands},
			route{method: "POST", template: base, h: createCommand},
			route{method: "GET", template: base + "/{command_id}", h: getCommand},
			route{method: "PATCH", template: base + "/{command_id}", h: editCommand},
			route{method: "DELETE", template: base + "/{command_id}", h: deleteCommand})
	}
	for i := range routes {
		routes[i].parts = strings.Split(strings.Trim(routes[i].template, "/"), "/")
	}
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
		"url": gatewayURL(c.r), "shards": 1,
		"session_start_limit": map[string]any{
			"total": identifyLimit, "remaining": max(0, identifyLimit-c.s.gw.identifies),
			"reset_after": (24 * time.Hour).Milliseconds(), "max_concurrency": 1,
		},
	}, nil
}

func getMe(c *call) (int, any, *apiError) {
	return http.StatusOK, c.s.userJSON(c.s.users[c.s.botID]), nil
}

func getMyGuilds(c *call) (int, any, *apiError) {
	out := []any{}
	for _, id := range c.s.guildOrder {
		if g := c.s.guilds[id]; g.Members[c.s.botID] != nil {
			out = append(out, map[string]any{"id": g.ID, "name": g.Name, "icon": nil, "owner": false, "features": []string{},
				"permissions": strconv.FormatUint(uint64(g.Members[c.s.botID].Permissions), 10)})
		}
	}
	return http.StatusOK, out, nil
}

func getUser(c *call) (int, any, *apiError) {
	if u := c.s.users[c.params["user_id"]]; u != nil {
		return http.StatusOK, c.s.userJSON(u), nil
	}
	return 0, nil, refusal(http.StatusNotFound, 10013, "Unknown User")
}

func getApplication(c *call) (int, any, *apiError) {
	bot := c.s.users[c.s.botID]
	return http.StatusOK, map[string]any{
		"id": c.s.appID, "name": bot.DisplayName, "icon": nil, "description": "", "bot_public": true,
		"bot_require_code_grant": false, "verify_key": strings.Repeat("0", 64), "flags": 0, "bot": c.s.userJSON(bot),
	}, nil
}

// openDM gives the channel; whether the person takes messages shows on sending.
func openDM(c *call) (int, any, *apiError) {
	f := &form{}
	o, ok := f.object("", c.body)
	if !ok {
		return 0, nil, c.finish(f)
	}
	o.require("recipient_id")
	id, _ := o.str("recipient_id", 1, 20)
	o.done()
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	u := c.s.users[id]
	if u == nil {
		return 0, nil, refusal(http.StatusBadRequest, 50033, "Invalid Recipient(s)")
	}
	if u.Bot {
		return 0, nil, mistake(http.StatusBadRequest, 50007, "Cannot send messages to this user")
	}
	return http.StatusOK, c.s.channelJSON(c.s.dm(id)), nil
}

// channel gives the channel of the path if the bot can see it.
func (c *call) channel() (*channel, *apiError) {
	ch := c.s.channels[c.params["channel_id"]]
	if ch == nil {
		return nil, errUnknownChannelAPI
	}
	if !c.s.permissions(ch, c.s.botID).Has(ViewChannel) {
		return nil, errMissingAccess
	}
	return ch, nil
}

// message gives the message of the path. Ephemeral messages do not exist for
// the channel routes; asking for one is a mistake.
func (c *call) message() (*channel, *message, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return nil, nil, err
	}
	m := ch.find(c.params["message_id"])
	if m == nil {
		return nil, nil, errUnknownMessageAPI
	}
	if m.EphemeralFor != "" {
		return nil, nil, mistake(http.StatusNotFound, 10008, "Unknown Message: it is ephemeral and can only be reached with its interaction token")
	}
	return ch, m, nil
}

func getChannel(c *call) (int, any, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.s.channelJSON(ch), nil
}

// patchChannel changes threads; text channels are not for bots like this one to change.
func patchChannel(c *call) (int, any, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	f := &form{}
	o, ok := f.object("", c.body)
	if !ok {
		return 0, nil, c.finish(f)
	}
	name, named := o.str("name", 1, 100)
	archived, setsArchived := o.boolean("archived")
	locked, setsLocked := o.boolean("locked")
	o.integer("auto_archive_duration", 60, 10080)
	o.done("rate_limit_per_user", "invitable", "applied_tags", "flags")
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	p := c.s.permissions(ch, c.s.botID)
	if ch.Type != ThreadChannel {
		if !p.Has(ManageChannels) {
			return 0, nil, errMissingPermission
		}
		if named {
			ch.Name = name
			c.s.record(recChannel, ch)
			c.s.emit(Event{Kind: EventWorld, ChannelID: ch.ID})
		}
		return http.StatusOK, c.s.channelJSON(ch), nil
	}
	// Anybody in an unlocked thread may reopen it; the rest needs more.
	onlyReopens := setsArchived && !archived && !setsLocked && !named
	if !p.Has(ManageThreads) && (ch.Locked || !onlyReopens) {
		return 0, nil, errMissingPermission
	}
	if ch.Archived && !(setsArchived && !archived) {
		return 0, nil, errThreadArchived
	}
	if named {
		ch.Name = name
	}
	if !setsArchived {
		archived = ch.Archived
	}
	if !setsLocked {
		locked = ch.Locked
	}
	c.s.setThread(ch, archived, locked)
	return http.StatusOK, c.s.channelJSON(ch), nil
}

func typing(c *call) (int, any, *apiError) {
	ch, err := c.channel()
	if err == nil {
		err = c.s.sendable(ch, false, false)
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, nil
}

// startThread makes a public thread, with or without a message to start from.
func startThread(c *call) (int, any, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	if ch.Type != TextChannel {
		return 0, nil, mistake(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	}
	f := &form{}
	o, ok := f.object("", c.body)
	if !ok {
		return 0, nil, c.finish(f)
	}
	o.require("name")
	name, _ := o.str("name", 1, 100)
	if d, ok := o.integer("auto_archive_duration", 60, 10080); ok && !slices.Contains([]int{60, 1440, 4320, 10080}, d) {
		f.fail("auto_archive_duration", "BASE_TYPE_CHOICES", "Value must be one of (60, 1440, 4320, 10080).")
	}
	o.done("type", "invitable", "rate_limit_per_user")
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	p := c.s.permissions(ch, c.s.botID)
	if !p.Has(CreatePublicThreads) {
		return 0, nil, errMissingPermission
	}
	t := Channel{Type: ThreadChannel, GuildID: ch.GuildID, ParentID: ch.ID, Name: name}
	if c.params["message_id"] != "" {
		_, m, err := c.message()
		if err != nil {
			return 0, nil, err
		}
		if c.s.channels[m.ID] != nil {
			return 0, nil, mistake(http.StatusBadRequest, 160004, "A thread has already been created for this message")
		}
		t.ID = m.ID
	}
	return http.StatusCreated, c.s.channelJSON(c.s.putChannel(t)), nil
}

// listMessages gives the newest messages first, as Discord does.
func listMessages(c *call) (int, any, *apiError) {
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	limit := 50
	f := &form{}
	if l := c.query.Get("limit"); l != "" {
		n, err := strconv.Atoi(l)
		if err != nil || n < 1 || n > 100 {
			f.fail("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
		}
		limit = n
	}
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	out := []any{}
	if !c.s.permissions(ch, c.s.botID).Has(ReadMessageHistory) {
		return http.StatusOK, out, nil
	}
	before, after := c.query.Get("before"), c.query.Get("after")
	pick := func(m *message) bool {
		return m.EphemeralFor == "" && (before == "" || idLess(m.ID, before)) && (after == "" || idLess(after, m.ID))
	}
	list := slices.DeleteFunc(slices.Clone(ch.messages), func(m *message) bool { return !pick(m) })
	if len(list) > limit {
		if after != "" {
			list = list[:limit]
		} else {
			list = list[len(list)-limit:]
		}
	}
	slices.Reverse(list)
	for _, m := range list {
		out = append(out, c.s.messageJSON(m))
	}
	return http.StatusOK, out, nil
}

func getMessage(c *call) (int, any, *apiError) {
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if !c.s.permissions(ch, c.s.botID).Has(ReadMessageHistory) {
		return 0, nil, errMissingPermission
	}
	return http.StatusOK, c.s.messageJSON(m), nil
}

// nonceMemory is how long enforce_nonce finds an earlier message.
const nonceMemory = 5 * time.Minute

func createMessage(c *call) (int, any, *apiError) {
	s := c.s
	ch, err := c.channel()
	if err != nil {
		return 0, nil, err
	}
	f := &form{}
	in, err := c.messageBody(f, "", c.body, createBody, nil)
	if err != nil {
		return 0, nil, err
	}
	if in == nil || in.empty() {
		return 0, nil, mistake(http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	if err := s.sendable(ch, len(c.files) > 0, len(in.embeds) > 0); err != nil {
		return 0, nil, err
	}
	if in.enforce && in.nonce != "" {
		for _, m := range ch.messages {
			if m.Nonce == in.nonce && m.Author.ID == s.botID && s.clock.Now().Sub(m.CreatedAt) < nonceMemory {
				return http.StatusOK, s.messageJSON(m), nil
			}
		}
	}
	if in.replyTo != "" && ch.find(in.replyTo) == nil {
		f.fail("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
		e := f.err()
		e.worldly = true
		return 0, nil, e
	}
	m := s.newMessage(ch, *s.users[s.botID])
	m.Nonce, m.ReplyTo = in.nonce, in.replyTo
	s.fill(m, in, c.files, false)
	s.post(ch, m, in.mentions, false)
	return http.StatusOK, s.messageJSON(m), nil
}

func (in *messageInput) empty() bool {
	return strings.TrimSpace(in.content) == "" && len(in.components) == 0 && len(in.embeds) == 0 && len(in.attachments) == 0
}

// empties says whether the edit would leave nothing of m.
func (in *messageInput) empties(m *message) bool {
	content, comps, embeds := m.Content, len(m.Components), len(m.Embeds)
	if in.hasContent {
		content = in.content
	}
	if in.hasComps {
		comps = len(in.components)
	}
	if in.hasEmbeds {
		embeds = len(in.embeds)
	}
	return strings.TrimSpace(content) == "" && comps == 0 && embeds == 0 && len(in.attachments) == 0
}

func (s *Server) newMessage(ch *channel, author User) *message {
	return &message{Message: Message{ChannelID: ch.ID, GuildID: ch.GuildID, Author: author}}
}

func editMessage(c *call) (int, any, *apiError) {
	s := c.s
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if m.Author.ID != s.botID {
		return 0, nil, mistake(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	f := &form{}
	in, err := c.messageBody(f, "", c.body, editBody, m)
	if err != nil {
		return 0, nil, err
	}
	if in.empties(m) {
		return 0, nil, mistake(http.StatusBadRequest, 50006, "Cannot send an empty message")
	}
	if err := s.writable(ch); err != nil {
		return 0, nil, err
	}
	if len(c.files) > 0 && ch.Type != DMChannel && !s.permissions(ch, s.botID).Has(AttachFiles) {
		return 0, nil, errMissingPermission
	}
	if err := s.editAge(m); err != nil {
		return 0, nil, err
	}
	s.fill(m, in, c.files, true)
	m.EditedAt = s.clock.Now()
	s.messageChanged(ch, m)
	return http.StatusOK, s.messageJSON(m), nil
}

func deleteMessage(c *call) (int, any, *apiError) {
	ch, m, err := c.message()
	if err != nil {
		return 0, nil, err
	}
	if m.Author.ID != c.s.botID && !c.s.permissions(ch, c.s.botID).Has(ManageMessages) {
		return 0, nil, errMissingPermission
	}
	c.s.remove(ch, m)
	return http.StatusNoContent, nil, nil
}

func (c *call) guild() (*guild, *apiError) {
	g := c.s.guilds[c.params["guild_id"]]
	if g == nil {
		return nil, refusal(http.StatusNotFound, 10004, "Unknown Guild")
	}
	if g.Members[c.s.botID] == nil {
		return nil, errMissingAccess
	}
	if g.outage {
		return nil, refusal(http.StatusServiceUnavailable, 0, "503: Service Unavailable")
	}
	return g, nil
}

func getGuild(c *call) (int, any, *apiError) {
	g, err := c.guild()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.s.guildJSON(g), nil
}

func getGuildChannels(c *call) (int, any, *apiError) {
	g, err := c.guild()
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.s.guildCreateJSON(g)["channels"], nil
}

func getMember(c *call) (int, any, *apiError) {
	g, err := c.guild()
	if err != nil {
		return 0, nil, err
	}
	id := c.params["user_id"]
	if g.Members[id] == nil {
		return 0, nil, refusal(http.StatusNotFound, 10007, "Unknown Member")
	}
	out := c.s.memberJSON(g, id)
	out["user"] = c.s.userJSON(c.s.users[id])
	return http.StatusOK, out, nil
}
