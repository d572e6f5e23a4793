package notation

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lascabot/lascabot/engine"
)

var (
	// ErrGameSyntax means that a text is not a game.
	ErrGameSyntax = errors.New("not a game")
	// ErrGameTooLong means that a text exceeds [MaxGameText], [MaxGames], [MaxPlies]
	// or [MaxTags].
	ErrGameTooLong = errors.New("game text too long")
	// ErrNoGame means that there is no game in a text.
	ErrNoGame = errors.New("there is no game in the text")
)

// GameError says where reading a game stopped and why. Err is a [*MoveError] for
// the first move that is illegal or cannot be read, a [*PositionError] for the
// Position tag, an error that wraps [engine.ErrRules] for the Rules tag, and
// otherwise one that wraps [ErrGameSyntax] or [ErrGameTooLong].
type GameError struct {
	Game   int          // the number of the game in the text, from 1
	Line   int          // the line of the text, from 1
	Ply    int          // the ply of the faulty move, from 1; 0 when the fault is not in a move
	Number int          // the move number that goes with Ply
	Turn   engine.Color // the side that goes with Ply
	Text   string       // the faulty word or line, shortened; "" when it is the whole text
	// Legal are the rulesets under which the game is legal up to and including
	// the faulty move; none when the fault is not in a move.
	Legal  []engine.Rules
	tagged bool // the game has a Rules tag
	Err    error
}

// Error says where and why.
func (e *GameError) Error() string {
	if e.Ply > 0 {
		text := fmt.Sprintf("line %d: move %d of %v, %q: %v", e.Line, e.Number, e.Turn, e.Text, e.Err)
		switch {
		case len(e.Legal) > 0 && e.tagged:
			text += fmt.Sprintf("; legal under %s: change the Rules tag", list(e.Legal))
		case len(e.Legal) > 0:
			text += fmt.Sprintf("; legal under %s: add [Rules %q]", list(e.Legal), e.Legal[0])
		}
		return text
	}
	if e.Text == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d: %q: %v", e.Line, e.Text, e.Err)
}

// Unwrap returns the reason.
func (e *GameError) Unwrap() error { return e.Err }

// ReadGame reads a text that holds one game. The error is a [*GameError], except
// that it is [ErrNoGame] when the text has no game and that errors of r are passed
// on as they are.
//
// A game consists of tag pairs, each on its own line, then moves in any form that
// [FindMove] takes as long as it has no spaces, then the result. Move numbers,
// {comments}, comments from ; to the end of the line, $ codes, and ! and ? after a
// move are skipped. Tags, numbers and the result may be missing: the game then
// starts from the usual set-up under [engine.Kawu] and is ongoing. To read moves
// without tags under other rules, put a line such as [Rules "lasker"] before them. A
// Result tag with any other value than a result counts as *.
//
// A tag that may give the moves another meaning is an error, unless it says what is
// so anyway: GameType and Variant other than Lasca, BoardSize other than 7, FEN,
// SetUp other than 0 without a Position tag, and a name that differs from one of
// these, Result, Rules or Position in its case only.
//
// Every move is checked. A draw by repetition or lack of progress does not end the
// game.
func ReadGame(r io.Reader) (Game, error) {
	games, err := ReadGames(r)
	fault := new(GameError)
	switch {
	case errors.As(err, &fault):
		return Game{}, fault // the first one
	case err != nil:
		return Game{}, err
	case len(games) == 0:
		return Game{}, ErrNoGame
	case len(games) > 1:
		err = fmt.Errorf("%w: there are %d games in the text; give one", ErrGameSyntax, len(games))
		return Game{}, &GameError{Game: 2, Line: 1, Err: err}
	}
	return games[0], nil
}

// ReadGames reads every game of a text as [ReadGame] reads one. A game ends with its
// result or where the tags of the next one begin. ReadGames leaves out games with a
// fault and goes on with the next one. The error then joins a [*GameError] for each of
// them, in the order of the text, and counts them among the games of the text.
func ReadGames(r io.Reader) ([]Game, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxGameText+1))
	if err != nil {
		return nil, err
	}
	gr := gameReader{line: 1}
	if len(text) > MaxGameText {
		return nil, gr.fault("", fmt.Errorf("%w: at most %d bytes are read", ErrGameTooLong, MaxGameText))
	}
	gr.text = strings.TrimPrefix(string(text), "\ufeff")
	gr.reset()
	for gr.skipSpace(); gr.text != ""; gr.skipSpace() {
		gr.item()
	}
	gr.note(gr.finish())
	return gr.games, errors.Join(gr.faults...)
}

