package discordsim

import (
	"errors"
	"net/http"
)

// Errors of the [Actor] methods: what the person would have seen instead of an
// answer, or why the client would not even have let them try.
var (
	// ErrNoAnswer says that the bot gave no first answer in time: "The
	// application did not respond".
	ErrNoAnswer = errors.New("discordsim: the application did not respond")
	// ErrUnknownUser says that no such user exists. Add it with AddUser.
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
	// ErrUnknownCommand says that no such command is registered for this place.
	ErrUnknownCommand = errors.New("discordsim: unknown command")
	// ErrOption says that an option is missing, unknown, repeated or has a
	// value that the registered command does not accept.
	ErrOption = errors.New("discordsim: bad option")
	// ErrNoComponent says that the message has no such component.
	ErrNoComponent = errors.New("discordsim: no such component")
	// ErrDisabled says that the component is there but disabled.
	ErrDisabled = errors.New("discordsim: component is disabled")
	// ErrBadSelection says that the values do not fit the select menu.
	ErrBadSelection = errors.New("discordsim: bad selection")
	// ErrBadInput says that a text is empty or too long for Discord.
	ErrBadInput = errors.New("discordsim: bad input")
)

// Errors of setting up.
var (
	// ErrUnknownHost says that a request was about to leave for the real
	// world. Nothing was sent.
	ErrUnknownHost = errors.New("discordsim: request to a host that is not Discord")
	// ErrNotJournal says that the file given to Open is something else. It
	// was left alone.
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
	// worldly marks refusals that follow from the state of the world (a
	// closed thread, a deleted message) rather than from a broken promise of
	// the bot. They are no violations.
	worldly bool
	// retryAfter (in seconds) and global are told when the status is 429.
	retryAfter float64
	global     bool
}

func (e *apiError) Error() string { return e.message }

func refusal(status, code int, message string) *apiError {
	return &apiError{status: status, code: code, message: message, worldly: true}
}

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
	errTooLarge          = mistake(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	errClosedDM          = refusal(http.StatusForbidden, 50007, "Cannot send messages to this user")
)
