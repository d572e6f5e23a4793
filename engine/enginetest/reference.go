package enginetest

import (
	"fmt"
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// Point is a square by file and rank, 0 to 6 each.
type Point struct{ File, Rank int }

// String returns the name of the square, such as "c3".
func (p Point) String() string { return string(rune('a'+p.File)) + string(rune('1'+p.Rank)) }

// onBoard reports whether the square is a playing square.
func (p Point) onBoard() bool {
	return p.File >= 0 && p.File <= 6 && p.Rank >= 0 && p.Rank <= 6 && (p.File+p.Rank)%2 == 0
}

// Reference is a position under the slow rules. A column is a string of letters from
// the commander down, which is empty for an empty square.
type Reference struct {
	Columns map[Point]string
	Side    string // "w" or "b"
	Quiet   int
	Number  int
	Rules   string
}

// ParseReference reads position text. It panics when the text is malformed.
func ParseReference(text, rules string) Reference {
	fields := strings.Fields(text)
	r := Reference{Columns: map[Point]string{}, Side: fields[1], Number: 1, Rules: rules}
	for i, rank := range strings.Split(fields[0], "/") {
		for j, column := range strings.Split(rank, ",") {
			p := Point{2*j + (6-i)%2, 6 - i}
			if !p.onBoard() || strings.Trim(column, "wbWB") != "" {
				panic("enginetest: malformed position " + text)
			}
			if column != "" {
				r.Columns[p] = column
			}
		}
	}
	if len(fields) > 2 {
		r.Quiet, _ = strconv.Atoi(fields[2])
		r.Number, _ = strconv.Atoi(fields[3])
	}
	return r
}

// ReferenceOf returns a set-up of the engine as a reference position.
func ReferenceOf(s engine.Setup) Reference {
	r := Reference{Columns: map[Point]string{}, Side: "w", Quiet: s.Quiet, Number: s.Number, Rules: s.Rules.String()}
	if s.Turn == engine.Black {
		r.Side = "b"
	}
	for i, stack := range s.Stacks {
		if stack != 0 {
			sq := engine.Square(i)
			r.Columns[Point{sq.File(), sq.Rank()}] = stack.String()
		}
	}
	return r
}

// String returns the position text.
func (r Reference) String() string {
	var ranks []string
	for rank := 6; rank >= 0; rank-- {
		var columns []string
		for file := range 7 {
			if p := (Point{file, rank}); p.onBoard() {
				columns = append(columns, r.Columns[p])
			}
		}
		ranks = append(ranks, strings.Join(columns, ","))
	}
	return fmt.Sprintf("%s %s %d %d", strings.Join(ranks, "/"), r.Side, r.Quiet, r.Number)
}

// Setup returns the position as a set-up of the engine.
func (r Reference) Setup() engine.Setup {
	s := engine.Setup{Quiet: r.Quiet, Number: r.Number}
	if r.Side == "b" {
		s.Turn = engine.Black
	}
	for _, rules := range engine.AllRules() {
		if rules.String() == r.Rules {
			s.Rules = rules
		}
	}
	for p, column := range r.Columns {
		var pieces []engine.Piece
		for _, letter := range []byte(column) {
			piece, _ := engine.PieceOf(letter)
			pieces = append(pieces, piece)
		}
		sq, _ := engine.SquareAt(p.File, p.Rank)
		s.Stacks[sq] = engine.StackOf(pieces...)
	}
	return s
}

// owner returns the side of the commander, "w" or "b", and "" for an empty square.
func owner(column string) string {
	if column == "" {
		return ""
	}
	return strings.ToLower(column[:1])
}

// direction is one of the four diagonal steps.
type direction struct{ file, rank int }

// directions returns the directions in which a column may go: forward under a
// soldier, every direction under an officer.
func directions(column string) []direction {
	switch column[0] {
	case 'w':
		return []direction{{-1, 1}, {1, 1}}
	case 'b':
		return []direction{{-1, -1}, {1, -1}}
	}
	return []direction{{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}
}

func (p Point) plus(d direction) Point { return Point{p.File + d.file, p.Rank + d.rank} }

// promotes reports whether the commander of a column that arrives on a square is
// promoted.
func promotes(column string, at Point) bool {
	return column[0] == 'w' && at.Rank == 6 || column[0] == 'b' && at.Rank == 0
}

// Successors returns the position after each legal move, by the text of the move.
func (r Reference) Successors() map[string]Reference {
	captures, quiet := map[string]Reference{}, map[string]Reference{}
	for from, column := range r.Columns {
		if owner(column) != r.Side {
			continue
		}
		board := copyOf(r.Columns)
		delete(board, from) // a square that the column has left counts as empty
		c := chain{start: r, moves: captures}
		c.jumpOn(board, column, []Point{from}, nil, nil)
		for _, d := range directions(column) {
			to := from.plus(d)
			if !to.onBoard() || r.Columns[to] != "" {
				continue
			}
			after := copyOf(board)
			promoted := promotes(column, to)
			after[to] = crown(column, promoted)
			quiet[from.String()+"-"+to.String()] = r.next(after, promoted)
		}
	}
	if len(captures) > 0 {
		return captures
	}
	return quiet
}

// Moves returns the text of every legal move, sorted by bytes.
func (r Reference) Moves() []string {
	var texts []string
	for text := range r.Successors() {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	return texts
}

// chain collects the captures of one column.
type chain struct {
	start Reference
	moves map[string]Reference
}

// jumpOn continues a capture. The column stands at the end of the path and is not on
// the board. jumped holds the squares jumped so far, and last is the direction of
// the last jump.
func (c chain) jumpOn(board map[Point]string, column string, path, jumped []Point, last *direction) {
	ended := true
	at := path[len(path)-1]
	for _, d := range directions(column) {
		over := at.plus(d)
		land := over.plus(d)
		if !land.onBoard() || board[land] != "" {
			continue
		}
		if o := owner(board[over]); o == "" || o == c.start.Side {
			continue
		}
		if c.start.Rules == "lasker" && contains(jumped, over) {
			continue
		}
		if c.start.Rules == "mindsports" && last != nil && d == (direction{-last.file, -last.rank}) {
			continue
		}
		ended = false
		after := copyOf(board)
		taken := after[over][:1]
		after[over] = after[over][1:]
		longer := column + taken // the prisoner goes under the bottom
		onward := append(append([]Point{}, path...), land)
		if promotes(longer, land) {
			c.finish(after, crown(longer, true), onward) // promotion ends the move
			continue
		}
		c.jumpOn(after, longer, onward, append(append([]Point{}, jumped...), over), &d)
	}
	if ended && len(path) > 1 {
		c.finish(board, column, path)
	}
}

func (c chain) finish(board map[Point]string, column string, path []Point) {
	after := copyOf(board)
	after[path[len(path)-1]] = column
	var names []string
	for _, p := range path {
		names = append(names, p.String())
	}
	c.moves[strings.Join(names, "x")] = c.start.next(after, true)
}

// next returns the position after a move that results in the given columns.
func (r Reference) next(columns map[Point]string, progress bool) Reference {
	n := Reference{Columns: map[Point]string{}, Side: "b", Quiet: r.Quiet + 1, Number: r.Number, Rules: r.Rules}
	for p, column := range columns {
		if column != "" {
			n.Columns[p] = column
		}
	}
	if r.Side == "b" {
		n.Side, n.Number = "w", r.Number+1
	}
	if progress {
		n.Quiet = 0
	}
	return n
}

// crown makes the commander an officer if it is promoted.
func crown(column string, promoted bool) string {
	if !promoted {
		return column
	}
	return strings.ToUpper(column[:1]) + column[1:]
}

// Outcome returns the result of a game that went through the given positions, of
// which the last is the current one, and the reason; both are "" while the game goes
// on.
func Outcome(history []Reference) (result, reason string) {
	last := history[len(history)-1]
	if len(last.Successors()) == 0 {
		if last.Side == "w" {
			return "0-1", "no moves"
		}
		return "1-0", "no moves"
	}
	times := 0
	for _, r := range history {
		if r.Side == last.Side && maps.Equal(r.Columns, last.Columns) {
			times++
		}
	}
	if times >= 3 {
		return "1/2-1/2", "repetition"
	}
	if last.Quiet >= 60 {
		return "1/2-1/2", "no progress"
	}
	return "", ""
}

func copyOf(board map[Point]string) map[Point]string {
	c := map[Point]string{}
	for p, column := range board {
		c[p] = column
	}
	return c
}

func contains(points []Point, p Point) bool {
	for _, q := range points {
		if p == q {
			return true
		}
	}
	return false
}
