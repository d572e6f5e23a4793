package play

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/gametext"
)

// exportSize is the most bytes of games in an export. Discord takes files of
// 8 MiB everywhere.
const exportSize = 7 << 20

// exported is the file that a person gets, as JSON.
type exported struct {
	Exported time.Time        `json:"exported"`
	User     match.UserID     `json:"user"`
	Settings storage.Settings `json:"settings"`
	Blocked  []string         `json:"blocked,omitempty"` // marks of people, which name nobody
	// OlderGames is how many games did not fit.
	OlderGames int               `json:"older_games_left_out"`
	Games      []json.RawMessage `json:"games"` // of exportedGame
	// Outcomes are the rated games, the newest first, with the ratings after them.
	Outcomes []storage.Outcome `json:"rated_games,omitempty"`
}

// exportedGame is one game in the file.
type exportedGame struct {
	Game   match.ID     `json:"game"`
	Phase  match.Phase  `json:"phase"`
	Colour string       `json:"colour"` // the person's
	Rules  string       `json:"rules"`
	Ending match.Ending `json:"ending,omitempty"`
	Made   time.Time    `json:"made"`
	// Text is all of the game but an open challenge as "lascabot games export"
	// writes it, without the opponent.
	Text string `json:"text,omitempty"`
	// Lines are the replies that the person has stored.
	Lines []exportedLine `json:"lines,omitempty"`
}

// exportedLine is a line of stored replies in the file.
type exportedLine struct {
	Ply   int      `json:"ply"`
	Moves []string `json:"moves"`
}

// exportOutcomes returns a person's rated games without the opponents.
func (s *Service) exportOutcomes(ctx context.Context, who match.UserID) ([]storage.Outcome, error) {
	list, err := s.opt.Store.Outcomes(ctx, who, math.MaxInt)
	for i, o := range list {
		if o.Opponent != "" {
			list[i].Opponent = opponent
		}
	}
	return list, err
}

// opponent stands in an export for the other person in a game.
const opponent = "opponent"

// Export writes everything that is stored about a person as JSON, without other
// people. left is how many of the oldest games did not fit. The error is as for
// [Service.Stored].
func (s *Service) Export(ctx context.Context, who match.UserID) (file []byte, left int, err error) {
	set, err := s.opt.Store.Settings(ctx, personKey(who))
	if err != nil {
		return nil, 0, err
	}
	blocked, err := s.blockList(ctx, who)
	if err != nil {
		return nil, 0, err
	}
	outcomes, err := s.exportOutcomes(ctx, who)
	if err != nil {
		return nil, 0, err
	}
	e := exported{Outcomes: outcomes, Exported: s.opt.Now().UTC().Truncate(time.Second), User: who, Settings: set, Blocked: blocked, Games: []json.RawMessage{}}
	size := 0
	for r, err := range s.gamesOf(ctx, who) {
		if err != nil {
			return nil, 0, err
		}
		text, err := exportGame(r, who)
		if err != nil {
			return nil, 0, err
		}
		// Games come in the order in which they were made, as their IDs do.
		e.Games = append(e.Games, text)
		for size += len(text); size > exportSize; e.OlderGames++ {
			size -= len(e.Games[0])
			e.Games = e.Games[1:]
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err = enc.Encode(e)
	return text.Bytes(), e.OlderGames, err
}

// exportGame writes a game as one of its players gets it: nothing in it tells
// who the other is.
func exportGame(r storage.Record, who match.UserID) (json.RawMessage, error) {
	m := &r.Match
	seat, err := m.SeatOf(who)
	if err != nil {
		return nil, err
	}
	if other := seat.Other(); !m.Seats[other].Machine() {
		m.Seats[other] = match.Seat{User: opponent, Name: opponent}
		m.Seen[other] = time.Time{}
	}
	g := exportedGame{
		Game: m.ID, Phase: m.Phase, Colour: seat.String(), Rules: m.Rules.String(), Ending: m.Ending, Made: m.Created,
	}
	for _, line := range r.Lines[seat] {
		own := exportedLine{Ply: line.Ply}
		for _, mv := range line.Moves {
			own.Moves = append(own.Moves, mv.String())
		}
		g.Lines = append(g.Lines, own)
	}
	if gametext.Writes(&r) {
		var text strings.Builder
		if err := gametext.Write(&text, r); err != nil {
			return nil, err
		}
		g.Text = text.String()
	}
	return json.Marshal(g)
}
