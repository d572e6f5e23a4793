package view_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// blind is somebody who knows a language and the rules and is read a message: its
// text, its picture's description and the labels of its buttons.
type blind struct{ l i18n.Lang }

// heard is what a message says about a game.
type heard struct {
	stacks [engine.NumSquares]engine.Stack
	turn   engine.Color
}

// around returns what a sentence has before, between and behind the data of some
// names.
func (r blind) around(key i18n.Key, data ...string) []string {
	var with []any
	for _, name := range data {
		with = append(with, name, "\x00")
	}
	return strings.Split(r.l.T(key, with...), "\x00")
}

func (r blind) color(c engine.Color) string {
	return r.l.T(map[engine.Color]i18n.Key{engine.White: i18n.ColorWhite, engine.Black: i18n.ColorBlack}[c])
}

// pieces reads some equal pieces in a column of a side: "officer", "2 black soldiers".
func (r blind) pieces(words string, side engine.Color) ([]engine.Piece, error) {
	for n := 1; n <= engine.MaxHeight; n++ {
		for key, p := range map[i18n.Key]engine.Piece{
			i18n.PieceSoldier: engine.Soldier(side), i18n.PieceOfficer: engine.Officer(side),
			i18n.PieceWhiteSold: engine.WhiteSoldier, i18n.PieceWhiteOff: engine.WhiteOfficer,
			i18n.PieceBlackSold: engine.BlackSoldier, i18n.PieceBlackOff: engine.BlackOfficer,
		} {
			if r.l.N(key, n) == words {
				return slices.Repeat([]engine.Piece{p}, n), nil
			}
		}
	}
	return nil, fmt.Errorf("what is %q", words)
}

// picture reads a picture's description.
func (r blind) picture(alt string) (h heard, err error) {
	for _, side := range []engine.Color{engine.White, engine.Black} {
		if strings.Contains(alt, r.l.T(i18n.AltTurn, "Side", r.color(side))) {
			h.turn = side
		}
		if strings.Contains(alt, r.l.T(i18n.AltNone, "Side", r.color(side))) {
			continue
		}
		part := strings.Split(r.l.T(i18n.AltSide, "Side", r.color(side), "Columns", "\x00"), "\x00")
		_, list, ok := strings.Cut(alt, " "+part[0])
		list, _, ok2 := strings.Cut(list, part[1])
		if !ok || !ok2 {
			return h, fmt.Errorf("nothing is said about the columns of %v", side)
		}
		over := r.around(i18n.AltOver, "Top", "Below")
		for _, column := range strings.Split(list, "; ") {
			name, words, _ := strings.Cut(column, " ")
			sq, err := engine.ParseSquare(name)
			if err != nil {
				return h, err
			}
			var pieces []engine.Piece
			for _, run := range strings.Split(words, over[1]) {
				list, err := r.pieces(run, side)
				if err != nil {
					return h, err
				}
				pieces = append(pieces, list...)
			}
			h.stacks[sq] = engine.StackOf(pieces...)
		}
	}
	return h, nil
}

var (
	emojiNames = regexp.MustCompile(`<:(\w+)_` + render.TilesVersion + `:\d+>|⬛`)
	inFull     = regexp.MustCompile("`([a-g][1-7]) ([wbWB]+)`")
)

// emoji reads a board by the names of its emoji, row by row.
func (r blind) emoji(text string) (h heard, err error) {
	counts := func(word string) int {
		if word == "many" {
			return render.MaxTileCount + 1 // the list below says how many
		}
		n, _ := strconv.Atoi(word)
		return n
	}
	var rows [][]string
	for _, line := range strings.Split(text, "\n") {
		var row []string
		for _, m := range emojiNames.FindAllStringSubmatch(line, -1) {
			row = append(row, m[1])
		}
		if len(row) >= 8 {
			rows = append(rows, row)
		}
	}
	if len(rows) != 8 {
		return h, fmt.Errorf("%d rows", len(rows))
	}
	files := rows[7][1:]
	for _, row := range rows[:7] {
		for i, name := range row[1:min(len(row), 8)] {
			sq, playing := engine.SquareAt(int(files[i][0]-'a'), int(row[0][0]-'1'))
			words := strings.Split(name, "_")
			if side := strings.Index("wb", words[0]); playing && len(words) > 1 && side >= 0 {
				top := engine.Soldier(engine.Color(side))
				if words[1] == "officer" {
					top = engine.Officer(engine.Color(side))
				}
				pieces := []engine.Piece{top}
				if len(words) > 2 {
					pieces = append(pieces, slices.Repeat([]engine.Piece{engine.Soldier(top.Color())}, counts(words[2])-1)...)
				}
				if len(words) > 4 {
					pieces = append(pieces, slices.Repeat([]engine.Piece{engine.Soldier(top.Color().Other())}, counts(words[4]))...)
				}
				h.stacks[sq] = engine.StackOf(pieces...)
			}
		}
	}
	for _, m := range inFull.FindAllStringSubmatch(text, -1) {
		sq, err := engine.ParseSquare(m[1])
		if err != nil {
			return h, err
		}
		var pieces []engine.Piece
		for i := range len(m[2]) {
			p, _ := engine.PieceOf(m[2][i])
			pieces = append(pieces, p)
		}
		top, _ := h.stacks[sq].Top()
		if len(pieces) == 0 || pieces[0] != top {
			return h, fmt.Errorf("%v: the emoji and the list differ", sq)
		}
		h.stacks[sq] = engine.StackOf(pieces...)
	}
	return h, nil
}

