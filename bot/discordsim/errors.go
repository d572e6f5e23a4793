package discordsim

import (
	"errors"
	"net/http"
)

// Errors of the [Actor] methods: what the person would see instead of an answer,
// or why the client would not let them try.
var (
	// ErrNoAnswer says that the bot did not give its first answer in time: "The
	// application did not respond".
	ErrNoAnswer = errors.New("discordsim: the application did not respond")
	// ErrUnknownUser says that the user does not exist. Add it with AddUser.
	ErrUnknownUser = errors.New("discordsim: unknown user")
	// ErrUnknownChannel says that the channel does not exist or that the
	// person cannot see it.
	ErrUnknownChannel = errors.New("discordsim: unknown channel")
	// ErrUnknownMessage says that the message does not exist or that the
	// person cannot see it.
	ErrUnknownMessage = errors.New("discordsim: unknown message")
	// ErrForbidden says that the person lacks a permission, or that the
	// thread is archived or locked.
	ErrForbidden = errors.New("discordsim: not allowed here")
	// ErrUnknownCommand says that the command is not registered for this place.
	ErrUnknownCommand = errors.New("discordsim: unknown command")
	// ErrOption says that an option is missing, unknown, repeated or has a
	// value that the registered command does not accept.
	ErrOption = errors.New("discordsim: bad option")
	// ErrNoComponent says that the message does not have the component.
	ErrNoComponent = errors.New("discordsim: no such component")
	// ErrDisabled says that the component is there but disabled.
	ErrDisabled = errors.New("discordsim: component is disabled")
	// ErrBadSelection says that the values do not fit the select menu.
	ErrBadSelection = errors.New("discordsim: bad selection")
	// ErrBadInput says that a text is empty or too long for Discord.
	ErrBadInput = errors.New("discordsim: bad input")
)

// Errors of the server itself.
var (
	// ErrUnknownHost says that a request was about to leave for a real host.
	// Nothing was sent.
	ErrUnknownHost = errors.New("discordsim: request to a host that is not Discord")
	// ErrNotJournal says that the file given to Open is something else. It is
	// unchanged.
	ErrNotJournal = errors.New("discordsim: not a journal")
	// ErrClosed says that the server was closed.
	ErrClosed = errors.New("discordsim: server is closed")
)

// apiError is an error answer of the REST interface.
type apiError struct {
	status  int
	code    int
	message string
	fields  map[string]any // the nested "errors" of code 50035
	// worldly marks refusals that follow from the state of the world (a closed
	// thread, a deleted message) rather than from a mistake of the bot. They are
	// not violations.
	worldly bool
	// retryAfter (in seconds) and global are part of the answer when the status
	// is 429.
	retryAfter float64
	global     bool
}

// refusal makes an answer that follows from the state of the world.
func refusal(status, code int, message string) *apiError {
	return &apiError{status: status, code: code, message: message, worldly: true}
}

// mistake makes an answer to a request that the bot should not have sent. It
// becomes a violation.
func mistake(status, code int, message string) *apiError {
	return &apiError{status: status, code: code, message: message}
}

// Discord's answers that are used in more than one place.
var (
	errUnknownChannelAPI = refusal(http.StatusNotFound, 10003, "Unknown Channel")
	errUnknownMessageAPI = refusal(http.StatusNotFound, 10008, "Unknown Message")
	errMissingAccess     = refusal(http.StatusForbidden, 50001, "Missing Access")
	errMissingPermission = refusal(http.StatusForbidden, 50013, "Missing Permissions")
	errThreadArchived    = refusal(http.StatusBadRequest, 50083, "Thread is archived")
	errThreadLocked      = refusal(http.StatusForbidden, 160005, "Thread is locked")
	errEmptyMessage      = mistake(http.StatusBadRequest, 50006, "Cannot send an empty message")
	errTooLarge          = mistake(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	errClosedDM          = refusal(http.StatusForbidden, 50007, "Cannot send messages to this user")
)