// gameReader reads games from the rest of a text.
type gameReader struct {
	text   string
	line   int
	games  []Game
	number int     // games of the text so far, good or not
	faults []error // of the games that are not

	skipping  bool // game has a fault, and the rest of it is passed over
	game      Game // being read
	tagResult engine.Result
	position  string // the Position tag
	posLine   int
	rules     string // the Rules tag
	rulesLine int
	setUp     string   // the line of a SetUp tag that needs a Position tag
	names     []string // of the tags that are not in game
	begun     bool     // game has a tag or a move
	moving    bool     // the moves have begun and pos is valid
	pos       engine.Position
}

func (r *gameReader) reset() {
	*r = gameReader{text: r.text, line: r.line, games: r.games, number: r.number, faults: r.faults}
}

// note records a fault, if there is one, and passes over the rest of the game.
func (r *gameReader) note(err error) {
	if err != nil {
		r.faults = append(r.faults, err)
		r.skipping = true
	}
}

// drop ends a game that has a fault.
func (r *gameReader) drop() {
	r.number++
	r.reset()
}

// fault makes an error that points to the current place.
func (r *gameReader) fault(text string, err error) *GameError {
	return &GameError{Game: r.number + 1, Line: r.line, Text: clip(text), Err: err}
}

func (r *gameReader) syntax(text, format string, args ...any) *GameError {
	return r.fault(text, fmt.Errorf("%w: "+format, append([]any{ErrGameSyntax}, args...)...))
}

// take cuts n bytes off the text and counts the lines in them.
func (r *gameReader) take(n int) string {
	taken := r.text[:n]
	r.line += strings.Count(taken, "\n")
	r.text = r.text[n:]
	return taken
}

func (r *gameReader) skipSpace() {
	n := strings.IndexFunc(r.text, func(c rune) bool { return !unicode.IsSpace(c) })
	if n < 0 {
		n = len(r.text)
	}
	r.take(n)
}

// item reads one tag, comment or word. The text begins with no space.
func (r *gameReader) item() {
	switch r.text[0] {
	case '[':
		if r.skipping && r.moving {
			r.drop()
		}
		if !r.skipping {
			r.note(r.tag())
		}
		r.take(lineEnd(r.text))
		return
	case '{':
		end := strings.IndexByte(r.text, '}')
		if end < 0 {
			if !r.skipping {
				r.note(r.syntax(r.text, "the comment has no end; } is missing"))
			}
			end = len(r.text) - 1
		}
		r.take(end + 1)
		return
	case ';':
		r.take(lineEnd(r.text))
		return
	}
	n := strings.IndexFunc(r.text, func(c rune) bool { return unicode.IsSpace(c) || c == '{' || c == ';' })
	if n < 0 {
		n = len(r.text)
	}
	word := r.take(n)
	if !r.skipping {
		r.note(r.word(word))
	}
	if r.skipping {
		r.moving = true // what looks like a tag begins the next game
		if _, ok := engine.ParseResult(word); ok {
			r.drop()
		}
	}
}

// lineEnd returns the length of the first line without its line end.
func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

func (r *gameReader) tag() error {
	if r.moving { // a new game begins, and the last one had no result
		if err := r.finish(); err != nil {
			return err
		}
	}
	line := strings.TrimSpace(r.text[:lineEnd(r.text)])
	tag, ok := parseTag(line)
	if !ok {
		return r.syntax(line, `a tag is written [Name "value"] on a line of its own, with a value of at most %d bytes`, MaxTagValue)
	}
	r.begun = true
	if why := strangeTag(tag); why != "" {
		return r.syntax(line, "%s", why)
	}
	has := func(t Tag) bool { return t.Name == tag.Name }
	if slices.Contains(r.names, tag.Name) || slices.ContainsFunc(r.game.Tags, has) {
		return r.syntax(line, "the tag %s appears twice", tag.Name)
	}
	if !ownField(tag.Name) {
		if len(r.game.Tags) == MaxTags {
			return r.fault(line, fmt.Errorf("%w: more than %d tags", ErrGameTooLong, MaxTags))
		}
		r.game.Tags = append(r.game.Tags, Tag{tag.Name, cleanTagValue(tag.Value)})
		return nil
	}
	r.names = append(r.names, tag.Name)
	switch tag.Name {
	case tagResult:
		r.tagResult, _ = engine.ParseResult(tag.Value) // * when it is not known
	case tagRules:
		r.rules, r.rulesLine = tag.Value, r.line
	case tagPosition:
		r.position, r.posLine = tag.Value, r.line
	case tagSetUp:
		if tag.Value != "0" {
			r.setUp, r.posLine = line, r.line
		}
	}
	return nil
}