// message reads a message of a game of Ann as White and Ben as Black.
func (r blind) message(msg view.Message) (heard, error) {
	if msg.Picture != nil {
		return r.picture(msg.Picture.Alt)
	}
	h, err := r.emoji(msg.Text)
	if strings.Contains(msg.Text, "```") {
		h.stacks, err = readLetters(msg.Text)
	}
	// The prompt mentions who is to move, and Discord shows the name; the title says
	// which side that is.
	if strings.Contains(msg.Text, "<@"+string(ben)+">") {
		h.turn = engine.Black
	}
	return h, err
}

var squareNames = regexp.MustCompile(`[a-g][1-7]`)

// TestABlindPlayersGame plays games to their end by the words of their messages
// alone, in every language and look, pressing buttons by their labels. After every
// ply the words must give the whole position, the side to move and what may move.
func TestABlindPlayersGame(t *testing.T) {
	games := 1000
	if testing.Short() {
		games = 20
	}
	langs := languages()
	looks := []view.Look{{}, {Boards: view.InLetters}, {Boards: view.InEmoji, Emoji: wholeSet()}}
	plies := 0
	for n := range games {
		random := rand.New(rand.NewPCG(13, uint64(n)))
		r := blind{langs[n/len(looks)%len(langs)]}
		m := after(t, matchOf(true, engine.White, engine.AllRules()[n%3], [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
		look := looks[n%len(looks)]
		look.Moves = n%2 == 1
		var path []engine.Square
		for m.Phase == match.Playing {
			msg := view.Game(r.l, look, &m, path)
			h, err := r.message(msg)
			if err != nil {
				t.Fatalf("game %d: %v\n%s", n, err, msg.Text)
			}
			if look.Boards == view.InEmoji && strings.Contains(msg.Text, "```") {
				t.Fatalf("game %d: no room for the emoji:\n%s", n, msg.Text)
			}
			pos := m.Game().Position()
			want := pos.Setup()
			// While jumps are being chosen, the board is shown after those, and the words
			// say which they are.
			if partial := view.Game(r.l, view.Look{Moves: look.Moves}, &m, path).Picture.Scene.Partial; partial != 0 {
				want.Jump(partial)
				if words := msg.Text; !strings.Contains(words, partial.String()) {
					t.Fatalf("game %d: nothing says that %v has been jumped:\n%s", n, partial, words)
				}
			}
			if h.stacks != want.Stacks || h.turn != pos.Turn() {
				t.Fatalf("game %d reads as %v, %v to move; it is %v, %v:\n%s", n, h.stacks, h.turn, want.Stacks, pos.Turn(), msg.Text)
			}
			choices := labelled(msg)
			if len(path) == 0 {
				mayMove(t, &pos, choices)
			}
			pick := choices[random.IntN(len(choices))]
			path = pick.Intent.(intent.Step).Path
			if mv, err := engine.NewMove(path...); err == nil && slices.Contains(pos.Moves(), mv) {
				m = after(t, m, match.Play{By: m.Turn(), Move: mv})
				path = nil
				plies++
			}
		}
		final, err := r.message(view.Game(r.l, look, &m, nil))
		last := m.Game().Position()
		if err != nil || final.stacks != last.Setup().Stacks {
			t.Fatalf("the end reads as %v, %v", final.stacks, err)
		}
	}
	t.Logf("%d games, %d plies", games, plies)
}

// labelled returns the buttons whose labels name squares: those that enter a move.
func labelled(msg view.Message) []view.Button {
	return slices.DeleteFunc(buttons(msg), func(b view.Button) bool { return b.Disabled || !squareNames.MatchString(b.Label) })
}

// mayMove fails unless the labels name what may move: as many whole moves as there
// are, or else every column that has one, or every landing of the only one.
func mayMove(t *testing.T, pos *engine.Position, list []view.Button) {
	t.Helper()
	said, from := map[string]bool{}, map[string]bool{}
	for _, b := range list {
		said[squareNames.FindString(b.Label)] = true
	}
	moves := pos.Moves()
	for _, mv := range moves {
		from[mv.From().String()] = true
	}
	if len(from) > 1 && !maps.Equal(said, from) {
		t.Fatalf("the buttons name the columns %v, those that may move are %v", said, from)
	}
	if len(moves) > 0 && len(list) == 0 || len(list) > len(moves) {
		t.Fatalf("%d buttons for %d moves", len(list), len(moves))
	}
}

// wholeSet is the set of all emoji, with IDs as long as Discord's can be.
func wholeSet() *view.EmojiSet {
	ids := map[string]string{}
	for i, tile := range render.Tiles() {
		ids[view.EmojiName(tile)] = strconv.FormatUint(math.MaxUint64-uint64(i), 10)
	}
	return view.NewEmojiSet(ids)
}
