package webui

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// Codes of the JSON interface's errors.
const (
	CodeForeign     = "foreign"      // 403: not this machine, or not this page
	CodeBadRequest  = "bad_request"  // 400, 413, 415: not the JSON expected
	CodeUnknownUser = "unknown_user" // 404: nobody has the name or ID in ?as=
	CodeNotFound    = "not_found"    // 404: the route, channel, message, component or form does not exist
	CodeForbidden   = "forbidden"    // 403: the user may not do that there
	CodeBadInput    = "bad_input"    // 422: an option is missing or does not fit; the message says which
	CodeNoAnswer    = "no_answer"    // 504: the bot did not answer in time
	CodeBotOffline  = "bot_offline"  // 503: the bot is not connected
	CodeFailed      = "failed"       // 500: anything else
)

// apiError is a failure as the page receives it.
type apiError struct {
	status  int
	code    string
	message string
}

func (e *apiError) Error() string { return e.message }

// badRequest is an error in the request itself.
func badRequest(message string) error {
	return &apiError{http.StatusBadRequest, CodeBadRequest, message}
}

func notFound(message string) error {
	return &apiError{http.StatusNotFound, CodeNotFound, message}
}

// writeError answers with err, an [apiError] or an error of the simulator.
func writeError(w http.ResponseWriter, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		e = fromSim(err)
	}
	writeJSON(w, e.status, map[string]any{"error": map[string]string{"code": e.code, "message": e.message}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status = http.StatusInternalServerError
		body = []byte(`{"error":{"code":"` + CodeFailed + `","message":"the answer cannot be written as JSON"}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the reader may be gone; there is nothing left to do
}

// simErrors are the simulator's errors that a user can act on.
var simErrors = []struct {
	err    error
	status int
	code   string
}{
	{discordsim.ErrNoAnswer, http.StatusGatewayTimeout, CodeNoAnswer},
	{discordsim.ErrUnknownUser, http.StatusNotFound, CodeUnknownUser},
	{discordsim.ErrUnknownChannel, http.StatusNotFound, CodeNotFound},
	{discordsim.ErrUnknownMessage, http.StatusNotFound, CodeNotFound},
	{discordsim.ErrNoComponent, http.StatusNotFound, CodeNotFound},
	{discordsim.ErrDisabled, http.StatusForbidden, CodeForbidden},
	{discordsim.ErrForbidden, http.StatusForbidden, CodeForbidden},
	{discordsim.ErrUnknownCommand, http.StatusUnprocessableEntity, CodeBadInput},
	{discordsim.ErrOption, http.StatusUnprocessableEntity, CodeBadInput},
	{discordsim.ErrBadSelection, http.StatusUnprocessableEntity, CodeBadInput},
	{discordsim.ErrBadInput, http.StatusUnprocessableEntity, CodeBadInput},
}

// fromSim gives the answer for an error of the simulator.
func fromSim(err error) *apiError {
	message := strings.TrimPrefix(err.Error(), "discordsim: ")
	for _, known := range simErrors {
		if errors.Is(err, known.err) {
			return &apiError{known.status, known.code, message}
		}
	}
	return &apiError{http.StatusInternalServerError, CodeFailed, message}
}
