package discordsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// maxBody bounds a request: ten files of full size would be refused anyway.
const maxBody = 26 << 20

// call is one REST request on its way to a handler.
type call struct {
	s       *Server
	r       *http.Request
	req     *Request
	version int
	params  map[string]string
	query   url.Values
	body    any // decoded JSON, nil without a body
	files   []upload
}

// handler answers a call with s.mu held. A nil body with status 204 is empty.
type handler func(c *call) (status int, body any, err *apiError)

type route struct {
	method   string
	template string
	parts    []string
	open     bool // needs no bot token
	interact bool // exempt from the global rate limit
	h        handler
}

// ServeHTTP serves the REST interface below /api, the gateway for web socket
// upgrades at / and /gateway, and files below /attachments/. Everything else
// is 404 and a violation.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch p := r.URL.Path; {
	case websocket.IsWebSocketUpgrade(r) && (p == "/" || p == "/gateway" || p == "/gateway/"):
		s.serveGateway(w, r)
	case strings.HasPrefix(p, "/attachments/") && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.serveAttachment(w, r)
	case strings.HasPrefix(p, "/api/"):
		s.serveAPI(w, r)
	default:
		s.mu.Lock()
		s.violate("%s %s: no such route", r.Method, p)
		s.mu.Unlock()
		http.NotFound(w, r)
	}
}

func (s *Server) serveAttachment(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/") // "", attachments, channel, id, name
	s.mu.Lock()
	var b *blob
	if len(parts) == 5 {
		b = s.blobs[parts[3]]
	}
	s.mu.Unlock()
	if b == nil || b.Attachment.Path != r.URL.Path {
		http.Error(w, "This content is no longer available.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", b.Attachment.ContentType)
	// The page shares its origin with these files, so no file may act as one.
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Data))
}

// SetFault sets the function that is asked before every REST request whether
// to fail it; nil never fails. The function must not change the request. It is
// called without locks and may call any method of the server.
func (s *Server) SetFault(f func(*Request) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
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

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	now := s.clock.Now()
	req := &Request{Time: now, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery}
	c := &call{s: s, r: r, req: req, query: r.URL.Query()}
	rt, found := s.match(c)
	readErr := c.readBody(w)

	s.mu.Lock()
	s.requestN++
	req.N = s.requestN
	s.requests = append(s.requests, req)
	if n := len(s.requests) - s.opts.MaxRequests; n > 0 {
		s.requests = slices.Delete(s.requests, 0, n)
	}
	fault := s.fault
	seen := *req
	s.mu.Unlock()

	if fault != nil {
		if f := fault(&seen); f != nil {
			s.excuse(c)
			if !s.applyFault(w, r, c, f) {
				return
			}
			if f.DropAfter {
				_, data := s.locked(c, rt, found, readErr, http.Header{})
				s.mark(c, 0, data, true)
				s.drop(w)
				return
			}
		}
	}

	status, data := s.locked(c, rt, found, readErr, w.Header())
	write(w, status, data)
}

// locked answers with s.mu held, and frees it whatever happens.
func (s *Server) locked(c *call, rt *route, found bool, readErr *apiError, h http.Header) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wake()
	return s.answer(c, rt, found, readErr, h)
}

// excuse frees the interaction that a failed request was about from the rule
// that every interaction is answered in time.
func (s *Server) excuse(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in := s.interactions[c.params["interaction_id"]]; in != nil {
		in.excused, in.faulted = true, true
	}
}

// applyFault does what the fault says and reports whether to go on.
func (s *Server) applyFault(w http.ResponseWriter, r *http.Request, c *call, f *Fault) bool {
	if f.Delay > 0 {
		over := make(chan struct{})
		t := s.clock.AfterFunc(f.Delay, func() { close(over) })
		select {
		case <-over:
		case <-r.Context().Done():
			t.Stop()
			s.mark(c, 0, nil, true)
			return false
		}
	}
	if f.DropBefore {
		s.mark(c, 0, nil, true)
		s.drop(w)
		return false
	}
	if f.Status == 0 {
		return true
	}
	if f.HTML {
		page := fmt.Sprintf("<!DOCTYPE html><html><head><title>%d %s</title></head><body>error code: 1015</body></html>", f.Status, http.StatusText(f.Status))
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
		}
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		s.mark(c, f.Status, nil, false)
		w.WriteHeader(f.Status)
		io.WriteString(w, page)
		return false
	}
	message := f.Message
	if message == "" {
		message = fmt.Sprintf("%d: %s", f.Status, http.StatusText(f.Status))
	}
	body := map[string]any{"message": message, "code": f.Code}
	if f.Status == http.StatusTooManyRequests {
		scope := f.Scope
		if scope == "" {
			scope = "user"
		}
		body = limitHeaders(w.Header(), f.RetryAfter.Seconds(), scope)
		if f.Message != "" {
			body["message"] = f.Message
		}
		if f.Code != 0 {
			body["code"] = f.Code
		}
	}
	data, _ := json.Marshal(body)
	s.mark(c, f.Status, data, false)
	write(w, f.Status, data)
	return false
}

