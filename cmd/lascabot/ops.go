package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/lascabot/lascabot/config"
)

// vitals is what the operations page shows; *bot.Bot implements it.
type vitals interface {
	// Ready returns nil when the bot can serve people, else why it cannot.
	Ready(ctx context.Context) error
	// WriteMetrics writes the metrics in Prometheus' text format.
	WriteMetrics(w io.Writer)
}

// opsHandler is the operations page. It shows the state of the bot, but nothing
// about games or people.
func opsHandler(b vitals) http.Handler {
	mux := http.NewServeMux()
	text := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		text(w)
		io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		err := b.Ready(r.Context())
		text(w)
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintf(w, "not ready: %v\n", err)
			return
		}
		io.WriteString(w, "ready\n")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		text(w)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		b.WriteMetrics(w)
	})
	return mux
}

// onlyAs answers requests for this machine's own names and addresses alone.
// Otherwise a web site could give its name the address 127.0.0.1 and read the
// page through the browser of somebody here.
func onlyAs(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !config.IsLoopback(hostOf(r.Host)) {
			http.Error(w, "ask for this page as 127.0.0.1 or localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// hostOf returns the host of an address, with or without a port.
func hostOf(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return strings.Trim(addr, "[]")
}

// opsTime bounds a request for the operations page, whatever its sender or its
// reader does.
const opsTime = 30 * time.Second

// startOps serves the operations page until the returned function is called. On an
// address that other machines reach, it answers to any name: what the names there
// are, only the operator knows.
func startOps(ctx context.Context, addr string, b vitals, log *slog.Logger) (stop func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot serve the operations page: %w; choose another address with -ops-addr", err)
	}
	h := opsHandler(b)
	if config.IsLoopback(hostOf(l.Addr().String())) {
		h = onlyAs(h)
	}
	s := newServer(ctx, h, log)
	s.ReadTimeout, s.WriteTimeout = opsTime, opsTime
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "the operations page failed; the bot goes on without it", "err", err)
		}
	}()
	log.InfoContext(ctx, "serving the operations page", "address", "http://"+l.Addr().String())
	return func() { s.Close(); <-finished }, nil
}
