package view

import (
	"context"
	"errors"
	"slices"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// problems are the errors that have a sentence of their own. The first that
// fits is taken. What only a fault of the program can bring about (a match
// without a person, a store that does not open) is not among them.
var problems = []struct {
	err error
	key i18n.Key
}{
	{intent.ErrOutdated, i18n.ErrOutdated},
	{intent.ErrMalformed, i18n.ErrOutdated},
	{play.ErrStale, i18n.ErrStale},
	{play.ErrNotManager, i18n.ErrManage},
	{play.ErrNotAsked, i18n.DataNotAsked},
	{play.ErrAskedLongAgo, i18n.DataAskAgain},
	{play.ErrNoGame, i18n.ErrNoGameHere},
	{play.ErrRobot, i18n.ErrRobot},
	{play.ErrUs, i18n.ErrUs},
	{play.ErrTooManyChallenges, i18n.ErrTooMany},
	{play.ErrTooManyGames, i18n.ErrTooManyGames},
	{play.ErrDeleted, i18n.ErrDeleted},
	{play.ErrUnfinished, i18n.DataDeleting},
	{play.ErrBusy, i18n.ErrBusy},
	{storage.ErrConflict, i18n.ErrStale},
	{storage.ErrNotFound, i18n.ErrNoSuchGame},
	{storage.ErrNotWritten, i18n.ErrDisk},
	{storage.ErrDamaged, i18n.ErrStorage},
	{storage.ErrClosed, i18n.ErrDraining},
	{match.ErrNotAPlayer, i18n.ErrNotPlayer},
	{match.ErrNotYourTurn, i18n.ErrNotTurn},
	{match.ErrNotChallenged, i18n.ErrNotForYou},
	{match.ErrNotChallenger, i18n.ErrNotYours},
	{match.ErrNotAccepted, i18n.ErrNotAccepted},
	{match.ErrNotProposed, i18n.ErrNotProposed},
	{match.ErrFinished, i18n.ErrFinished},
	{match.ErrNoOffer, i18n.ErrNoOffer},
	{match.ErrOfferStands, i18n.ErrOfferStands},
	{match.ErrOfferTooSoon, i18n.ErrOfferTooSoon},
	{match.ErrNoRequest, i18n.ErrNoRequest},
	{match.ErrRequestStands, i18n.ErrAskedAlready},
	{match.ErrNothingToUndo, i18n.ErrNothingUndo},
	{match.ErrTooLate, i18n.ErrTooLate},
	{match.ErrTooEarly, i18n.ErrTooEarly},
	{match.ErrSelf, i18n.ErrSelf},
	{context.Canceled, i18n.ErrDraining},
	{context.DeadlineExceeded, i18n.ErrBusy},
}

// Known reports whether an error has a sentence of its own. Others are this
// program's faults: they are to be logged in full and shown as "our side".
func Known(err error) bool {
	var wrong *notation.MoveError
	if errors.As(err, &wrong) {
		return true
	}
	_, ok := problemKey(err)
	return ok
}

func problemKey(err error) (i18n.Key, bool) {
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return p.key, true
		}
	}
	return i18n.ErrInternal, false
}

