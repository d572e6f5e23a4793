package discordsim

import (
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// ReplyKind says how the bot answered an interaction first.
type ReplyKind string

// The first answers.
const (
	ReplyMessage        ReplyKind = "message"         // callback type 4
	ReplyDeferred       ReplyKind = "deferred"        // type 5: "thinking"
	ReplyDeferredUpdate ReplyKind = "deferred update" // type 6: nothing visible yet
	ReplyUpdate         ReplyKind = "update"          // type 7
	ReplyChoices        ReplyKind = "choices"         // type 8
	ReplyModal          ReplyKind = "modal"           // type 9
)

// Reply is the bot's first answer to an interaction.
type Reply struct {
	InteractionID string
	Kind          ReplyKind
	ChannelID     string
	// MessageID is the new message (ReplyMessage, ReplyDeferred) or the one
	// that carried the component (ReplyUpdate, ReplyDeferredUpdate).
	MessageID string
	Ephemeral bool
	Choices   []check.Choice // ReplyChoices
	Modal     *Modal         // ReplyModal
	// Took is the time by the server's clock between sending the interaction
	// and the answer.
	Took time.Duration
}

// Interaction types on the wire.
const (
	kindCommand      = 2
	kindComponent    = 3
	kindAutocomplete = 4
	kindModal        = 5
)

// interaction is something a person did, from the dispatch until its token is
// forgotten.
type interaction struct {
	id, token string
	kind      int
	userID    string
	channelID string
	guildID   string
	command   string            // path, for commands
	messageID string            // of the component
	focusType int               // option type of the focused option of an autocomplete
	owners    map[string]string // see [InteractionMetadata]
	followUps int               // messages after the first answer
	created   time.Time
	timer     Timer

	answered bool
	expired  bool
	// excused interactions may go unanswered: the bot was not connected, its
	// connection broke, or a requested fault stood in the way.
	excused bool
	// faulted interactions had an answer spoilt by a fault: the bot may send it
	// again without knowing that the first one got through.
	faulted    bool
	originalID string   // of @original
	messages   []string // made with the token
	done       chan outcome
}

type outcome struct {
	reply *Reply
	err   error
}

// finish gives the waiting actor its outcome; only the first one counts.
func (in *interaction) finish(r *Reply, err error) {
	if in.timer != nil {
		in.timer.Stop()
	}
	select {
	case in.done <- outcome{r, err}:
	default:
	}
}

func (in *interaction) metadata() *InteractionMetadata {
	return &InteractionMetadata{ID: in.id, Type: in.kind, UserID: in.userID, Command: in.command, Owners: in.owners}
}

// maxInteractions is how many interactions are remembered at most; those whose
// token has expired go first.
const maxInteractions = 20000

// begin makes an interaction and sends it to the bot. in says who acts and by which
// installations, data is its "data", message is the one that carries the component.
// The caller holds s.mu.
func (s *Server) begin(in *interaction, ch *channel, data map[string]any, message *message) *interaction {
	raw := make([]byte, 150)
	rand.Read(raw)
	in.id, in.token = s.newID(), base64.RawURLEncoding.EncodeToString(raw)
	in.channelID, in.guildID, in.created = ch.ID, ch.GuildID, s.clock.Now()
	in.done = make(chan outcome, 1)
	if !s.listens(ch.GuildID) || s.gw.disturbed() {
		in.excused = true
	}
	for len(s.interOrder) > 0 {
		old := s.interOrder[0]
		if len(s.interOrder) < maxInteractions && in.created.Sub(old.created) <= 2*tokenLife {
			break
		}
		delete(s.interactions, old.id)
		delete(s.byToken, old.token)
		s.interOrder = s.interOrder[1:]
	}
	s.interactions[in.id], s.byToken[in.token] = in, in
	s.interOrder = append(s.interOrder, in)

	u := s.users[in.userID]
	out := map[string]any{
		"id": in.id, "application_id": s.appID, "type": in.kind, "data": data, "token": in.token, "version": 1,
		"channel_id": ch.ID, "locale": u.Locale, "entitlements": []any{}, "attachment_size_limit": check.MaxFileSize,
		"authorizing_integration_owners": in.owners,
		"app_permissions":                strconv.FormatUint(uint64(s.appPermissions(in, ch)), 10),
		"context":                        ch.context(),
	}
	partial := s.channelJSON(ch)
	partial["permissions"] = strconv.FormatUint(uint64(s.permissions(ch, in.userID)), 10)
	out["channel"] = partial
	if g := s.guilds[ch.GuildID]; g != nil {
		m := s.memberJSON(g, u.ID)
		m["user"] = s.userJSON(u)
		m["permissions"] = partial["permissions"]
		out["member"] = m
		out["guild_id"], out["guild_locale"] = g.ID, g.Locale
		out["guild"] = map[string]any{"id": g.ID, "locale": g.Locale, "features": []any{}}
	} else {
		out["user"] = s.userJSON(u)
	}
	if message != nil {
		out["message"] = s.messageJSON(message)
	}
	s.log.Debug("sent an interaction", "id", in.id, "type", in.kind, "user", u.Name, "command", in.command)
	if len(in.owners) == 0 {
		in.excused = true // the application was removed from the guild
	} else {
		s.dispatch("INTERACTION_CREATE", out, func(x *session) bool { return x.shard.serves(ch.GuildID) })
	}
	in.timer = s.clock.AfterFunc(s.opts.AckWithin, func() { s.expire(in) })
	s.wake()
	return in
}

// Unanswered gives how many interactions wait for their first answer.
func (s *Server) Unanswered() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.interOrder {
		if !in.answered && !in.expired {
			n++
		}
	}
	return n
}

