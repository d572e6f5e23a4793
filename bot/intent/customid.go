package intent

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// MaxIDLen is the most bytes that a custom ID has, by Discord's rule.
const MaxIDLen = 100

// MaxGameLen is the most bytes of a game's ID: twenty digits, the largest
// snowflake. It keeps every custom ID below [MaxIDLen].
const MaxGameLen = 20

// MaxUserLen is the most bytes of a person's ID in a custom ID.
const MaxUserLen = 20

// format is the first byte of the custom IDs that this program writes.
const format = "1"

var (
	// ErrMalformed says that a custom ID is not one of ours.
	ErrMalformed = errors.New("malformed custom ID")
	// ErrOutdated says that a custom ID was written by another version of this
	// program.
	ErrOutdated = errors.New("custom ID of another version")
)

// code says how one kind of intent is written behind a button.
type code struct {
	letters string // no code's letters begin with another's
	of      reflect.Type
	write   func(Intent) string         // what follows the letters
	read    func(string) (Intent, bool) // false when it is not well-formed
}

var codeOf = func() map[reflect.Type]*code {
	m := map[reflect.Type]*code{}
	for i := range codes {
		m[codes[i].of] = &codes[i]
	}
	return m
}()

// coded is the row of an intent with fields of its own.
func coded[T Intent](letters string, write func(T) string, read func(string) (T, bool)) code {
	return code{
		letters: letters, of: reflect.TypeFor[T](),
		write: func(in Intent) string { return write(in.(T)) },
		read: func(text string) (Intent, bool) {
			in, ok := read(text)
			return in, ok
		},
	}
}

// about is the row of an intent that holds nothing but a [Ref].
func about[T interface {
	~struct{ Ref }
	Intent
}](letters string) code {
	return coded(letters,
		func(in T) string { return writeRef(in.About()) },
		func(text string) (T, bool) {
			r, ok := readRef(text)
			return T(struct{ Ref }{r}), ok
		})
}

// bare is the row of an intent that holds nothing.
func bare[T interface {
	~struct{ NoGame }
	Intent
}](letters string) code {
	return coded(letters,
		func(T) string { return "" },
		func(text string) (in T, ok bool) { return in, text == "" })
}

// CustomID writes an intent as a custom ID of at most [MaxIDLen] bytes. It
// panics for an intent that stands behind no button (Challenge, Open, SetBlock, Move) and for
// fields that cannot be read back, such as a game ID that is not
// [ValidGame]: both are bugs, not bad input.
func CustomID(in Intent) string {
	c := codeOf[reflect.TypeOf(in)]
	if c == nil {
		panic(fmt.Sprintf("intent: %T cannot stand behind a button", in))
	}
	id := format + c.letters + c.write(in)
	if _, err := ParseCustomID(id); err != nil {
		panic(fmt.Sprintf("intent: %T cannot be read back: %v", in, err))
	}
	return id
}

// ParseCustomID reads a custom ID. The error wraps [ErrMalformed] or
// [ErrOutdated]. The result is well-formed, not necessarily possible: the game
// may not exist and the path may not be legal.
func ParseCustomID(id string) (Intent, error) {
	in, err := parseCustomID(id)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", err, id[:min(len(id), MaxIDLen)])
	}
	return in, nil
}

func parseCustomID(id string) (Intent, error) {
	text, ours := strings.CutPrefix(id, format)
	switch {
	case len(id) < 2 || len(id) > MaxIDLen:
		return nil, ErrMalformed
	case !ours && id[0] >= '0' && id[0] <= '9':
		return nil, ErrOutdated
	case !ours:
		return nil, ErrMalformed
	}
	for i := range codes {
		if fields, ok := strings.CutPrefix(text, codes[i].letters); ok {
			if in, ok := codes[i].read(fields); ok {
				return in, nil
			}
			break
		}
	}
	return nil, ErrMalformed
}

// onCopy ends a reference on a private copy of the board.
const onCopy = "'"

func writeRef(r Ref) string {
	text := string(r.Game) + "." + strconv.FormatUint(r.Version, 36)
	if r.Copy {
		text += onCopy
	}
	return text
}

func readRef(text string) (Ref, bool) {
	game, version, ok := strings.Cut(text, ".")
	version, private := strings.CutSuffix(version, onCopy)
	v, err := strconv.ParseUint(version, 36, 64)
	r := Ref{Game: match.ID(game), Version: v, Copy: private}
	return r, ok && err == nil && ValidGame(r.Game) && writeRef(r) == text
}

func writeStep(in Step) string {
	b := append([]byte(writeRef(in.Ref)), '.')
	for _, s := range in.Path {
		b = append(b, 'a'+byte(s))
	}
	return string(b)
}

func readStep(text string) (in Step, ok bool) {
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 || len(text)-dot-1 > engine.MaxPath {
		return in, false
	}
	for i := dot + 1; i < len(text); i++ {
		s := engine.Square(text[i] - 'a')
		if !s.Valid() {
			return in, false
		}
		in.Path = append(in.Path, s)
	}
	in.Ref, ok = readRef(text[:dot])
	return in, ok
}

