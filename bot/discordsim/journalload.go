package discordsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strconv"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// decodeRecord reads the first record of data and gives the rest.
func decodeRecord(data []byte) (r record, rest []byte, ok bool) {
	sum, after, ok := bytes.Cut(data, []byte(" "))
	if !ok || len(sum) != 8 {
		return r, nil, false
	}
	length, after, ok := bytes.Cut(after, []byte(" "))
	if !ok || len(length) > 10 {
		return r, nil, false
	}
	n, err := strconv.Atoi(string(length))
	if err != nil || n < 0 || n >= len(after) || after[n] != '\n' {
		return r, nil, false
	}
	body := after[:n]
	if fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) != string(sum) || json.Unmarshal(body, &r) != nil {
		return r, nil, false
	}
	return r, after[n+1:], true
}

// load rebuilds the world. It stops at the first record that is not whole.
func (s *Server) load(path string, data []byte) error {
	first, rest, ok := decodeRecord(data)
	var h header
	if !ok || first.T != recHeader || json.Unmarshal(first.V, &h) != nil || h.Version != 1 || !check.IsSnowflake(h.BotID) {
		return fmt.Errorf("%w: %s", ErrNotJournal, path)
	}
	bot := s.users[s.botID]
	delete(s.users, s.botID)
	bot.ID = h.BotID
	s.botID, s.appID = h.BotID, h.BotID
	s.users[s.botID], s.userOrder[0] = bot, s.botID
	for len(rest) > 0 {
		r, after, ok := decodeRecord(rest)
		if !ok {
			s.log.Warn("dropped a torn record at the end of the journal", "path", path, "bytes", len(rest))
			if bytes.IndexByte(rest, '\n') < len(rest)-1 && bytes.IndexByte(rest, '\n') >= 0 {
				// More than the last write is damaged: keep the evidence.
				if err := os.WriteFile(path+".damaged", data, 0o600); err != nil {
					return fmt.Errorf("discordsim: keeping the damaged journal: %w", err)
				}
			}
			break
		}
		if err := s.apply(r); err != nil {
			return fmt.Errorf("%w: %s: record %q: %v", ErrNotJournal, path, r.T, err)
		}
		rest = after
	}
	s.settle()
	return nil
}

// apply puts one record into the world. Kinds of a later version are skipped.
func (s *Server) apply(r record) error {
	switch r.T {
	case recUser:
		return read(r, func(u User) {
			if s.users[u.ID] == nil {
				s.userOrder = append(s.userOrder, u.ID)
			}
			s.users[u.ID] = &u
		})
	case recGuild:
		return read(r, func(g savedGuild) {
			if s.guilds[g.ID] == nil {
				s.guildOrder = append(s.guildOrder, g.ID)
			}
			if g.Members == nil {
				g.Members = map[string]*member{}
			}
			s.guilds[g.ID] = &guild{Guild: g.Guild, Members: g.Members, order: g.Order}
		})
	case recChannel:
		return read(r, func(c channel) {
			if c.Allowed == nil {
				c.Allowed = map[string]Permissions{}
			}
			if old := s.channels[c.ID]; old != nil {
				c.messages = old.messages
			} else {
				s.channelOrder = append(s.channelOrder, c.ID)
			}
			s.channels[c.ID] = &c
		})
	case recChannelGone:
		return read(r, func(id string) {
			delete(s.channels, id)
			s.channelOrder = slices.DeleteFunc(s.channelOrder, func(x string) bool { return x == id })
		})
	case recMessage:
		return read(r, s.loadMessage)
	case recMessageGone:
		return read(r, func(gone goneMessage) {
			if ch := s.channels[gone.ChannelID]; ch != nil {
				ch.messages = slices.DeleteFunc(ch.messages, func(m *message) bool { return m.ID == gone.MessageID })
			}
		})
	case recBlob:
		return read(r, func(b blob) { s.blobs[b.Attachment.ID] = &b })
	case recEmoji:
		return read(r, func(e AppEmoji) {
			if old := s.findEmoji(e.ID); old != nil {
				*old = e
			} else {
				s.emoji = append(s.emoji, &e)
			}
		})
	case recEmojiGone:
		return read(r, s.dropEmoji)
	case recCommands:
		return read(r, func(list []*check.Command) { s.commands = list })
	}
	return nil
}

// read decodes the value of a record and passes it on.
func read[T any](r record, put func(T)) error {
	var v T
	d := json.NewDecoder(bytes.NewReader(r.V))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	put(v)
	return nil
}

// loadMessage adds a message to its channel, or replaces its earlier state.
func (s *Server) loadMessage(m message) {
	ch := s.channels[m.ChannelID]
	if ch == nil {
		return
	}
	if old := ch.find(m.ID); old != nil {
		*old = m
		return
	}
	ch.messages = append(ch.messages, &m)
	if n := len(ch.messages) - s.opts.MaxMessages; n > 0 {
		ch.messages = slices.Delete(ch.messages, 0, n)
	}
}

// settle tidies up a loaded world: it drops references that lead nowhere and
// files that no message shows, gives up answers that will never come, and finds
// the highest ID in use.
func (s *Server) settle() {
	used := map[string]bool{}
	note := func(id string) {
		if n, err := strconv.ParseUint(id, 10, 64); err == nil {
			s.lastID = max(s.lastID, n)
		}
	}
	for id := range s.users {
		note(id)
	}
	for id, g := range s.guilds {
		note(id)
		for _, u := range slices.Clone(g.order) {
			if s.users[u] == nil || g.Members[u] == nil {
				delete(g.Members, u)
				g.order = slices.DeleteFunc(g.order, func(x string) bool { return x == u })
			}
		}
	}
	for _, c := range s.commands {
		note(c.ID)
		note(c.Version)
	}
	for _, e := range s.emoji {
		note(e.ID)
	}
	for id, ch := range s.channels {
		note(id)
		for _, m := range ch.messages {
			note(m.ID)
			if m.Loading {
				m.Loading, m.Failed = false, true
				m.Flags &^= check.FlagLoading
			}
			m.Attachments = slices.DeleteFunc(m.Attachments, func(a Attachment) bool { return s.blobs[a.ID] == nil })
			for _, a := range m.Attachments {
				used[a.ID] = true
			}
		}
	}
	for id := range s.blobs {
		note(id)
		if !used[id] {
			delete(s.blobs, id)
		}
	}
}
