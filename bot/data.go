package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/gametext"
)

const (
	// exportSize is the most bytes of games in an export. Discord takes files of
	// 8 MiB everywhere.
	exportSize = 7 << 20
	// confirmTime is how long the answer counts to whether everything is to be
	// deleted.
	confirmTime = 15 * time.Minute
	// deletionTime is how long a person waits for a deletion before being told
	// that it goes on by itself.
	deletionTime = time.Minute
)

// data answers what a person asks about what is stored of them. All of it is for
// that person alone.
func (b *Bot) data(ctx context.Context, c *call) answer {
	who := c.req.User.ID
	say := func(m view.Message, err error) answer {
		if err != nil {
			m = b.problem(c, err, nil)
		}
		return answer{msg: m, update: c.onPrivate()}
	}
	switch in := c.req.Intent.(type) {
	case intent.MyData:
		d, err := b.service.Stored(ctx, who)
		return say(view.MyData(c.lang, lookFrom(d.Settings), d, b.keeping()), err)
	case intent.ExportData:
		return say(b.exportData(ctx, c))
	case intent.AskDeleteData:
		return say(view.AskDeleteData(c.lang, who, false), nil)
	case intent.KeepData:
		return say(view.Said(c.lang, i18n.DataKept), nil)
	case intent.DeleteData:
		switch {
		case in.Of != who:
			return answer{msg: view.Said(c.lang, i18n.DataNotAsked)}
		case b.now().Sub(snowflakeTime(c.req.Message)) > confirmTime:
			// In a new message, or its age would be the old one's.
			return answer{msg: view.AskDeleteData(c.lang, who, true)}
		}
		ctx, cancel := context.WithTimeout(ctx, deletionTime)
		defer cancel()
		any, err := b.service.DeleteData(ctx, who)
		return say(view.DataDeleted(c.lang, any, b.keeping()), err)
	}
	return say(view.Message{}, fmt.Errorf("no answer to %T", c.req.Intent))
}

func (b *Bot) keeping() view.Keeping {
	return view.Keeping{Finished: b.opt.KeepFinished, Removed: b.opt.KeepRemoved, Copies: b.opt.KeepCopies}
}

// exported is the file that a person gets, as JSON.
type exported struct {
	Exported time.Time        `json:"exported"`
	User     match.UserID     `json:"user"`
	Settings storage.Settings `json:"settings"`
	// OlderGames is how many games found no room in the file.
	OlderGames int               `json:"older_games_left_out"`
	Games      []json.RawMessage `json:"games"` // of exportedGame
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
}

// opponent stands in an export for who else sits in a game.
const opponent = "opponent"

// exportData makes a person's file.
func (b *Bot) exportData(ctx context.Context, c *call) (view.Message, error) {
	who := c.req.User.ID
	set, err := b.opt.Store.Settings(ctx, play.PersonKey(who))
	if err != nil {
		return view.Message{}, err
	}
	file := exported{Exported: b.now().UTC().Truncate(time.Second), User: who, Settings: set, Games: []json.RawMessage{}}
	size := 0
	for r, err := range b.service.GamesOf(ctx, who) {
		if err != nil {
			return view.Message{}, err
		}
		text, err := exportGame(r, who)
		if err != nil {
			return view.Message{}, err
		}
		// Games come in the order in which they were made, as their IDs do.
		file.Games = append(file.Games, text)
		for size += len(text); size > exportSize; file.OlderGames++ {
			size -= len(file.Games[0])
			file.Games = file.Games[1:]
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(file); err != nil {
		return view.Message{}, err
	}
	return view.ExportData(c.lang, text.Bytes(), file.OlderGames), nil
}

// exportGame writes a game as one of its players gets it: nothing tells who the
// other is.
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
	if gametext.Writes(&r) {
		var text strings.Builder
		if err := gametext.Write(&text, r); err != nil {
			return nil, err
		}
		g.Text = text.String()
	}
	return json.Marshal(g)
}
