package match

import "errors"

// What can be wrong with a command. Every error of [Match.Apply] and [Start] wraps
// one of these, engine.ErrIllegalMove or engine.ErrRules.
var (
	// Who: this person may not do this.

	ErrNotAPlayer    = errors.New("not a player of this game")
	ErrNotYourTurn   = errors.New("not your turn")
	ErrNotChallenged = errors.New("the challenge is addressed to somebody else")
	ErrNotChallenger = errors.New("the challenge was made by somebody else")
	ErrNotAsker      = errors.New("the opponent has asked, and can withdraw that")

	ErrOpen = errors.New("anybody may join this challenge; it is addressed to nobody")

	// When: the match is in another phase.

	ErrNotAccepted = errors.New("the challenge has not been accepted")
	ErrNotProposed = errors.New("the challenge is no longer open")
	ErrFinished    = errors.New("the game is over")

	// What: the state of the game does not allow it.

	ErrNoOffer        = errors.New("there is no draw offer to answer")
	ErrOfferStands    = errors.New("a draw has already been offered")
	ErrOfferTooSoon   = errors.New("a draw offer was declined a moment ago")
	ErrNoRequest      = errors.New("there is no request to take back")
	ErrRequestStands  = errors.New("there is already a request to take back")
	ErrRequestWaits   = errors.New("the opponent's request to take back waits for an answer")
	ErrRequestTooSoon = errors.New("a request to take back was refused a moment ago")
	ErrNothingToUndo  = errors.New("you have no move to take back")
	ErrTooLate        = errors.New("both sides have moved; resign instead of calling the game off")
	ErrTooEarly       = errors.New("the opponent still has time to move")
	ErrNotTold        = errors.New("the opponent has not been told that it is their turn")
	ErrNoClock        = errors.New("nobody has to move within a certain time in this game")
	ErrOwnTime        = errors.New("only the opponent can give you time")
	ErrMuchTime       = errors.New("no more time can be given for this turn")
	ErrNoHints        = errors.New("the players of this game have not agreed to hints")
	ErrCasual         = errors.New("the game is casual already")

	// New matches.

	ErrSelf  = errors.New("you cannot play against yourself")
	ErrSeats = errors.New("a game needs two seats, at least one of them a person's")
	ErrTerms = errors.New("a game cannot be played on these terms")
	ErrStart = errors.New("a game cannot start from this position")
)