// Problem says to one person what went wrong and what to do next, with the
// button for it where there is one. r is the game that it was about, nil or
// without an ID when there is none.
func Problem(l i18n.Lang, err error, r *storage.Record) Message {
	if r != nil && r.Match.ID == "" {
		r = nil
	}
	var wrong *notation.MoveError
	if errors.As(err, &wrong) {
		return wrongMove(l, wrong, r)
	}
	key, _ := problemKey(err)
	data := []any{"Max", play.MaxGames}
	if r != nil {
		m := &r.Match
		mover := m.Seats[m.Turn()]
		if errors.Is(err, match.ErrNotYourTurn) && mover.Machine() {
			key = i18n.ErrThinking
		}
		data = append(data, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black]),
			"Who", seatName(l, mover), "Name", seatName(l, m.Seats[m.By.Other()]))
		if errors.Is(err, match.ErrTooEarly) && m.Phase == match.Playing {
			data = append(data, "Until", timestamp(m.Moved.Add(match.MoveTime)))
		}
	}
	msg := Said(l, key, data...)
	switch {
	case errors.Is(err, play.ErrNoGame), errors.Is(err, play.ErrUs), errors.Is(err, play.ErrRobot), errors.Is(err, match.ErrSelf),
		errors.Is(err, storage.ErrNotFound), errors.Is(err, match.ErrNotAPlayer), errors.Is(err, play.ErrDeleted):
		msg.Rows = []Row{{playButton(l)}}
	case errors.Is(err, play.ErrTooManyGames):
		msg.Rows = []Row{{{Label: l.T(i18n.ButtonGames), Intent: intent.Games{}}}}
	case r == nil:
	case errors.Is(err, match.ErrFinished):
		msg.Rows = []Row{{
			{Label: l.T(i18n.ButtonRematch), Emoji: "🔁", Style: Primary, Intent: intent.Rematch{Ref: intent.Ref{Game: r.Match.ID}}},
			showButton(l, r),
		}}
	case key == i18n.ErrStale:
		if link := messageLink(r); link != "" {
			msg.Text += " " + link
		}
		msg.Rows = []Row{{showButton(l, r)}}
	}
	return msg
}

// showButton brings a game's board, with its buttons, to where the person is.
func showButton(l i18n.Lang, r *storage.Record) Button {
	return Button{Label: l.T(i18n.ButtonShow), Emoji: "📌", Intent: intent.Board{Ref: intent.Ref{Game: r.Match.ID}}}
}

// wrongMoves are the sentences for moves that are none.
var wrongMoves = map[notation.MoveKind]i18n.Key{
	notation.MoveMissing:    i18n.MoveMissing,
	notation.MoveTooLong:    i18n.MoveTooLong,
	notation.NotASquare:     i18n.MoveNotSquare,
	notation.NoLegalMoves:   i18n.ErrFinished,
	notation.EmptySquare:    i18n.MoveEmpty,
	notation.NotYourColumn:  i18n.MoveNotYours,
	notation.Blocked:        i18n.MoveStuck,
	notation.MustCapture:    i18n.MoveCapture,
	notation.MoveUnfinished: i18n.MoveUnfinished,
	notation.CaptureGoesOn:  i18n.MoveGoesOn,
	notation.MoveEnds:       i18n.MoveEnds,
	notation.SeveralMoves:   i18n.MoveSeveral,
	notation.CannotGoThere:  i18n.MoveCannot,
}

// moveRows is the most rows of whole moves that are offered after a move that
// was none.
const moveRows = 3

// wrongMove says why a typed move is none, with buttons of what is possible: the
// moves that come near, else all of them, where they are few, and the board.
func wrongMove(l i18n.Lang, e *notation.MoveError, r *storage.Record) Message {
	key, ok := wrongMoves[e.Kind]
	if !ok {
		key = i18n.MoveMissing
	}
	named := "?"
	if len(e.Named) > 0 {
		named = "**" + e.Named[0].String() + "**"
	}
	msg := Said(l, key, "Text", Escape(e.Text), "Named", named, "Squares", some(l, e.Squares), "Moves", some(l, e.Moves))
	if r == nil {
		return msg
	}
	moves := e.Moves
	if len(moves) == 0 && r.Match.Phase == match.Playing {
		g := r.Match.Game()
		pos := g.Position()
		moves = pos.Moves()
	}
	ref := intent.Ref{Game: r.Match.ID, Version: r.Match.Version}
	if len(moves) <= moveRows*MaxButtons {
		for group := range slices.Chunk(moves, MaxButtons) {
			var row Row
			for _, mv := range group {
				row = append(row, Button{Label: mv.String(), Style: Primary, Intent: intent.Step{Ref: ref, Path: mv.Path()}})
			}
			msg.Rows = append(msg.Rows, row)
		}
	}
	msg.Rows = append(msg.Rows, Row{showButton(l, r)})
	return msg
}
