package enginetest

import (
	"encoding/json"
	"strings"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/testdata"
)

// Case is a position with known facts about it.
type Case struct {
	ID       string
	Name     string
	Note     string                  // why it is difficult
	Position string                  // position text
	Expect   map[engine.Rules]Expect // facts reasoned by hand
	Perft    map[engine.Rules][]uint64
}

// Expect holds facts about the legal moves of a position. A zero field says
// nothing.
type Expect struct {
	Only     []string // all moves
	Has      []string // some of the moves
	Count    int      // the number of moves
	MaxJumps int      `json:"max_jumps"` // the most jumps in a move
	Results  int      // the number of different positions after one move
}

// KnownMoves is a reachable position with its moves under every ruleset, each with
// the text of the position after it.
type KnownMoves struct {
	ID       string
	Position string
	Moves    map[engine.Rules][][2]string
}

// KnownGame is a complete game with the position after every ply.
type KnownGame struct {
	ID     string
	Note   string
	Rules  engine.Rules `json:"ruleset"`
	Start  string
	Moves  []string
	After  []string `json:"lfens"`
	Result string   `json:"result_with_threefold"` // "*" when the moves end before the game does
	Plies  int      `json:"plies_with_threefold"`  // when the game ends by our rules, otherwise all plies
	Reason string   `json:"reason_with_threefold"` // "no-moves", "threefold", "no-progress" or ""
}

// Cases returns the start and the difficult positions.
func Cases() ([]Case, error) { return readLines[Case](testdata.Cases) }

// MovesOfPositions returns reachable positions with their moves.
func MovesOfPositions() ([]KnownMoves, error) { return ReadMovesOfPositions(testdata.Positions) }

// Games returns complete games of every ending.
func Games() ([]KnownGame, error) { return ReadGames(testdata.Games) }

// ReadGames reads games from lines of JSON.
func ReadGames(lines string) ([]KnownGame, error) { return readLines[KnownGame](lines) }

// ReadMovesOfPositions reads positions with their moves from lines of JSON, in which
// the position is called position or lfen.
func ReadMovesOfPositions(lines string) ([]KnownMoves, error) {
	type line struct {
		ID, Position, LFEN       string
		Kawu, MindSports, Lasker [][2]string
	}
	read, err := readLines[line](lines)
	if err != nil {
		return nil, err
	}
	known := make([]KnownMoves, len(read))
	for i, l := range read {
		known[i] = KnownMoves{ID: l.ID, Position: l.Position + l.LFEN, Moves: map[engine.Rules][][2]string{
			engine.Kawu: l.Kawu, engine.MindSports: l.MindSports, engine.Lasker: l.Lasker,
		}}
	}
	return known, nil
}

// Historic returns published games and openings, as game text.
func Historic() string { return testdata.Historic }

func readLines[T any](lines string) ([]T, error) {
	var all []T
	d := json.NewDecoder(strings.NewReader(lines))
	for d.More() {
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
