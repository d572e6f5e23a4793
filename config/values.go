package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/config/cli"
)

// What follows reads texts of settings. An error says what to do, and shows the
// value only through cli.Quote.

// text takes any text.
func text(to *string) func(string) error {
	return func(text string) error {
		*to = text
		return nil
	}
}

// duration reads zero or a time of at least least: what time.ParseDuration
// reads, or a number of days such as 90d.
func duration(to *time.Duration, least time.Duration) func(string) error {
	return func(text string) error {
		d, err := time.ParseDuration(text)
		if days, found := strings.CutSuffix(text, "d"); found {
			var n int
			n, err = strconv.Atoi(days)
			if d = time.Duration(n) * 24 * time.Hour; n < 0 || n > 36500 {
				err = errors.New("too many days")
			}
		}
		switch {
		case err != nil || d < 0:
			return fmt.Errorf("%s is not a length of time: give one such as 36h, 30m or 90d", cli.Quote(text))
		case d > 0 && d < least:
			return fmt.Errorf("%s is too short: give 0 or at least %v", cli.Quote(text), least)
		}
		*to = d
		return nil
	}
}

// number reads a whole number from low to high.
func number(to *int, low, high int) func(string) error {
	return func(text string) (err error) {
		*to, err = whole(text, low, high)
		return err
	}
}

func whole(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s is not a number from %d to %d", cli.Quote(text), low, high)
	}
	return n, nil
}

// level reads the name of a log level.
func level(text string, to *slog.Level) error {
	switch strings.ToLower(text) {
	case "debug":
		*to = slog.LevelDebug
	case "info":
		*to = slog.LevelInfo
	case "warn":
		*to = slog.LevelWarn
	case "error":
		*to = slog.LevelError
	default:
		return fmt.Errorf("%s is not a level: choose debug, info, warn or error", cli.Quote(text))
	}
	return nil
}

// opsAddr returns an address; if it has no host, with this machine itself as
// host.
func opsAddr(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("%s is not an address: give a port with a colon before it, such as :9107, or host and port", cli.Quote(text))
	}
	if _, err := whole(port, 0, 65535); err != nil {
		return "", fmt.Errorf("the port %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// IsLoopback reports whether a host is this machine itself. It takes the name
// localhost at its word.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func checkLoopback(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s is not an address: give host and port, such as 127.0.0.1:8080", cli.Quote(addr))
	}
	if !IsLoopback(host) {
		return fmt.Errorf("%s can be reached from other machines, and its users can be anyone: give 127.0.0.1, [::1] or localhost as the host",
			cli.Quote(addr))
	}
	if _, err := whole(port, 0, 65535); err != nil {
		return fmt.Errorf("the port %w", err)
	}
	return nil
}

// checkAPIURL returns a URL without a slash at the end. It accepts plain http
// only for this machine, without exception: every request carries the token, and
// a tunnel reaches a simulator on another machine.
func checkAPIURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("%s is not a web address: give one such as https://discord.com", cli.Quote(text))
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil {
		return "", errors.New("it holds more than host and port: leave out what follows them, and any name before them")
	}
	if u.Scheme == "http" && !IsLoopback(u.Hostname()) {
		return "", fmt.Errorf("%s would send the token unencrypted to another machine: use https, or a tunnel to 127.0.0.1", cli.Quote(text))
	}
	if p := u.Port(); p != "" {
		if _, err := whole(p, 1, 65535); err != nil {
			return "", fmt.Errorf("the port %w", err)
		}
	}
	return u.Scheme + "://" + u.Host, nil
}
