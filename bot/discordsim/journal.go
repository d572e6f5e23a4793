package discordsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Record kinds of the journal. Each record holds the whole new state of one
// thing; the last one counts.
const (
	recHeader      = "discordsim"
	recUser        = "user"
	recGuild       = "guild"
	recChannel     = "channel"
	recChannelGone = "channel-gone"
	recMessage     = "message"
	recMessageGone = "message-gone"
	recBlob        = "file"
	recCommands    = "commands"
)

type record struct {
	T string          `json:"t"`
	V json.RawMessage `json:"v"`
}

type header struct {
	Version int    `json:"version"`
	BotID   string `json:"bot_id"`
}

type goneMessage struct{ ChannelID, MessageID string }

// savedGuild and savedChannel add what the live types keep to themselves.
type savedGuild struct {
	Guild
	Members map[string]*member
	Order   []string
}

// compactAbove is the size in bytes from which a running journal is compacted
// once it has grown to three times what was needed last time.
const compactAbove = 64 << 20

// journal is the file behind Open.
type journal struct {
	path    string
	file    *os.File
	size    int64
	base    int64 // size after the last compaction
	failure error
}

// Open makes a world that survives the process, kill -9 included: whatever has
// been answered is on file (in the system's hands, not forced to the disk).
// The file is made when it does not exist. A torn record at the end, left by a
// crash, is dropped. The file is rewritten without what is out of date when it
// is opened and when it has grown much. Two processes must not open it at once.
// Interaction tokens do not survive; buttons of old messages still work.
//
// A file that is something else is left alone and gives [ErrNotJournal].
func Open(path string, o Options) (*Server, error) {
	s := New(o)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("discordsim: reading the journal: %w", err)
	}
	if len(data) > 0 {
		if err := s.load(path, data); err != nil {
			return nil, err
		}
	}
	s.journal = &journal{path: path}
	if err := s.compact(); err != nil {
		return nil, err
	}
	return s, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeRecord writes one line: checksum, length, JSON.
func encodeRecord(kind string, v any) ([]byte, error) {
	val, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(record{kind, val})
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, "%08x %d ", crc32.Checksum(body, castagnoli), len(body))
	return append(append(line, body...), '\n'), nil
}

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