// writePlay says nothing of ratings in a casual game, as before there were any.
func writePlay(in Play) string {
	text := fmt.Sprintf("%d.%s.%v", in.Level, in.Side, in.Rules)
	if in.Rated {
		text += rated
	}
	return text
}

const rated = ".rated"

func readPlay(text string) (in Play, ok bool) {
	short, counts := strings.CutSuffix(text, rated)
	fields := strings.Split(short, ".")
	if len(fields) != 3 {
		return in, false
	}
	level, err := strconv.Atoi(fields[0])
	rules, rulesErr := engine.ParseRules(fields[2])
	in = Play{Level: level, Side: Side(fields[1]), Rules: rules, Rated: counts}
	return in, err == nil && rulesErr == nil && level >= 1 && level <= match.MaxLevel &&
		(in.Side == White || in.Side == Black || in.Side == Random) && writePlay(in) == text
}

// maxPage bounds the pages in a custom ID; a page that does not exist is not an
// error.
const maxPage = 99

func writePage(page int) string { return "." + strconv.Itoa(page) }

func readPage(text string) (page int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "."))
	return n, err == nil && n >= 0 && n <= maxPage && writePage(n) == text
}

func writeRules(in Rules) string { return writePage(in.Page) }

func readRules(text string) (in Rules, ok bool) {
	in.Page, ok = readPage(text)
	return in, ok
}

// writeGames leaves out the first page, as when there were no others.
func writeGames(in Games) string {
	if in.Page == 0 {
		return ""
	}
	return writePage(in.Page)
}

func readGames(text string) (in Games, ok bool) {
	if text == "" {
		return in, true
	}
	in.Page, ok = readPage(text)
	return in, ok && in.Page > 0
}

func writeWatching(in Watching) string { return writePage(in.Page) }

func readWatching(text string) (in Watching, ok bool) {
	in.Page, ok = readPage(text)
	return in, ok
}

// sideLetters end the custom ID of a [Watch], by colour.
var sideLetters = [2]string{engine.White: ".w", engine.Black: ".b"}

func writeWatch(in Watch) string { return writeRef(in.Ref) + sideLetters[in.Side] }

func readWatch(text string) (in Watch, ok bool) {
	for side, letter := range sideLetters {
		if ref, is := strings.CutSuffix(text, letter); is {
			in.Side = engine.Color(side)
			in.Ref, ok = readRef(ref)
		}
	}
	return in, ok
}

// boardCodes stand for a [Look]'s boards in its custom ID.
var boardCodes = map[string]string{"": "", Letters: "on", Pictures: "off", InEmoji: "emoji"}

// writeLook leaves out what is chosen with the buttons if that stays as it is, as
// it did before people could say so.
func writeLook(in Look) string {
	text := fmt.Sprintf("%s.%s.%t", in.Theme, boardCodes[in.Boards], in.Everyone)
	if in.Buttons != "" {
		text += "." + in.Buttons
	}
	return text
}

func readLook(text string) (in Look, ok bool) {
	fields := strings.Split(text, ".")
	if len(fields) < 3 || len(fields) > 4 {
		return in, false
	}
	in = Look{Theme: fields[0], Everyone: fields[2] == "true"}
	for boards, code := range boardCodes {
		if code == fields[1] {
			in.Boards = boards
		}
	}
	if len(fields) == 4 {
		in.Buttons = fields[3]
	}
	return in, lettersAndDigits(in.Theme) &&
		(in.Buttons == "" || in.Buttons == "columns" || in.Buttons == "moves") && writeLook(in) == text
}

func writeDelete(in DeleteData) string { return string(in.Of) }

func readDelete(text string) (in DeleteData, ok bool) {
	return DeleteData{Of: match.UserID(text)}, text != "" && len(text) <= MaxUserLen && lettersAndDigits(text)
}

// shown ends the custom ID of what is to be shown to everybody.
const shown = "!"

func writeShow(show bool) string {
	if show {
		return shown
	}
	return ""
}

func writeStats(in Stats) string { return "." + string(in.User) + writeShow(in.Show) }

func readStats(text string) (in Stats, ok bool) {
	user, show := strings.CutSuffix(strings.TrimPrefix(text, "."), shown)
	in = Stats{User: match.UserID(user), Show: show}
	return in, len(user) <= MaxUserLen && lettersAndDigits(user) && writeStats(in) == text
}

// maxRanks bounds the pages of a leaderboard; one that does not exist is not an error.
const maxRanks = 999_999

func writeLeaderboard(in Leaderboard) string { return "." + strconv.Itoa(in.Page) + writeShow(in.Show) }

func readLeaderboard(text string) (in Leaderboard, ok bool) {
	page, show := strings.CutSuffix(strings.TrimPrefix(text, "."), shown)
	n, err := strconv.Atoi(page)
	in = Leaderboard{Page: n, Show: show}
	return in, err == nil && n >= 0 && n <= maxRanks && writeLeaderboard(in) == text
}
