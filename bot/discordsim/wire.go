package discordsim

import (
	"strconv"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// cdnHost is where Discord serves uploaded files.
const cdnHost = "https://cdn.discordapp.com"

// stamp writes a time the way Discord does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }

func stampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}

func (s *Server) userJSON(u *User) map[string]any {
	return map[string]any{
		"id": u.ID, "username": u.Name, "global_name": u.DisplayName, "discriminator": "0",
		"avatar": nil, "bot": u.Bot, "system": false, "public_flags": 0, "flags": 0,
		"primary_guild": nil,
	}
}

func (s *Server) memberJSON(g *guild, userID string) map[string]any {
	joined := s.clock.Now()
	if m := g.Members[userID]; m != nil {
		joined = m.Joined
	}
	return map[string]any{
		"nick": nil, "avatar": nil, "roles": []string{}, "joined_at": stamp(joined), "premium_since": nil,
		"deaf": false, "mute": false, "flags": 0, "pending": false, "communication_disabled_until": nil,
	}
}

func (s *Server) channelJSON(ch *channel) map[string]any {
	var last any
	if n := len(ch.messages); n > 0 {
		last = ch.messages[n-1].ID
	}
	out := map[string]any{"id": ch.ID, "type": int(ch.Type), "last_message_id": last, "flags": 0}
	switch ch.Type {
	case DMChannel, GroupChannel:
		people := []any{}
		for _, id := range append([]string{ch.RecipientID}, ch.Recipients...) {
			if u := s.users[id]; u != nil {
				people = append(people, s.userJSON(u))
			}
		}
		out["recipients"] = people
		if ch.Type == GroupChannel {
			out["name"], out["icon"], out["owner_id"] = ch.Name, nil, ch.Recipients[0]
		}
	case ThreadChannel:
		s.threadFields(ch, out)
	default:
		out["guild_id"], out["name"], out["topic"] = ch.GuildID, ch.Name, nil
		out["position"], out["nsfw"], out["permission_overwrites"] = 0, false, []any{}
		if ch.Type == ForumChannel {
			out["available_tags"], out["default_reaction_emoji"] = []any{}, nil
			out["default_sort_order"], out["default_forum_layout"] = nil, 0
		}
	}
	return out
}

func (s *Server) guildJSON(g *guild) map[string]any {
	return map[string]any{
		"id": g.ID, "name": g.Name, "owner_id": g.OwnerID, "preferred_locale": g.Locale, "icon": nil,
		"features": []string{}, "emojis": []any{}, "stickers": []any{},
		"roles": []any{map[string]any{
			"id": g.ID, "name": "@everyone", "permissions": strconv.FormatUint(uint64(DefaultMemberPermissions), 10),
			"position": 0, "color": 0, "hoist": false, "managed": false, "mentionable": false, "flags": 0,
		}},
		"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0,
		"afk_timeout": 300, "nsfw_level": 0, "premium_tier": 0,
	}
}

func (s *Server) guildCreateJSON(g *guild) map[string]any {
	out := s.guildJSON(g)
	channels, threads := []any{}, []any{}
	for _, id := range s.channelOrder {
		ch := s.channels[id]
		if ch.GuildID != g.ID || !s.permissions(ch, s.botID).Has(ViewChannel) {
			continue
		}
		if ch.Type == ThreadChannel {
			if !ch.Archived {
				threads = append(threads, s.channelJSON(ch))
			}
		} else {
			channels = append(channels, s.channelJSON(ch))
		}
	}
	me := s.memberJSON(g, s.botID)
	me["user"] = s.userJSON(s.users[s.botID])
	out["channels"], out["threads"], out["members"] = channels, threads, []any{me}
	out["member_count"], out["large"], out["unavailable"] = len(g.Members), false, false
	out["joined_at"] = stamp(snowflakeTime(g.ID))
	out["voice_states"], out["presences"] = []any{}, []any{}
	out["stage_instances"], out["guild_scheduled_events"] = []any{}, []any{}
	return out
}

func attachmentJSON(a Attachment, ephemeral bool) map[string]any {
	out := map[string]any{
		"id": a.ID, "filename": a.Filename, "size": a.Size, "content_type": a.ContentType,
		"url": cdnHost + a.Path, "proxy_url": cdnHost + a.Path,
	}
	if a.Description != "" {
		out["description"] = a.Description
	}
	if a.Width > 0 {
		out["width"], out["height"] = a.Width, a.Height
	}
	if ephemeral {
		out["ephemeral"] = true
	}
	return out
}

// Message types on the wire.
const (
	typeDefault = 0
	typeCommand = 20 // the answer to a slash command
)

func (s *Server) messageJSON(m *message) map[string]any {
	attachments := []any{}
	for _, a := range m.Attachments {
		attachments = append(attachments, attachmentJSON(a, m.EphemeralFor != ""))
	}
	mentions := []any{}
	for _, id := range m.Mentioned {
		if u := s.users[id]; u != nil {
			mentions = append(mentions, s.userJSON(u))
		}
	}
	components := check.CloneComponents(m.Components)
	if components == nil {
		components = []check.Component{}
	}
	out := map[string]any{
		"id": m.ID, "channel_id": m.ChannelID, "author": s.userJSON(&m.Author), "content": m.Content,
		"timestamp": stamp(m.CreatedAt), "edited_timestamp": stampOrNil(m.EditedAt), "tts": false,
		"mention_everyone": m.PingsEveryone, "mentions": mentions, "mention_roles": []any{},
		"attachments": attachments, "embeds": []any{}, "pinned": false, "type": typeDefault,
		"flags": m.Flags, "components": components,
	}
	if m.Nonce != "" {
		out["nonce"] = m.Nonce
	}
	if t := s.threadOf(m); t != nil {
		out["thread"], out["flags"] = s.channelJSON(t), m.Flags|flagHasThread
	}
	if m.Author.ID == s.botID {
		out["application_id"] = s.appID
	}
	if in := m.Interaction; in != nil {
		out["webhook_id"] = s.appID
		meta := map[string]any{"id": in.ID, "type": in.Type, "authorizing_integration_owners": in.Owners}
		if in.Owners == nil { // in the journal of an earlier version
			meta["authorizing_integration_owners"] = map[string]any{"0": ownerID(m.GuildID)}
		}
		if u := s.users[in.UserID]; u != nil {
			meta["user"] = s.userJSON(u)
		}
		if in.Type == kindCommand {
			out["type"] = typeCommand
			meta["name"] = in.Command
		}
		out["interaction_metadata"] = meta
	}
	return out
}

// ownerID is the authorizing owner of a guild install; "0" in direct messages.
func ownerID(guildID string) string {
	if guildID == "" {
		return "0"
	}
	return guildID
}
