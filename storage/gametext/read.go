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

// ErrNotOurs means that a game lacks the tags that [Write] gives it, or that their
// values make no sense.
var ErrNotOurs = errors.New("this is not a game as lascabot exports it")

// Error says which game of a text is wrong and why. Err wraps [ErrNotOurs], or is
// the error of package notation or of a record's Check.
type Error struct {
	Game int      // the number of the game, from 1
	Line int      // the line on which the game begins, from 1
	ID   match.ID // of the game; "" when it is not known
	Err  error
}

// Error says where the text is wrong and why.
func (e *Error) Error() string {
	name := ""
	if e.ID != "" {
		name = " (" + strconv.Quote(string(e.ID)) + ")"
	}
	return fmt.Sprintf("game %d%s, which begins on line %d: %v", e.Game, name, e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// maxErrors is how many games of a text may be wrong before Read gives up.
const maxErrors = 100

// Read reads and checks every game of a text of any length. If games are wrong, it
// returns no records and an error that joins an [*Error] for each of them, the first
// hundred at most; an error of r is passed on as it is. A second game with the same ID
// is wrong too. One game may be as long as package notation allows.
func Read(r io.Reader) ([]storage.Record, error) {
	games := newSplitter(r)
	known := map[match.ID]bool{}
	var records []storage.Record
	var wrong []error
	number := 0
	for len(wrong) < maxErrors && games.next() {
		number++
		rec, id, err := readOne(&games.text, games.begin)
		if err == nil && known[id] {
			err = errors.New("there is an earlier game with the same ID")
		}
		if err != nil {
			wrong = append(wrong, &Error{Game: number, Line: games.begin, ID: id, Err: err})
			continue
		}
		known[id] = true
		records = append(records, rec.Normal())
	}
	if err := games.err; errors.Is(err, notation.ErrGameTooLong) {
		wrong = append(wrong, &Error{Game: number + 1, Line: games.begin, Err: err})
	} else if err != nil {
		return nil, err
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return records, nil
}

// readOne reads the game of a text that begins on the given line of the whole. It
// returns the ID that the game has in its tags also when it returns an error.
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

// splitter cuts a text into the texts of its games, since package notation limits
// the text that it reads at once. A game ends where the tags of the next one
// begin.
type splitter struct {
	lines *bufio.Scanner
	line  string // the line read last
	n     int    // its number, from 1
	ahead bool   // it belongs to the next game

	text  bytes.Buffer // of the game
	begin int          // the line on which the game begins
	err   error        // why next returned false; nil at the end of the text
}

func newSplitter(r io.Reader) *splitter {
	s := &splitter{lines: bufio.NewScanner(r), begin: 1}
	s.lines.Buffer(nil, notation.MaxGameText)
	return s
}

// next reads the text of the next game. It returns false at the end and when the
// text cannot be read; s.err is then [notation.ErrGameTooLong] or the reader's
// error.
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

// read puts the next line into s.line.
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

// commentAfter reports whether a {comment} is open after a line, given whether one
// is open before it.
func commentAfter(line string, open bool) bool {
	for _, c := range line {
		if c == ';' && !open {
			break
		}
		open = c == '{' || open && c != '}'
	}
	return open
}

// record makes a record from a game. The error wraps [ErrNotOurs] or is that of the
// record's Check.
func record(g *notation.Game) (storage.Record, error) {
	t := tags{game: g}
	m := match.Match{
		ID: match.ID(t.text(tagGame)), Version: t.number(tagVersion, 0), Phase: match.Playing, Rules: g.Start.Rules,
		Lots: g.Tag(tagLots) == "yes", Start: match.StartText(g.Start), Moves: g.Moves,
		Result: g.Result, Ending: match.Ending(g.Tag(tagEnding)),
		Terms: match.Terms{Days: t.days(), Rated: g.Tag(tagRated) == "yes", Hints: g.Tag(tagHints) == "yes"},
		Open:  g.Tag(tagOpen) == "yes", Extra: t.extra(),
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
		t.wrong(tagBy, fmt.Sprintf("%q is not a colour; it is white or black", by))
	}
	for c := range m.Seats {
		side := engine.Color(c)
		if level := seatTag(side, "Level"); g.Tag(level) != "" {
			m.Seats[c].Level = int(t.number(level, match.MaxLevel))
		} else if !m.Open || side == m.By {
			m.Seats[c] = match.Seat{User: match.UserID(t.text(seatTag(side, "User"))), Name: g.Tag(seatTag(side, ""))}
		}
		if seen := seatTag(side, "Seen"); g.Tag(seen) != "" {
			m.Seen[c] = t.time(seen)
		}
	}
	r := storage.Record{
		Match:  m,
		Place:  storage.Place{Guild: g.Tag(tagGuild), Outside: g.Tag(tagOutside), Channel: t.text(tagChannel), Locale: g.Tag(tagLocale)},
		Screen: storage.Screen{Channel: g.Tag(tagScreenChannel), Message: g.Tag(tagScreenMessage)},
	}
	if g.Tag(tagTold) != "" {
		r.Screen.Turn, r.Screen.Told = m.Moved, t.time(tagTold)
	}
	switch {
	case g.Tag(tagScreenVersion) != "":
		r.Screen.Version = t.number(tagScreenVersion, 0)
	case m.Phase == match.Finished:
		r.Screen.Version = m.Version // so that old games are not shown again
	}
	r.Screen.Counted = m.Counts() && r.Screen.Version >= m.Version // nor shown again when they are counted
	if t.err != nil {
		return r, t.err
	}
	return r, r.Check()
}

// tags reads the tags of a game and keeps the first error.
type tags struct {
	game *notation.Game
	err  error
}

func (t *tags) wrong(name, why string) {
	if t.err == nil {
		t.err = fmt.Errorf("%w: the tag %s: %s", ErrNotOurs, name, why)
	}
}

// text returns the value of a tag that must be there.
func (t *tags) text(name string) string {
	value := t.game.Tag(name)
	if value == "" {
		t.wrong(name, "it is missing")
	}
	return value
}

// number returns the value of a tag that is a number from 1 to most; without limit
// when most is 0.
func (t *tags) number(name string, most uint64) uint64 {
	text := t.text(name)
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 || most > 0 && n > most {
		t.wrong(name, fmt.Sprintf("%q is not a number in its range", text))
	}
	return n
}

// time returns the value of a tag that is a time.
func (t *tags) time(name string) time.Time {
	text := t.text(name)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.wrong(name, fmt.Sprintf("%q is not a time such as 2026-03-01T12:00:00Z", text))
	}
	return at.UTC()
}

// days returns the time for a move.
func (t *tags) days() int {
	switch t.game.Tag(tagDays) {
	case "":
		return 0
	case noDays:
		return match.NoLimit
	}
	return int(t.number(tagDays, 1000))
}

// extra returns the time that was given for the turn.
func (t *tags) extra() time.Duration {
	text := t.game.Tag(tagExtra)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.wrong(tagExtra, fmt.Sprintf("%q is not a time such as 24h0m0s", text))
	}
	return d
}
