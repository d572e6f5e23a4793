package discordsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
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
	recEmoji       = "emoji"
	recEmojiGone   = "emoji-gone"
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

// compactAbove is the size in bytes from which a running journal is compacted: as
// soon as it has also grown to three times its size after the last compaction.
const compactAbove = 64 << 20

// journal is the file behind Open.
type journal struct {
	path    string
	file    *os.File
	size    int64
	base    int64 // size after the last compaction
	failure error
}

// Open makes a world that survives the process, even kill -9: what has been
// answered is written (handed to the operating system, not forced to the disk).
// The file is created if it does not exist. A torn record at the end, left by a
// crash, is dropped. The file is rewritten without outdated records when it is
// opened and when it has grown a lot. Two processes must not open it at once.
// Interaction tokens do not survive; the buttons of old messages still work.
//
// A file that is not a journal is left unchanged and gives [ErrNotJournal].
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
		// Later records would build on a missing one; Close returns the error.
		j.failure = fmt.Errorf("discordsim: writing the journal: %w", err)
		s.log.Error("could not write the journal; nothing more is kept", "path", j.path, "err", err)
	}
}

func (g *guild) saved() savedGuild { return savedGuild{g.Guild, g.Members, g.order} }

// compact writes the world as it is to a new file and replaces the old one with
// it. The caller holds s.mu, or nobody else has the server yet.
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
	s.records(put)
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

// records gives the records of the world as it is, in the order in which they are
// read back.
func (s *Server) records(put func(kind string, v any)) {
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
	for _, e := range s.emoji {
		put(recEmoji, e)
	}
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
