package discordsim

import (
	"net/http"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Direct messages between the bot and people. The channel can always be had; whether a
// person takes the bot's messages shows when one is sent. Answers to what the person
// does there always reach them.

// errNoSharedGuild comes where the two have no guild in common.
var errNoSharedGuild = refusal(http.StatusForbidden, 50278, "Cannot send messages to this user")

// openDM gives the channel of the direct messages with a person.
func openDM(c *call) (int, any, *apiError) {
	f := &check.Form{}
	id := f.Recipient(c.body)
	if err := c.finish(f); err != nil {
		return 0, nil, err
	}
	u := c.s.users[id]
	switch {
	case u == nil:
		return 0, nil, refusal(http.StatusBadRequest, 50033, "Invalid Recipient(s)")
	case u.Bot:
		return 0, nil, mistake(http.StatusBadRequest, 50007, "Cannot send messages to this user")
	}
	return http.StatusOK, c.s.channelJSON(c.s.dm(id)), nil
}

// takesDM refuses a message that a person does not take from the bot. Discord answers
// the same to a person who has closed direct messages and to one who has blocked the
// bot. The caller holds s.mu.
func (s *Server) takesDM(userID string) *apiError {
	u := s.users[userID]
	if u == nil || u.DMClosed || u.BotBlocked {
		return errClosedDM
	}
	if u.Installed {
		return nil
	}
	for _, g := range s.guilds {
		if g.Members[userID] != nil && g.Members[s.botID] != nil {
			return nil
		}
	}
	return errNoSharedGuild
}

// SetDMClosed makes the user refuse direct messages from the bot, or accept them
// again.
func (s *Server) SetDMClosed(userID string, closed bool) {
	s.changeUser(userID, func(u *User) { u.DMClosed = closed })
}

// SetBotBlocked makes the user block the bot, or lift it. A person who has blocked the
// bot gets no direct messages from it and cannot write to it. Elsewhere nothing changes:
// the commands of a blocked bot still work.
func (s *Server) SetBotBlocked(userID string, blocked bool) {
	s.changeUser(userID, func(u *User) { u.BotBlocked = blocked })
}

// changeUser changes an account, if there is one.
func (s *Server) changeUser(userID string, change func(*User)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[userID]; u != nil {
		change(u)
		s.record(recUser, *u)
		s.emit(Event{Kind: EventWorld})
	}
}

// CloseDMs makes the person refuse direct messages from the bot or, with false, accept
// them again. The person can still write to the bot.
func (a *Actor) CloseDMs(closed bool) { a.s.SetDMClosed(a.id, closed) }

// BlockBot makes the person block the bot or, with false, lift it.
func (a *Actor) BlockBot(blocked bool) { a.s.SetBotBlocked(a.id, blocked) }

// hasBlocked reports whether a channel is direct messages with the bot, which the person
// has blocked, so that their client shows no line to write in.
func (s *Server) hasBlocked(ch *channel, userID string) bool {
	return ch.RecipientID == userID && userID != "" && s.users[userID].BotBlocked
}
