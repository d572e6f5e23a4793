package play

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrStale says that a button was drawn for an older version of the game.
	ErrStale = errors.New("the game has moved on")
	// ErrAhead says that a button was drawn for a newer version of the game than is
	// stored: the store was put back to an older state.
	ErrAhead = errors.New("the game was set back to an earlier state")
	// ErrNoGame says that a person has no running game in a channel.
	ErrNoGame = errors.New("no running game of this person here")
	// ErrRobot says that the challenged account is another application.
	ErrRobot = errors.New("applications do not play")
	// ErrUs says that the challenged account is this application, which is played
	// with a command of its own.
	ErrUs = errors.New("this application was challenged")
	// ErrNotShared says that somebody was challenged in direct messages, which the
	// other person cannot read.
	ErrNotShared = errors.New("the challenged person cannot read this conversation")
	// ErrAlone says that nobody else would see a challenge, since Discord shows answers to
	// the person alone there.
	ErrAlone = errors.New("answers are shown to this person alone here")
	// ErrOutside says that a challenge would have to be posted where the application can
	// only answer.
	ErrOutside = errors.New("nothing can be posted where the game was played")
	// ErrTooManyChallenges says that a person challenges too often.
	ErrTooManyChallenges = errors.New("too many challenges in a short time")
	// ErrTooManyGames says that a person has MaxGames unfinished games.
	ErrTooManyGames = errors.New("too many unfinished games")
	// ErrTooManyWaiting says that MaxWaiting challenges wait for the other's answer.
	ErrTooManyWaiting = errors.New("too many challenges wait for this person")
	// ErrAskedOften says that a person has been challenged too often lately.
	ErrAskedOften = errors.New("this person was challenged often in a short time")
	// ErrNoChallenges says that a person does not want to be challenged.
	ErrNoChallenges = errors.New("this person takes no challenges")
	// ErrTaken says that somebody else was faster to join an open challenge.
	ErrTaken = errors.New("somebody else has joined")
	// ErrNotModerator says that a person may not end other people's games here.
	ErrNotModerator = errors.New("only a moderator of the channel may do this")
	// ErrOwnGame says that a moderator may not end their own game without a result.
	ErrOwnGame = errors.New("a moderator plays in this game")
	// ErrElsewhere says that a game is not played in this channel.
	ErrElsewhere = errors.New("the game is played in another channel")
	// ErrMade says that what was to be made is there already.
	ErrMade = errors.New("that game is there already")
	// ErrWaits says that a challenge by the other waits for this person's answer.
	ErrWaits = errors.New("a challenge by the other waits for an answer")
	// ErrBlocked says that the other does not take challenges from this person.
	ErrBlocked = errors.New("the other blocks this person")
	// ErrTooManyBlocks says that a person blocks MaxBlocks people.
	ErrTooManyBlocks = errors.New("too many people blocked")
	// ErrDeleted says that the opponent has had their data deleted.
	ErrDeleted = errors.New("the opponent has deleted their data")
	// ErrUnfinished says that something has begun and finishes by itself.
	ErrUnfinished = errors.New("not finished yet")
	// ErrOvertaken says that a person's data was deleted after something was asked for
	// that would have stored the person again. Nothing was done.
	ErrOvertaken = errors.New("overtaken by a deletion")
	// ErrBoardGone says that a win cannot be claimed, since the board that told the
	// opponent of their turn was deleted. It is to be posted anew.
	ErrBoardGone = errors.New("the board was deleted")
	// ErrUnsure says that a win cannot be claimed now, since Discord does not say
	// whether the board is still there, or people may not have been able to play.
	ErrUnsure = errors.New("nobody knows whether the board is there")
	// ErrNoHints says that a game is between two people who have not agreed to hints:
	// one of them would play with help that the other does not see.
	ErrNoHints = errors.New("no hints in games between people")
	// ErrNoStats says that somebody else's results were asked for in direct messages.
	ErrNoStats = errors.New("other people's results are shown on servers only")
	// ErrNoPlans says that a game is against the machine, which answers at once.
	ErrNoPlans = errors.New("no if-then lines against the machine")
	// ErrOwnTurn says that the person is to move; lines are for while the other is.
	ErrOwnTurn = errors.New("it is this person's turn")
	// ErrTooManyLines says that a person has storage.MaxLines lines in a game.
	ErrTooManyLines = errors.New("too many if-then lines")
	// ErrNoneWaits says that no other game waits for a person.
	ErrNoneWaits = errors.New("no other game waits for this person")
	// ErrNotManager says that a person may not decide for the whole server.
	ErrNotManager = errors.New("only a manager of the server may do this")
	// ErrNotAsked says that a confirmation is another person's to give.
	ErrNotAsked = errors.New("another person was asked")
	// ErrAskedLongAgo says that a confirmation came too late to count.
	ErrAskedLongAgo = errors.New("the question is too old")
	// ErrTooManyQuestions says that a person waits for several slow answers already.
	ErrTooManyQuestions = errors.New("too many questions of one person at a time")
	// ErrBusy says that the machine has no room for another question now.
	ErrBusy = errors.New("too many questions at a time")
)

// TooOftenError says that a person makes games too often.
type TooOftenError struct {
	Until time.Time // when the next can be made
}

func (e *TooOftenError) Error() string {
	return fmt.Sprintf("too many games in a short time; the next at %v", e.Until)
}
