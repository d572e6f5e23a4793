package discordsim

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// call is one REST request on its way to a handler.
type call struct {
	s       *Server
	r       *http.Request
	req     *Request // as it will be logged
	version int
	params  map[string]string
	query   url.Values
	body    any // decoded JSON, nil without a body
	files   []check.File
}

// handler answers a call with s.mu held. With status 204 the body is ignored.
type handler func(c *call) (status int, body any, err *apiError)

// ServeHTTP serves the REST interface below /api, the gateway for web socket
// upgrades at / and /gateway, files below /attachments/ and
// /ephemeral-attachments/, and emoji below /emojis/.
// Everything else is 404 and a violation.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch p := r.URL.Path; {
	case websocket.IsWebSocketUpgrade(r) && (p == "/" || p == "/gateway" || p == "/gateway/"):
		s.serveGateway(w, r)
	case (strings.HasPrefix(p, "/attachments/") || strings.HasPrefix(p, "/ephemeral-attachments/")) && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.serveAttachment(w, r)
	case strings.HasPrefix(p, "/emojis/") && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.serveEmoji(w, r)
	case strings.HasPrefix(p, "/api/"):
		s.serveAPI(w, r)
	default:
		s.mu.Lock()
		s.violate("%s %s: no such route", r.Method, p)
		s.mu.Unlock()
		http.NotFound(w, r)
	}
}

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	now := s.clock.Now()
	w.Header().Set("Date", now.UTC().Format(http.TimeFormat)) // clients tell the time by it
	req := &Request{Time: now, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery}
	c := &call{s: s, r: r, req: req, query: r.URL.Query()}
	rt, found := match(c)
	readErr := c.readBody(w)

	s.mu.Lock()
	s.requestN++
	req.N = s.requestN
	s.requests = append(s.requests, req)
	if n := len(s.requests) - s.opts.MaxRequests; n > 0 {
		s.requests = slices.Delete(s.requests, 0, n)
	}
	req.ChannelID = s.channelOf(c)
	fault := s.fault
	seen := *req
	s.mu.Unlock()

	var hold time.Duration
	if fault != nil {
		if f := fault(&seen); f != nil {
			s.excuse(c)
			if !s.applyFault(w, r, c, f) {
				return
			}
			work := func() {
				_, data := s.locked(c, rt, found, readErr, http.Header{})
				s.mark(c, 0, data, true)
			}
			switch {
			case f.DropFirst:
				s.clock.AfterFunc(f.Delay, work) // before the client knows, who may move the clock
				drop(w)
				return
			case f.DropAfter:
				work()
				drop(w)
				return
			}
			hold = f.Hold
		}
	}

	status, data := s.locked(c, rt, found, readErr, w.Header())
	if !s.pause(r, hold) {
		s.mark(c, 0, data, true)
		return
	}
	write(w, status, data)
}

// channelOf gives the channel that a request is about, "" if there is none. The
// caller holds s.mu.
func (s *Server) channelOf(c *call) string {
	if in := s.interactions[c.params["interaction_id"]]; in != nil {
		return in.channelID
	}
	if in := s.byToken[c.params["webhook_token"]]; in != nil {
		return in.channelID
	}
	return c.params["channel_id"]
}

// locked answers with s.mu held, and frees it whatever happens.
func (s *Server) locked(c *call, rt *route, found bool, readErr *apiError, h http.Header) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wake()
	return s.answer(c, rt, found, readErr, h)
}

func write(w http.ResponseWriter, status int, data []byte) {
	if len(data) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	w.Write(data)
}

// answer does the work of a request and gives the answer. The caller holds s.mu.
func (s *Server) answer(c *call, rt *route, found bool, readErr *apiError, h http.Header) (int, []byte) {
	status, body, err := s.handle(c, rt, found, readErr, h)
	if err != nil {
		status = err.status
		out := map[string]any{"message": err.message, "code": err.code}
		if err.fields != nil {
			out["errors"] = err.fields
		}
		if err.status == http.StatusTooManyRequests {
			out["retry_after"], out["global"] = err.retryAfter, err.global
			h.Set("Retry-After", strconv.Itoa(int(err.retryAfter)+1))
		}
		body = out
		if !err.worldly && err.fields == nil {
			s.violate("%s: %d %s (code %d)", c.name(), err.status, err.message, err.code)
		}
	}
	var data []byte
	if body != nil && status != http.StatusNoContent {
		data, _ = json.Marshal(body)
	}
	c.req.Status, c.req.Response = status, data
	s.log.Debug("answered a REST request", "route", c.name(), "status", status)
	return status, data
}

// name names the route in messages, without tokens.
func (c *call) name() string {
	if c.req.Route != "" {
		return c.req.Route
	}
	return c.req.Method + " " + c.req.Path
}

// handle checks what is the same for all routes and calls the handler.
func (s *Server) handle(c *call, rt *route, found bool, readErr *apiError, h http.Header) (int, any, *apiError) {
	if s.closed {
		return 0, nil, refusal(http.StatusServiceUnavailable, 0, "503: Service Unavailable")
	}
	if rt == nil {
		if found {
			return 0, nil, mistake(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
		}
		return 0, nil, mistake(http.StatusNotFound, 0, "404: Not Found")
	}
	if !strings.HasPrefix(c.r.UserAgent(), "DiscordBot (") {
		return 0, nil, mistake(http.StatusForbidden, 40333, "internal network error: the User-Agent has to be \"DiscordBot (url, version)\"")
	}
	if !rt.open {
		token, ok := strings.CutPrefix(c.r.Header.Get("Authorization"), "Bot ")
		if !ok || token == "" || s.opts.BotToken != "" && token != s.opts.BotToken {
			return 0, nil, mistake(http.StatusUnauthorized, 0, "401: Unauthorized")
		}
	}
	if scope, wait := s.limit(c, rt, h); scope != "" {
		limitHeaders(h, wait, scope)
		e := refusal(http.StatusTooManyRequests, 0, "You are being rate limited.")
		e.retryAfter, e.global = wait, scope == "global"
		return 0, nil, e
	}
	if readErr != nil {
		return 0, nil, readErr
	}
	return rt.h(c)
}

// finish turns a checked form into violations and the error to answer, nil when
// Discord would accept the body.
func (c *call) finish(f *check.Form) *apiError {
	for _, problem := range f.Problems() {
		c.s.violate("%s: %s", c.name(), problem)
	}
	if f.Errors() == nil {
		return nil
	}
	return &apiError{status: http.StatusBadRequest, code: 50035, message: "Invalid Form Body", fields: f.Errors()}
}
