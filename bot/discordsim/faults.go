package discordsim

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Fault is a failure of the REST interface, made by the function given to
// [Server.SetFault].
type Fault struct {
	// Delay waits, by the server's clock, before anything else is done.
	Delay time.Duration
	// Hold does the work, then waits, by the server's clock, before it answers.
	Hold time.Duration
	// DropFirst closes the connection at once, and does the work after Delay all the
	// same, as when the way back is lost.
	DropFirst bool
	// DropBefore closes the connection without doing the work.
	DropBefore bool
	// DropAfter does the work, then closes the connection without an answer.
	DropAfter bool
	// Status answers with this status (429, 500, 502, 503, 404, …) without
	// doing the work; 0 goes on normally.
	Status int
	// Code and Message are Discord's error code and text in the JSON answer.
	Code    int
	Message string
	// RetryAfter and Scope ("user", "global", "shared") belong to status 429.
	RetryAfter time.Duration
	Scope      string
	// HTML answers with a web page, as the proxy in front of Discord does.
	HTML bool
}

// SetFault sets the function that decides before every REST request whether to
// fail it; nil fails none. The function must not change the request. It is
// called without locks and may call any method of the server.
func (s *Server) SetFault(f func(*Request) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
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

// pause waits, and reports whether the client is still there.
func (s *Server) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	over := make(chan struct{})
	t := s.clock.AfterFunc(d, func() { close(over) })
	defer t.Stop()
	select {
	case <-over:
		return true
	case <-r.Context().Done():
		return false
	}
}

// applyFault does what the fault says and reports whether to go on.
func (s *Server) applyFault(w http.ResponseWriter, r *http.Request, c *call, f *Fault) bool {
	if !f.DropFirst && !s.pause(r, f.Delay) {
		s.mark(c, 0, nil, true)
		return false
	}
	switch {
	case f.DropBefore:
		s.mark(c, 0, nil, true)
		drop(w)
		return false
	case f.Status == 0:
		return true
	case f.HTML:
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
		}
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		s.mark(c, f.Status, nil, false)
		w.WriteHeader(f.Status)
		io.WriteString(w, f.page())
		return false
	}
	data, _ := json.Marshal(f.body(w.Header()))
	s.mark(c, f.Status, data, false)
	write(w, f.Status, data)
	return false
}

func (f *Fault) page() string {
	return fmt.Sprintf("<!DOCTYPE html><html><head><title>%d %s</title></head><body>error code: 1015</body></html>",
		f.Status, http.StatusText(f.Status))
}

// body gives the JSON of the answer and sets its headers.
func (f *Fault) body(h http.Header) map[string]any {
	if f.Status != http.StatusTooManyRequests {
		message := f.Message
		if message == "" {
			message = fmt.Sprintf("%d: %s", f.Status, http.StatusText(f.Status))
		}
		return map[string]any{"message": message, "code": f.Code}
	}
	scope := f.Scope
	if scope == "" {
		scope = "user"
	}
	out := limitHeaders(h, f.RetryAfter.Seconds(), scope)
	if f.Message != "" {
		out["message"] = f.Message
	}
	if f.Code != 0 {
		out["code"] = f.Code
	}
	return out
}

// mark logs how a request ended.
func (s *Server) mark(c *call, status int, data []byte, dropped bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.req.Status, c.req.Response, c.req.Dropped = status, data, dropped
	s.wake()
}

// drop closes the connection without an answer.
func drop(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // net/http's own way to break off an answer
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
