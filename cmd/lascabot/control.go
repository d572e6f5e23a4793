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
	"os"
	"time"

	"github.com/lascabot/lascabot/storage/boltstore"
)

// A bot that runs has the file of games locked, so that only it can copy it. It
// gives copies out by a socket beside the file. A port would be open to every
// user of the machine, and the copy holds people's names; who may open the
// socket is decided by the file system, as for the games themselves.

// controlPath returns the socket of the bot that has a file of games open.
func controlPath(data string) string { return data + ".sock" }

// control is the running bot's side.
type control struct {
	server   *http.Server
	finished chan struct{}
}

// startControl opens the socket. The caller has the file of games open, so that a
// socket that is there is a killed bot's. Without one the bot works all the
// same; what is missing is said in the log.
func startControl(ctx context.Context, data string, s *boltstore.Store, log *slog.Logger) *control {
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
		log.WarnContext(ctx, `"lascabot backup" will not work while the bot runs; it takes its own copies all the same`, "err", err)
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /copy", func(w http.ResponseWriter, r *http.Request) {
		out := &counter{w: w}
		if err := s.Backup(r.Context(), out); err != nil {
			log.WarnContext(r.Context(), "a copy that was asked for was not made", "err", err)
			if out.n == 0 {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			panic(http.ErrAbortHandler) // the other side must see that it is not whole
		}
		log.InfoContext(r.Context(), "a copy that was asked for was made", "bytes", out.n)
	})
	c := &control{server: newServer(ctx, mux, log), finished: make(chan struct{})}
	go func() {
		defer close(c.finished)
		if err := c.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "the socket for copies is closed", "err", err)
		}
	}()
	return c
}

// close ends it, with the copies that are being made.
func (c *control) close() {
	if c != nil {
		c.server.Close()
		<-c.finished
	}
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// fromRunningBot asks the bot that has a file of games open for a copy.
func fromRunningBot(ctx context.Context, data, to string) error {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", controlPath(data))
		},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://lascabot/copy", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without the made-up address
		}
		return fmt.Errorf("%s is in use, and who uses it gives no copy; stop the bot and try again: %w", data, err)
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

// newServer makes a server that no slow client can occupy for ever.
func newServer(ctx context.Context, h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
}
