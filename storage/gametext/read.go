package gametext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// ErrNotOurs says that a game lacks the tags that [Write] gives it, or that they
// make no sense.
var ErrNotOurs = errors.New("this is not a game as it was exported")

// Error says which game of a text is wrong and why. Err wraps [ErrNotOurs], is
// what package notation says of the text, or what a record's Check says.
type Error struct {
	Game int      // the number of the game, from 1
	Line int      // the line on which the game begins, from 1
	ID   match.ID // of the game, "" when it is not known
	Err  error
}

// Error says where and why.
func (e *Error) Error() string {
	name := ""
	if e.ID != "" {
		name = " (" + strconv.Quote(string(e.ID)) + ")"
	}
	return fmt.Sprintf("game %d%s, which begins on line %d: %v", e.Game, name, e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Read reads every game of a text of any length, and checks each. At the first
// fault it returns an [*Error]; a failure of r is passed on. Two games with one
// ID are a fault. One game may have as much text as package notation reads.
func Read(r io.Reader) ([]storage.Record, error) {
	games := newSplitter(r)
	known := map[match.ID]bool{}
	var records []storage.Record
	for games.next() {
		rec, id, err := readOne(&games.text, games.begin)
		if err == nil && known[id] {
			err = errors.New("there is another game of this name above")
		}
		if err != nil {
			return nil, &Error{Game: len(records) + 1, Line: games.begin, ID: id, Err: err}
		}
		known[id] = true
		records = append(records, rec.Normal())
	}
	if err := games.err; errors.Is(err, notation.ErrGameTooLong) {
		return nil, &Error{Game: len(records) + 1, Line: games.begin, Err: err}
	} else if err != nil {
		return nil, err
	}
	return records, nil
}

// readOne reads the game of a text that begins on a line of a longer one. The ID
// is that of the game where the text gives one, also when it is at fault.
func readOne(text io.Reader, begin int) (storage.Record, match.ID, error) {
	g, err := notation.ReadGame(text)
	if e := (*notation.GameError)(nil); errors.As(err, &e) {
		e.Line += begin - 1
	}
	if err != nil {
		return storage.Record{}, "", err
	}
	rec, err := record(&g)
	return rec, match.ID(g.Tag(tagGame)), err
}

// splitter cuts a text into the texts of its games, so that only one game has to
// be in memory: package notation limits what it reads at once. A game ends where
// the tags of the next begin.
type splitter struct {
	lines *bufio.Scanner
	n     int    // the number of the line read last, from 1
	ahead bool   // that line is still to be used
	line  string // its text

	text  bytes.Buffer // the game
	begin int          // the line on which it begins
	err   error        // why next returned false; nil at the end of the text
}

func newSplitter(r io.Reader) *splitter {
	s := &splitter{lines: bufio.NewScanner(r), begin: 1}
	s.lines.Buffer(nil, notation.MaxGameText)
	return s
}

// next reads the next game; false when there is none or the text cannot be read.
// The error is [notation.ErrGameTooLong] or the reader's.
func (s *splitter) next() bool {
	s.text.Reset()
	moving := false  // the tags of this game are over
	comment := false // inside {…}, where a line may look like a tag
	for s.read() {
		line := strings.TrimSpace(s.line)
		tag := !comment && strings.HasPrefix(line, "[")
		if tag && moving {
			s.ahead = true
			return true
		}
		if !tag {
			moving = moving || line != ""
			comment = commentAfter(line, comment)
		}
		if s.text.Len() == 0 {
			if line == "" {
				continue
			}
			s.begin = s.n
		}
		if s.text.Len()+len(s.line) > notation.MaxGameText {
			s.err = notation.ErrGameTooLong
			return false
		}
		s.text.WriteString(s.line)
		s.text.WriteByte('\n')
	}
	if s.err = s.lines.Err(); errors.Is(s.err, bufio.ErrTooLong) {
		s.err = notation.ErrGameTooLong
	}
	return s.err == nil && s.text.Len() > 0
}

// read brings the next line into s.line.
func (s *splitter) read() bool {
	if s.ahead {
		s.ahead = false
		return true
	}
	if !s.lines.Scan() {
		return false
	}
	s.line = s.lines.Text()
	if s.n++; s.n == 1 {
		s.line = strings.TrimPrefix(s.line, "\ufeff")
	}
	return true
}

// commentAfter reports whether a {comment} is open behind a line, given whether
// one is open before it.
func commentAfter(line string, open bool) bool {
	for _, c := range line {
		if c == ';' && !open {
			break
		}
		open = c == '{' || open && c != '}'
	}
	return open
}

// record makes the record of a game. The error wraps [ErrNotOurs] or is that of
// the record's Check.
func record(g *notation.Game) (storage.Record, error) {
	t := tags{game: g}
	m := match.Match{
		ID: match.ID(t.text(tagGame)), Version: t.number(tagVersion, 0), Phase: match.Playing, Rules: g.Start.Rules,
		Lots: g.Tag(tagLots) == "yes", Start: match.StartText(g.Start), Moves: g.Moves, Result: g.Result, Ending: match.Ending(g.Tag(tagEnding)),
		Created: t.time(tagCreated), Changed: t.time(tagChanged), Moved: t.time(tagMoved),
	}
	if m.Ending != "" {
		m.Phase = match.Finished
	}
	switch by := t.text(tagBy); by {
	case engine.White.String():
		m.By = engine.White
	case engine.Black.String():
		m.By = engine.Black
	default:
		t.wrong(tagBy, fmt.Sprintf("%q is no colour", by))
	}
	for c := range m.Seats {
		side := engine.Color(c)
		if level := seatTag(side, "Level"); g.Tag(level) != "" {
			m.Seats[c].Level = int(t.number(level, match.MaxLevel))
		} else {
			m.Seats[c] = match.Seat{User: match.UserID(t.text(seatTag(side, "User"))), Name: g.Tag(seatTag(side, ""))}
		}
		if seen := seatTag(side, "Seen"); g.Tag(seen) != "" {
			m.Seen[c] = t.time(seen)
		}
	}
	r := storage.Record{
		Match:  m,
		Place:  storage.Place{Guild: g.Tag(tagGuild), Channel: t.text(tagChannel), Locale: g.Tag(tagLocale)},
		Screen: storage.Screen{Channel: g.Tag(tagScreenChannel), Message: g.Tag(tagScreenMessage)},
	}
	switch {
	case g.Tag(tagScreenVersion) != "":
		r.Screen.Version = t.number(tagScreenVersion, 0)
	case m.Phase == match.Finished:
		r.Screen.Version = m.Version // nobody wants to see all of them again
	}
	if t.err != nil {
		return r, t.err
	}
	return r, r.Check()
}

// tags reads the tags of a game and keeps the first fault.
type tags struct {
	game *notation.Game
	err  error
}

func (t *tags) wrong(name, why string) {
	if t.err == nil {
		t.err = fmt.Errorf("%w: the tag %s: %s", ErrNotOurs, name, why)
	}
}

// text returns a tag that must be there.
func (t *tags) text(name string) string {
	value := t.game.Tag(name)
	if value == "" {
		t.wrong(name, "it is missing")
	}
	return value
}

// number returns a tag that is a number from 1 to most; 0 stands for no end.
func (t *tags) number(name string, most uint64) uint64 {
	text := t.text(name)
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 || most > 0 && n > most {
		t.wrong(name, fmt.Sprintf("%q is no number that it can have", text))
	}
	return n
}

func (t *tags) time(name string) time.Time {
	text := t.text(name)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.wrong(name, fmt.Sprintf("%q is no time such as 2026-03-01T12:00:00Z", text))
	}
	return at.UTC()
}