// load rebuilds the world. Reading stops at the first record that is not whole.
func (s *Server) load(path string, data []byte) error {
	first, rest, ok := decodeRecord(data)
	var h header
	if !ok || first.T != recHeader || json.Unmarshal(first.V, &h) != nil || h.Version != 1 || !isSnowflake(h.BotID) {
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
			s.log.Warn("journal ends in a torn record", "path", path, "dropped_bytes", len(rest))
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

func into[T any](raw json.RawMessage) (T, error) {
	var v T
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v)
}

// apply puts one record into the world.
func (s *Server) apply(r record) error {
	switch r.T {
	case recUser:
		u, err := into[User](r.V)
		if err != nil {
			return err
		}
		if s.users[u.ID] == nil {
			s.userOrder = append(s.userOrder, u.ID)
		}
		s.users[u.ID] = &u
	case recGuild:
		g, err := into[savedGuild](r.V)
		if err != nil {
			return err
		}
		if s.guilds[g.ID] == nil {
			s.guildOrder = append(s.guildOrder, g.ID)
		}
		if g.Members == nil {
			g.Members = map[string]*member{}
		}
		s.guilds[g.ID] = &guild{Guild: g.Guild, Members: g.Members, order: g.Order}
	case recChannel:
		c, err := into[channel](r.V)
		if err != nil {
			return err
		}
		if c.Allowed == nil {
			c.Allowed = map[string]Permissions{}
		}
		if old := s.channels[c.ID]; old != nil {
			c.messages = old.messages
		} else {
			s.channelOrder = append(s.channelOrder, c.ID)
		}
		s.channels[c.ID] = &c
	case recChannelGone:
		id, err := into[string](r.V)
		if err != nil {
			return err
		}
		delete(s.channels, id)
		s.channelOrder = slices.DeleteFunc(s.channelOrder, func(x string) bool { return x == id })
	case recMessage:
		m, err := into[message](r.V)
		if err != nil {
			return err
		}
		ch := s.channels[m.ChannelID]
		if ch == nil {
			return nil
		}
		if old := ch.find(m.ID); old != nil {
			*old = m
			return nil
		}
		ch.messages = append(ch.messages, &m)
		if n := len(ch.messages) - s.opts.MaxMessages; n > 0 {
			ch.messages = slices.Delete(ch.messages, 0, n)
		}
	case recMessageGone:
		g, err := into[goneMessage](r.V)
		if err != nil {
			return err
		}
		if ch := s.channels[g.ChannelID]; ch != nil {
			ch.messages = slices.DeleteFunc(ch.messages, func(m *message) bool { return m.ID == g.MessageID })
		}
	case recBlob:
		b, err := into[blob](r.V)
		if err != nil {
			return err
		}
		s.blobs[b.Attachment.ID] = &b
	case recCommands:
		list, err := into[[]*Command](r.V)
		if err != nil {
			return err
		}
		s.commands = list
	}
	return nil // kinds of a later version are skipped
}

// settle tidies up a loaded world: references that lead nowhere, files that no
// message shows, answers that will never come, and the highest ID used.
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
	for id, ch := range s.channels {
		note(id)
		for _, m := range ch.messages {
			note(m.ID)
			if m.Loading {
				m.Loading, m.Failed = false, true
				m.Flags &^= FlagLoading
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

// record appends a record to the journal, if there is one, in one write. The
// caller holds s.mu.
func (s *Server) record(kind string, v any) {
	j := s.journal
	if j == nil || j.file == nil || j.failure != nil {
		return
	}
	if g, ok := v.(*guild); ok {
		v = g.saved()
	}
	line, err := encodeRecord(kind, v)
	if err == nil {
		var n int
		n, err = j.file.Write(line)
		j.size += int64(n)
	}
	if err == nil && j.size > compactAbove && j.size > 3*j.base {
		err = s.compact()
	}
	if err != nil {
		// Going on without would lose later changes silently; Close tells.
		j.failure = fmt.Errorf("discordsim: writing the journal: %w", err)
		s.log.Error("journal", "err", err)
	}
}

func (g *guild) saved() savedGuild { return savedGuild{g.Guild, g.Members, g.order} }

// compact writes the present world to a new file and puts it in the place of
// the old one. The caller holds s.mu or is alone.
func (s *Server) compact() error {
	j := s.journal
	fail := func(err error) error { return fmt.Errorf("discordsim: compacting the journal: %w", err) }
	tmp, err := os.CreateTemp(filepath.Dir(j.path), filepath.Base(j.path)+".new-*")
	if err != nil {
		return fail(err)
	}
	defer os.Remove(tmp.Name()) // fails once it has been renamed
	var size int64
	put := func(kind string, v any) {
		if err != nil {
			return
		}
		var line []byte
		if line, err = encodeRecord(kind, v); err == nil {
			_, err = tmp.Write(line)
			size += int64(len(line))
		}
	}
	put(recHeader, header{Version: 1, BotID: s.botID})
	for _, id := range s.userOrder[1:] {
		put(recUser, s.users[id])
	}
	for _, id := range s.guildOrder {
		put(recGuild, s.guilds[id].saved())
	}
	for _, id := range s.channelOrder {
		ch := s.channels[id]
		put(recChannel, ch)
		for _, m := range ch.messages {
			for _, a := range m.Attachments {
				if b := s.blobs[a.ID]; b != nil {
					put(recBlob, b)
				}
			}
			put(recMessage, m)
		}
	}
	put(recCommands, s.commands)
	if err == nil {
		err = tmp.Sync()
	}
	if err != nil {
		tmp.Close()
		return fail(err)
	}
	if err := os.Rename(tmp.Name(), j.path); err != nil {
		tmp.Close()
		return fail(err)
	}
	if dir, err := os.Open(filepath.Dir(j.path)); err == nil {
		dir.Sync() // best effort: not every system can
		dir.Close()
	}
	if j.file != nil {
		j.file.Close()
	}
	// The new file is open for writing at its end already.
	j.file, j.size, j.base = tmp, size, size
	return nil
}

func (j *journal) close() error {
	err := j.failure
	if j.file != nil {
		if e := j.file.Sync(); err == nil && e != nil {
			err = e
		}
		if e := j.file.Close(); err == nil && e != nil {
			err = e
		}
		j.file = nil
	}
	return err
}