// begin sets up the board once all tags are known. text is the next word.
func (r *gameReader) begin(text string) error {
	if r.moving {
		return nil
	}
	if r.number == MaxGames {
		err := r.fault(text, fmt.Errorf("%w: more than %d games", ErrGameTooLong, MaxGames))
		r.take(len(r.text))
		return err
	}
	at := func(line int, text string, err error) error {
		e := r.fault(text, err)
		e.Line = line
		return e
	}
	var rules engine.Rules
	var err error
	if r.rules != "" {
		if rules, err = engine.ParseRules(r.rules); err != nil {
			return at(r.rulesLine, r.rules, err)
		}
	}
	if r.setUp != "" && r.position == "" {
		return at(r.posLine, r.setUp, fmt.Errorf("%w: put the position into a tag Position", ErrGameSyntax))
	}
	r.game.Start = engine.StartSetup(rules)
	if r.position != "" {
		if r.game.Start, err = ParsePosition(r.position, rules); err != nil {
			return at(r.posLine, r.position, err)
		}
	}
	if r.pos, err = r.game.Start.Position(); err != nil {
		return at(r.posLine, r.position, err)
	}
	r.begun, r.moving = true, true
	return nil
}

// word reads a move number, a move, a result or a code.
func (r *gameReader) word(word string) error {
	if result, ok := engine.ParseResult(word); ok {
		return r.result(word, result)
	}
	if word[0] == '$' {
		return nil
	}
	whole := word
	word = withoutNumber(word)
	word = strings.TrimRight(word, "!?")
	if word == "" {
		return nil
	}
	if err := r.begin(whole); err != nil {
		return err
	}
	if len(r.game.Moves) == MaxPlies {
		return r.fault(whole, fmt.Errorf("%w: more than %d plies", ErrGameTooLong, MaxPlies))
	}
	m, err := FindMove(&r.pos, word)
	if err != nil {
		e := r.fault(whole, err)
		e.Ply, e.Number, e.Turn = len(r.game.Moves)+1, r.pos.Number(), r.pos.Turn()
		e.Legal, e.tagged = LegalUnder(r.game.Start, r.game.Moves, word), r.rules != ""
		return e
	}
	r.pos.MakeUnchecked(m)
	r.game.Moves = append(r.game.Moves, m)
	return nil
}

// withoutNumber cuts a move number off a word such as 1.c3-d4 or 1...e5xc3. Of 12.
// and 12 nothing remains.
func withoutNumber(word string) string {
	rest := strings.TrimLeft(word, "0123456789")
	if rest == "" {
		return ""
	}
	if dots := strings.TrimLeft(rest, ".…"); dots != rest {
		return dots
	}
	return word
}

func (r *gameReader) result(word string, result engine.Result) error {
	if err := r.begin(word); err != nil {
		return err
	}
	if result != engine.Ongoing && r.tagResult != engine.Ongoing && result != r.tagResult {
		return r.syntax(word, "the Result tag says %v", r.tagResult)
	}
	if result != engine.Ongoing {
		r.tagResult = result
	}
	return r.finish()
}

// finish ends the game that is being read, if any.
func (r *gameReader) finish() error {
	if !r.begun || r.skipping {
		return nil
	}
	if err := r.begin(""); err != nil {
		return err
	}
	r.game.Result = r.tagResult
	sortTags(r.game.Tags)
	r.games = append(r.games, r.game)
	r.number++
	r.reset()
	return nil
}

// clip shortens text before it goes into an error.
func clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	n := most
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
