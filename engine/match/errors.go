package match

import "errors"

// What can be wrong with a command. Every error of [Match.Apply] wraps one of
// these or engine.ErrIllegalMove.
var (
	// Who: the person may not do this in this match.

	ErrNotAPlayer    = errors.New("not a player of this game")
	ErrNotYourTurn   = errors.New("not your turn")
	ErrNotChallenged = errors.New("the challenge is for somebody else")
	ErrNotChallenger = errors.New("the challenge is somebody else's")

	// When: the match is in another phase.

	ErrNotAccepted = errors.New("the challenge has not been accepted")
	ErrNotProposed = errors.New("the challenge is no longer open")
	ErrFinished    = errors.New("the game is over")

	// What: the command does not fit what stands on the board.

	ErrNoOffer       = errors.New("there is no draw offer to answer")
	ErrOfferStands   = errors.New("a draw has been offered already")
	ErrOfferTooSoon  = errors.New("a draw was refused a moment ago")
	ErrNoRequest     = errors.New("there is no request to take back")
	ErrRequestStands = errors.New("taking back has been asked for already")
	ErrNothingToUndo = errors.New("there is no move of yours to take back")
	ErrTooLate       = errors.New("both sides have moved; the game can be resigned, not called off")
	ErrTooEarly      = errors.New("the opponent still has time to move")

	// New matches.

	ErrSelf  = errors.New("nobody plays against themselves")
	ErrSeats = errors.New("a game needs two seats, one of them a person's")
	ErrStart = errors.New("a game cannot begin with this position")
)
