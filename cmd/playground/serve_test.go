package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// piped accepts one connection, whose deadlines follow the bubble's clock.
type piped struct {
	conns chan net.Conn
	ended chan struct{}
}

func (p *piped) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, http.ErrServerClosed
	}
}
func (p *piped) Close() error   { close(p.ended); return nil }
func (p *piped) Addr() net.Addr { return &net.TCPAddr{} }

func TestStalledBodyIsGivenUpAndALongAnswerIsNot(t *testing.T) {
	for _, test := range []struct {
		name, body string
		stalls     bool
	}{
		{"a body that stalls", "12", true},
		{"a whole body", "1234", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				read := make(chan error, 1)
				h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, err := io.ReadAll(r.Body)
					if err == nil { // the bot takes its time, or the person reads on
						select {
						case <-r.Context().Done():
							err = r.Context().Err()
						case <-time.After(time.Hour):
						}
					}
					read <- err
				})
				ours, theirs := net.Pipe()
				l := &piped{conns: make(chan net.Conn, 1), ended: make(chan struct{})}
				l.conns <- theirs
				s := &http.Server{Handler: inTime(h)}
				go s.Serve(l)
				go io.Copy(io.Discard, ours)
				io.WriteString(ours, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"+test.body)
				began := time.Now()
				err := <-read
				if test.stalls && (!errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) > bodyTime) {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
				if !test.stalls && err != nil {
					t.Error(err)
				}
				ours.Close()
				s.Close()
			})
		})
	}
}

func TestRequestsWithoutABodyAreNotTimed(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, "/", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	r.Body = http.NoBody
	inTime(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			t.Error("the stream of events would end after a few seconds")
		}
	})).ServeHTTP(nil, r)
}
