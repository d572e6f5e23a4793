package view

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// problems are the errors that have a sentence of their own. The first that
// fits is taken.
var problems = []struct {
	err error
	key i18n.Key
}{
	{intent.ErrOutdated, i18n.ErrOutdated},
	{intent.ErrMalformed, i18n.ErrOutdated},
	{play.ErrStale, i18n.ErrStale},
	{play.ErrNoGame, i18n.ErrNoGameHere},
	{play.ErrRobot, i18n.ErrRobot},
	{play.ErrUs, i18n.ErrUs},
	{play.ErrTooManyChallenges, i18n.ErrTooMany},
	{play.ErrTooManyGames, i18n.ErrTooManyGames},
	{play.ErrBusy, i18n.ErrBusy},
	{storage.ErrNotFound, i18n.ErrNoSuchGame},
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
// button for it where there is one. r is the game that it was about, nil when
// there is none.
func Problem(l i18n.Lang, err error, r *storage.Record) Message {
	var wrong *notation.MoveError
	if errors.As(err, &wrong) {
		return wrongMove(l, wrong, r)
	}
	key, _ := problemKey(err)
	if r == nil || r.Match.ID == "" {
		msg := Said(l, key, "White", "?", "Black", "?", "Who", "?", "Name", "?", "Max", play.MaxGames)
		switch {
		case errors.Is(err, play.ErrNoGame), errors.Is(err, play.ErrUs), errors.Is(err, storage.ErrNotFound):
			msg.Rows = []Row{{playButton(l)}}
		}
		return msg
	}
	m := &r.Match
	white, black := seatName(l, m.Seats[0]), seatName(l, m.Seats[1])
	who := m.Seats[m.Turn()]
	if errors.Is(err, match.ErrNotYourTurn) && who.Machine() {
		key = i18n.ErrThinking
	}
	msg := Said(l, key, "White", white, "Black", black, "Who", seatName(l, who),
		"Name", seatName(l, m.Seats[m.By.Other()]), "Max", play.MaxGames)
	switch {
	case errors.Is(err, match.ErrNotAPlayer):
		msg.Rows = []Row{{playButton(l)}}
	case errors.Is(err, play.ErrStale), errors.Is(err, match.ErrFinished):
		if link := messageLink(r); link != "" {
			msg.Text += " " + link
		}
		msg.Rows = []Row{{{Label: l.T(i18n.ButtonShow), Emoji: "📌", Intent: intent.Board{Ref: intent.Ref{Game: m.ID}}}}}
	}
	return msg
}

// listed is the most squares or moves that a sentence lists.
const listed = 10

// wrongMove says why a typed move is none, with buttons of what is possible.
func wrongMove(l i18n.Lang, e *notation.MoveError, r *storage.Record) Message {
	named := "?"
	if len(e.Named) > 0 {
		named = e.Named[0].String()
	}
	squares := alternatives(l, bold(e.Squares[:min(len(e.Squares), listed)]))
	moves := alternatives(l, bold(e.Moves[:min(len(e.Moves), listed)]))
	key := i18n.MoveUnread
	switch e.Kind {
	case notation.NotASquare:
		key = i18n.MoveNotSquare
	case notation.NoLegalMoves:
		key = i18n.ErrFinished
	case notation.EmptySquare:
		key = i18n.MoveEmpty
	case notation.NotYourColumn:
		key = i18n.MoveNotYours
	case notation.Blocked:
		key = i18n.MoveStuck
	case notation.MustCapture:
		key = i18n.MoveCapture
	case notation.MoveUnfinished, notation.CaptureGoesOn:
		key = i18n.MoveGoesOn
	case notation.SeveralMoves:
		key = i18n.MoveSeveral
	case notation.MoveEnds, notation.CannotGoThere:
		key = i18n.MoveCannot
	}
	msg := Said(l, key, "Text", Escape(e.Text), "Named", named, "Squares", squares, "Moves", moves)
	if r == nil || len(e.Moves) == 0 {
		return msg
	}
	ref := intent.Ref{Game: r.Match.ID, Version: r.Match.Version}
	for i, mv := range e.Moves[:min(len(e.Moves), listed)] {
		if i%MaxButtons == 0 {
			msg.Rows = append(msg.Rows, nil)
		}
		last := &msg.Rows[len(msg.Rows)-1]
		*last = append(*last, Button{Label: mv.String(), Style: Primary, Intent: intent.Step{Ref: ref, Path: mv.Path()}})
	}
	return msg
}