func (s *Server) mark(c *call, status int, data []byte, dropped bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.req.Status, c.req.Response, c.req.Dropped = status, data, dropped
	s.wake()
}

// drop closes the connection without an answer.
func (s *Server) drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // net/http's own way to break off an answer
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
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
	s.log.Debug("rest", "route", c.name(), "status", status)
	return status, data
}

// name names the route in messages, without tokens.
func (c *call) name() string {
	if c.req.Route != "" {
		return c.req.Route
	}
	return c.req.Method + " " + c.req.Path
}

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

// match finds the route, and whether the path exists with another method.
func (s *Server) match(c *call) (*route, bool) {
	path := strings.TrimPrefix(c.req.Path, "/api")
	c.version = 0
	if rest, ok := strings.CutPrefix(path, "/v"); ok {
		v, tail, _ := strings.Cut(rest, "/")
		if n, err := strconv.Atoi(v); err == nil && (n == 9 || n == 10) {
			c.version, path = n, "/"+tail
		}
	}
	c.req.Version = c.version
	if c.version == 0 {
		return nil, false // a version this server does not know
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	found := false
	for i := range routes {
		rt := &routes[i]
		params, ok := rt.params(parts)
		if !ok {
			continue
		}
		found = true
		if rt.method == c.req.Method {
			c.params = params
			c.req.Route = rt.method + " " + rt.template
			return rt, true
		}
	}
	return nil, found
}

func (rt *route) params(parts []string) (map[string]string, bool) {
	if len(parts) != len(rt.parts) {
		return nil, false
	}
	params := map[string]string{}
	for i, p := range rt.parts {
		if name, ok := strings.CutPrefix(p, "{"); ok && parts[i] != "" {
			params[strings.TrimSuffix(name, "}")] = parts[i]
		} else if p != parts[i] {
			return nil, false
		}
	}
	return params, true
}

// readBody reads and decodes the body, JSON or multipart.
func (c *call) readBody(w http.ResponseWriter) *apiError {
	data, err := io.ReadAll(http.MaxBytesReader(w, c.r.Body, maxBody))
	if err != nil {
		var tooBig *http.MaxBytesError
		if errors.As(err, &tooBig) {
			return mistake(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
		}
		return refusal(http.StatusBadRequest, 0, "400: Bad Request")
	}
	if len(data) == 0 {
		return nil
	}
	typ, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	switch {
	case err == nil && typ == "application/json":
	case err == nil && typ == "multipart/form-data" && params["boundary"] != "":
		if data, err = c.readMultipart(multipart.NewReader(bytes.NewReader(data), params["boundary"])); err != nil {
			return mistake(http.StatusBadRequest, 50035, "Invalid Form Body: "+err.Error())
		}
		for _, u := range c.files {
			if len(u.data) > maxFileSize {
				return mistake(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
			}
		}
		if data == nil {
			c.body = map[string]any{}
			return nil
		}
	case c.req.Method == http.MethodGet || c.req.Method == http.MethodDelete:
		return nil
	default:
		return mistake(http.StatusBadRequest, 50035, `Invalid Form Body: Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`)
	}
	v, err := decodeJSON(data)
	if err != nil {
		return mistake(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
	}
	c.req.Body, c.body = data, v
	return nil
}

func (c *call) readMultipart(mr *multipart.Reader) (payload []byte, err error) {
	for {
		p, err := mr.NextPart()
		if err == io.EOF {
			return payload, nil
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		name := p.FormName()
		if name == "payload_json" {
			payload = data
			continue
		}
		var n int
		if _, err := fmt.Sscanf(name, "files[%d]", &n); err != nil || name != fmt.Sprintf("files[%d]", n) || n < 0 {
			return nil, fmt.Errorf("unknown part %q, files are called files[0], files[1], …", name)
		}
		filename := cleanFilename(p.FileName())
		if filename == "" || filename == "." {
			return nil, fmt.Errorf("part %q has no file name", name)
		}
		if slices.ContainsFunc(c.files, func(u upload) bool { return u.n == n }) {
			return nil, fmt.Errorf("part %q appears twice", name)
		}
		typ := p.Header.Get("Content-Type")
		c.files = append(c.files, upload{n: n, filename: filename, contentType: typ, data: data})
		c.req.Files = append(c.req.Files, FileInfo{Field: name, Filename: p.FileName(), ContentType: typ, Size: len(data)})
	}
}

// finish turns a checked form into violations and the error to answer.
func (c *call) finish(f *form) *apiError {
	for _, u := range f.unknown {
		c.s.violate("%s: unknown field %s", c.name(), u)
	}
	for _, o := range f.own {
		c.s.violate("%s: %s", c.name(), o)
	}
	for _, l := range f.list {
		c.s.violate("%s: %s", c.name(), l)
	}
	return f.err()
}
