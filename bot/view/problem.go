package view

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// next is what a person may do after a problem.
type next uint8

const (
	nothing      next = iota
	startGame         // a game against the machine
	listGames         // the person's games
	showBoard         // the game's board, with its link
	playOpponent      // a rematch, or the board
	answerIt          // accept or decline the challenge
	dropDraw          // take the own draw offer back
	dropUndo          // take the own request back
)

// problem is an error with the sentence that people read and what they may do.
type problem struct {
	err  error
	key  i18n.Key
	next next
}

// problems are the errors that have a sentence of their own; the first that fits
// counts. Errors that only a bug can bring about (a match without a person, a
// store that does not open) are not among them.
var problems = []problem{
	{intent.ErrOutdated, i18n.ErrOutdated, nothing},
	{intent.ErrMalformed, i18n.ErrOutdated, nothing},
	{play.ErrStale, i18n.ErrStale, showBoard},
	{play.ErrAhead, i18n.ErrAhead, showBoard},
	{play.ErrNoHints, i18n.ErrNoHints, nothing},
	{play.ErrVacationSpent, i18n.ErrVacationSpent, nothing},
	{play.ErrNoStats, i18n.ErrNoStats, nothing},
	{play.ErrNoPlans, i18n.ErrNoPlans, nothing},
	{play.ErrNotHere, i18n.ErrNotHere, nothing},
	{play.ErrNoServer, i18n.ErrNoServer, nothing},
	{play.ErrNoSuchSetting, i18n.ErrOutdated, nothing},
	{play.ErrManyChannels, i18n.ErrManyChannels, nothing},
	{play.ErrNoneWaits, i18n.ErrNoneWaits, nothing},
	{play.ErrOwnTurn, i18n.ErrOwnTurn, showBoard},
	{play.ErrTooManyLines, i18n.ErrTooManyLines, nothing},
	{play.ErrNotManager, i18n.ErrManage, nothing},
	{play.ErrNotAsked, i18n.DataNotAsked, nothing},
	{play.ErrAskedLongAgo, i18n.DataAskAgain, nothing},
	{play.ErrNoGame, i18n.ErrNoGameHere, startGame},
	{play.ErrRobot, i18n.ErrRobot, startGame},
	{play.ErrUs, i18n.ErrUs, startGame},
	{play.ErrNotShared, i18n.ErrNotShared, startGame},
	{play.ErrAlone, i18n.ErrAlone, startGame},
	{play.ErrOutside, i18n.ErrOutside, nothing},
	{play.ErrTooManyChallenges, i18n.ErrTooMany, nothing},
	{play.ErrTooManyGames, i18n.ErrTooManyGames, listGames},
	{play.ErrTooManyWaiting, i18n.ErrWaiting, nothing},
	{play.ErrMade, i18n.ErrMade, showBoard},
	{play.ErrWaits, i18n.ErrWaits, answerIt},
	{play.ErrBlocked, i18n.ErrBlocked, startGame},
	{play.ErrAskedOften, i18n.ErrAskedOften, startGame},
	{play.ErrNoChallenges, i18n.ErrNoChallenges, startGame},
	{play.ErrTaken, i18n.ErrTaken, nothing},
	{play.ErrNotModerator, i18n.ErrModerator, nothing},
	{play.ErrOwnGame, i18n.ErrOwnGame, nothing},
	{play.ErrElsewhere, i18n.ErrElsewhere, nothing},
	{play.ErrTooManyBlocks, i18n.ErrBlocks, nothing},
	{play.ErrDeleted, i18n.ErrDeleted, startGame},
	{play.ErrUnfinished, i18n.DataDeleting, nothing},
	{play.ErrBoardGone, i18n.ErrBoardGone, showBoard},
	{play.ErrUnsure, i18n.ErrClaimUnsure, showBoard},
	{play.ErrOvertaken, i18n.ErrOvertaken, nothing},
	{play.ErrTooManyQuestions, i18n.ErrQuestions, nothing},
	{play.ErrBusy, i18n.ErrBusy, nothing},
	{storage.ErrConflict, i18n.ErrStale, showBoard},
	{storage.ErrNotFound, i18n.ErrNoSuchGame, startGame},
	{storage.ErrUnsure, i18n.ErrUnsure, nothing}, // before ErrNotWritten, which it may come with
	{storage.ErrHangs, i18n.ErrHangs, nothing},
	{storage.ErrNotWritten, i18n.ErrDisk, nothing},
	{storage.ErrBroken, i18n.ErrBroken, nothing},
	{storage.ErrReplaced, i18n.ErrReplaced, nothing},
	{storage.ErrDamaged, i18n.ErrStorage, nothing},
	{storage.ErrClosed, i18n.ErrDraining, nothing},
	{match.ErrNotAPlayer, i18n.ErrNotPlayer, startGame},
	{match.ErrNotYourTurn, i18n.ErrNotTurn, nothing},
	{match.ErrNotChallenged, i18n.ErrNotForYou, nothing},
	{match.ErrNotAsker, i18n.ErrNotAsker, nothing},
	{match.ErrNotChallenger, i18n.ErrNotYours, nothing},
	{match.ErrNotAccepted, i18n.ErrNotAccepted, nothing},
	{match.ErrNotProposed, i18n.ErrNotProposed, nothing},
	{match.ErrFinished, i18n.ErrFinished, playOpponent},
	{match.ErrNoOffer, i18n.ErrNoOffer, nothing},
	{match.ErrOfferStands, i18n.ErrOfferStands, dropDraw},
	{match.ErrOfferTooSoon, i18n.ErrOfferTooSoon, nothing},
	{match.ErrNoRequest, i18n.ErrNoRequest, nothing},
	{match.ErrRequestStands, i18n.ErrAskedAlready, dropUndo},
	{match.ErrRequestWaits, i18n.ErrRequestWaits, showBoard},
	{match.ErrRequestTooSoon, i18n.ErrAskedTooSoon, nothing},
	{match.ErrNothingToUndo, i18n.ErrNothingUndo, nothing},
	{match.ErrTooLate, i18n.ErrTooLate, nothing},
	{match.ErrTooEarly, i18n.ErrTooEarly, nothing},
	{match.ErrNotTold, i18n.ErrNotTold, showBoard},
	{match.ErrNoClock, i18n.ErrNoClock, nothing},
	{match.ErrOwnTime, i18n.ErrOwnTime, nothing},
	{match.ErrMuchTime, i18n.ErrMuchTime, nothing},
	{match.ErrTerms, i18n.ErrTerms, nothing},
	{match.ErrOpen, i18n.ErrOpen, nothing},
	{match.ErrNoHints, i18n.ErrNoHints, nothing},
	{match.ErrSelf, i18n.ErrSelf, startGame},
	{context.Canceled, i18n.ErrDraining, nothing},
	{context.DeadlineExceeded, i18n.ErrBusy, nothing},
}

