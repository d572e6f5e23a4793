package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// A running bot has the file of games locked, so only the bot can copy it. It hands out
// copies of the file that it has open, whatever lies at the path now, through a socket
// beside the file, and says there how it is. A port would be open to every user of the
// machine, and a copy holds people's names; the file system decides who may open the
// socket, as it does for the games themselves.

// controlPath returns the socket of the bot that has a file of games open.
func controlPath(data string) string { return data + ".sock" }

// How long either side waits for the other without any progress. The writer gives up
// before the store does (boltstore.ErrStalled), so that no write outlives its handler.
const (
	writePatience = 5 * time.Second
	readPatience  = 20 * time.Second
)

// answers reports whether a bot runs that has opened the file of games under this
// name. The file may have been deleted or replaced since, and then it is not locked.
func answers(data string) bool {
	conn, err := net.DialTimeout("unix", controlPath(data), time.Second)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// alone returns an error when a bot runs that has opened the file of games under this
// name, even if that is another file now.
func alone(data string) error {
	if !answers(data) {
		return nil
	}
	return fmt.Errorf("%s: another copy is running: %w; stop it first", data, storage.ErrInUse)
}

// control is the running bot's side.
type control struct {
	server   *http.Server
	finished chan struct{}
}

// startControl opens the socket. The caller has the file of games open and nobody
// answers, so any socket that exists is left from a killed bot. If it cannot be
// opened, the bot works without it, and the log says so.
func startControl(ctx context.Context, data string, s *boltstore.Store, status statusOf, log *slog.Logger) *control {
	path := controlPath(data)
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		os.Remove(path)
	}
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
		if err != nil {
			l.Close()
		}
	}
	if err != nil {
		log.WarnContext(ctx, "could not open the socket for copies and status: only the bot itself can copy its games now", "err", err)
		return nil
	}
	return serveControl(ctx, l, s, status, log)
}

// serveControl hands out copies, and says how the bot is, to whoever connects. A client
// that does not take them is cut off.
func serveControl(ctx context.Context, l net.Listener, s *boltstore.Store, status statusOf, log *slog.Logger) *control {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", status.serve)
	mux.HandleFunc("GET /copy", func(w http.ResponseWriter, r *http.Request) {
		out := &counter{w: w, rc: http.NewResponseController(w)}
		if r.Body != http.NoBody { // which nobody reads; without one, a read is how the server sees that the client has gone
			_ = out.rc.SetReadDeadline(time.Now().Add(writePatience))
		}
		if err := s.Backup(r.Context(), out); err != nil {
			log.WarnContext(r.Context(), "could not make a copy for another command", "err", err)
			if out.n == 0 {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			panic(http.ErrAbortHandler) // the other side must see that it is incomplete
		}
		log.InfoContext(r.Context(), "made a copy for another command", "bytes", out.n)
	})
	c := &control{server: newServer(ctx, mux, log), finished: make(chan struct{})}
	go func() {
		defer close(c.finished)
		if err := c.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "the socket for copies and status failed; the bot goes on without it", "err", err)
		}
	}()
	return c
}

// close closes the socket, and ends copies being made.
func (c *control) close() {
	if c != nil {
		c.server.Close()
		<-c.finished
	}
}

// counter counts what is written, and gives each write its time.
type counter struct {
	w  io.Writer
	rc *http.ResponseController
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	if err := c.rc.SetWriteDeadline(time.Now().Add(writePatience)); err != nil {
		return 0, err
	}
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// patient is a connection that gives up when the other side makes no progress.
type patient struct{ net.Conn }

func (p patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(readPatience)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(writePatience)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

// askRunningBot asks the bot that has a file of games open for something. The caller
// closes the body.
func askRunningBot(ctx context.Context, data, path string) (*http.Response, error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "unix", controlPath(data))
			if err != nil {
				return nil, err
			}
			return patient{conn}, nil
		},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://lascabot"+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	var made *url.Error
	if errors.As(err, &made) {
		err = made.Err // without the made-up address
	}
	return resp, err
}

// fromRunningBot asks the bot that has a file of games open for a copy of it.
func fromRunningBot(ctx context.Context, data, to string) error {
	resp, err := askRunningBot(ctx, data, "/copy")
	if err != nil {
		return fmt.Errorf("%s is in use, and the process that uses it does not answer; stop the bot and try again: %w", data, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		return fmt.Errorf("the running bot could not copy %s: %s", data, text)
	}
	return boltstore.WriteNew(to, func(f *os.File) error {
		_, err := io.Copy(f, resp.Body)
		return err
	})
}

// newServer makes a server that a slow client cannot occupy forever.
func newServer(ctx context.Context, h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
}
