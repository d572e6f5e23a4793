package discordsim

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// maxBody bounds a request: ten files of full size would be refused anyway.
const maxBody = 26 << 20

// Request is one REST request of the bot as logged. Interaction and webhook
// tokens in Path are as sent.
type Request struct {
	// N counts the requests from 1.
	N      int
	Time   time.Time
	Method string
	// Route is the method and Discord's path template without the version,
	// "PATCH /channels/{channel_id}/messages/{message_id}"; "" when unknown.
	Route string
	// Path is the path with the version as sent, Query the raw query.
	Path, Query string
	// ChannelID is the channel that the request is about, also by an interaction's
	// token; "" if there is none.
	ChannelID string
	// Version is 9 or 10.
	Version int
	// Body is the JSON body or payload_json; nil if there was none.
	Body  json.RawMessage
	Files []FileInfo
	// Status and Response are Discord's answer. Status is 0 when the answer was
	// dropped or is not there yet.
	Status   int
	Response json.RawMessage
	// Dropped says that a fault closed the connection instead of answering.
	Dropped bool
}

// FileInfo describes an uploaded file without its bytes.
type FileInfo struct {
	Field       string // "files[0]"
	Filename    string
	ContentType string
	Size        int // bytes
}

// Requests gives the REST requests so far, oldest first, as many as
// Options.MaxRequests.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Request, len(s.requests))
	for i, r := range s.requests {
		out[i] = *r
	}
	return out
}

// readBody reads and decodes the body, JSON or multipart.
func (c *call) readBody(w http.ResponseWriter) *apiError {
	data, err := io.ReadAll(http.MaxBytesReader(w, c.r.Body, maxBody))
	if tooBig := (*http.MaxBytesError)(nil); errors.As(err, &tooBig) {
		return errTooLarge
	}
	if err != nil {
		return refusal(http.StatusBadRequest, 0, "400: Bad Request")
	}
	if len(data) == 0 {
		return nil
	}
	typ, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	switch {
	case err == nil && typ == "application/json":
	case err == nil && typ == "multipart/form-data" && params["boundary"] != "":
		payload, apiErr := c.readFiles(data, params["boundary"])
		if apiErr != nil {
			return apiErr
		}
		if payload == nil {
			c.body = map[string]any{}
			return nil
		}
		data = payload
	case c.req.Method == http.MethodGet || c.req.Method == http.MethodDelete:
		return nil
	default:
		return mistake(http.StatusBadRequest, 50035,
			`Invalid Form Body: Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`)
	}
	v, err := check.Decode(data)
	if err != nil {
		return mistake(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
	}
	c.req.Body, c.body = data, v
	return nil
}

// readFiles takes a multipart body apart and gives its JSON.
func (c *call) readFiles(data []byte, boundary string) (payload []byte, _ *apiError) {
	payload, files, err := check.ReadMultipart(data, boundary)
	if err != nil {
		return nil, mistake(http.StatusBadRequest, 50035, "Invalid Form Body: "+err.Error())
	}
	c.files = files
	for _, u := range files {
		c.req.Files = append(c.req.Files, FileInfo{Field: u.Field(), Filename: u.SentName, ContentType: u.ContentType, Size: len(u.Data)})
		if len(u.Data) > check.MaxFileSize {
			return nil, errTooLarge
		}
	}
	return payload, nil
}