// problemOf returns the row of an error, and false with the sentence for bugs if
// it has none.
func problemOf(err error) (problem, bool) {
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return p, true
		}
	}
	return problem{err, i18n.ErrInternal, nothing}, false
}

// Known reports whether an error has a sentence of its own. Any other is a bug:
// log it in full, since [Problem] only says that something went wrong.
func Known(err error) bool {
	var wrong *notation.MoveError
	var often *play.TooOftenError
	if errors.As(err, &wrong) || errors.As(err, &often) {
		return true
	}
	_, ok := problemOf(err)
	return ok
}

// Problem tells one person what went wrong and what to do next, with the button
// for that where one helps. r is the game that it was about; it is nil or has no
// ID if it was about no game.
func Problem(l i18n.Lang, err error, r *storage.Record) Message {
	if r != nil && r.Match.ID == "" {
		r = nil
	}
	var wrong *notation.MoveError
	if errors.As(err, &wrong) {
		return wrongMove(l, wrong, r)
	}
	var often *play.TooOftenError
	if errors.As(err, &often) {
		return Said(l, i18n.ErrTooOften, "Until", timestamp(often.Until))
	}
	var here *play.NotHereError
	if errors.As(err, &here) {
		return Said(l, i18n.ErrNotHere, "Channels", channelList(here.Channels))
	}
	p, _ := problemOf(err)
	data := []any{"Max", play.MaxGames}
	if r != nil {
		m := &r.Match
		mover := m.Seats[m.Turn()]
		if p.err == match.ErrNotYourTurn && mover.Machine() {
			p.key = i18n.ErrThinking
		}
		data = append(data, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black]),
			"Who", seatName(l, mover), "Name", seatName(l, m.Seats[m.By.Other()]))
		if until, timed := deadline(r); m.Phase == match.Playing && timed {
			data = append(data, "Until", timestamp(until))
		}
	}
	msg := Said(l, p.key, data...)
	switch {
	case p.next == startGame:
		msg.Rows = []Row{{playButton(l)}}
	case p.next == listGames:
		msg.Rows = []Row{{{Label: l.T(i18n.ButtonGames), Intent: intent.Games{}}}}
	case r == nil: // the others are about a game
	case p.next == playOpponent && r.Match.Open: // nobody has come
		msg.Rows = []Row{{playButton(l), showButton(l, r)}}
	case p.next == playOpponent:
		msg.Rows = []Row{{rematchButton(l, intent.Ref{Game: r.Match.ID}), showButton(l, r)}}
	case p.next == dropDraw:
		msg.Rows = []Row{{{Label: l.T(i18n.ButtonDropDraw), Intent: intent.DropDraw{Ref: refTo(&r.Match)}}}}
	case p.next == dropUndo:
		msg.Rows = []Row{{{Label: l.T(i18n.ButtonDropUndo), Intent: intent.DropUndo{Ref: refTo(&r.Match)}}}}
	case p.next == answerIt:
		if link := messageLink(r); link != "" {
			msg.Text += " " + link
		}
		ref := refTo(&r.Match)
		msg.Rows = []Row{{
			{Label: l.T(i18n.ButtonAccept), Style: Success, Intent: intent.Accept{Ref: ref}},
			{Label: l.T(i18n.ButtonDecline), Style: Danger, Intent: intent.Decline{Ref: ref}},
		}}
	case p.next == showBoard:
		if link := messageLink(r); link != "" {
			msg.Text += " " + link
		}
		msg.Rows = []Row{{showButton(l, r)}}
	}
	return msg
}

// wrongMoves are the sentences for typed text that is not a legal move.
var wrongMoves = map[notation.MoveKind]i18n.Key{
	notation.MoveMissing:    i18n.MoveMissing,
	notation.MoveTooLong:    i18n.MoveTooLong,
	notation.NotASquare:     i18n.MoveNotSquare,
	notation.LightSquare:    i18n.MoveLight,
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

// moveRows is the most rows of moves that are offered after a wrong one.
const moveRows = 3

// wrongMove says why a typed text is not a legal move, with buttons for the moves
// that come near, or else for all, if they are few, and for the board.
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
		pos := r.Match.Game().Position()
		moves = pos.Moves()
	}
	ref := refTo(&r.Match)
	if len(moves) <= moveRows*MaxButtons {
		var list []Button
		for _, mv := range moves {
			list = append(list, Button{Label: moveLabel(mv), Style: Primary, Intent: intent.Step{Ref: ref, Path: mv.Path(), Sure: true}})
		}
		msg.Rows = inRows(list)
	}
	msg.Rows = append(msg.Rows, Row{showButton(l, r)})
	return msg
}