// excuseUnanswered frees the interactions that are waiting for their first answer
// from the rule that they get one. The caller holds s.mu.
func (s *Server) excuseUnanswered() {
	now := s.clock.Now()
	for _, in := range slices.Backward(s.interOrder) {
		if now.Sub(in.created) > s.opts.AckWithin {
			return
		}
		in.excused = true
	}
}

// expire ends the time for the first answer.
func (s *Server) expire(in *interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.answered || s.closed {
		return
	}
	in.expired = true
	if !in.excused {
		what := "component"
		switch in.kind {
		case kindCommand:
			what = "/" + in.command
		case kindAutocomplete:
			what = "autocomplete of /" + in.command
		case kindModal:
			what = "modal"
		}
		s.violate("interaction %s (%s): no first answer within %v", in.id, what, s.opts.AckWithin)
	}
	in.finish(nil, ErrNoAnswer)
	s.wake()
}

// commandData nests option values below their path the way Discord does.
func commandData(l leaf, values []map[string]any) map[string]any {
	options := values
	for i := len(l.path) - 1; i > 0; i-- {
		typ := check.SubCommand
		if i < len(l.path)-1 {
			typ = check.SubCommandGroup
		}
		options = []map[string]any{{"name": l.path[i], "type": typ, "options": options}}
	}
	data := map[string]any{"id": l.cmd.ID, "name": l.cmd.Name, "type": check.ChatInputCommand}
	if len(options) > 0 {
		data["options"] = options
	}
	if l.cmd.GuildID != "" {
		data["guild_id"] = l.cmd.GuildID
	}
	return data
}

// resolvedUsers gives the "resolved" object for users, members included in guilds.
func (s *Server) resolvedUsers(ch *channel, ids []string) map[string]any {
	users, members := map[string]any{}, map[string]any{}
	g := s.guilds[ch.GuildID]
	for _, id := range ids {
		u := s.users[id]
		if u == nil {
			continue
		}
		users[id] = s.userJSON(u)
		if g != nil && g.Members[id] != nil {
			m := s.memberJSON(g, id)
			m["permissions"] = strconv.FormatUint(uint64(s.permissions(ch, id)), 10)
			members[id] = m
		}
	}
	out := map[string]any{"users": users}
	if len(members) > 0 {
		out["members"] = members
	}
	return out
}
