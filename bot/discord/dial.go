package discord

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// gatewayHost reports whether the gateway may be at a host, since the token goes
// there. The real one is at Discord's hosts and encrypted; otherwise it is where
// the base address is.
func gatewayHost(base *url.URL, host string, encrypted bool) bool {
	if base != nil {
		return host == base.Hostname()
	}
	return encrypted && (host == "discord.gg" || strings.HasSuffix(host, ".discord.gg"))
}

// dialer makes a websocket dialer that connects with the given function.
func dialer(timeout time.Duration, dial func(ctx context.Context, addr string, encrypted bool) (net.Conn, error)) *websocket.Dialer {
	return &websocket.Dialer{
		HandshakeTimeout:  timeout,
		NetDialContext:    func(ctx context.Context, _, addr string) (net.Conn, error) { return dial(ctx, addr, false) },
		NetDialTLSContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return dial(ctx, addr, true) },
	}
}

// dialGateway is [dial], but fails with [ErrForeignHost] if the gateway cannot be
// at that host.
// Where the calls of [REST] have their own way to connect, so has the gateway.
func dialGateway(ctx context.Context, t *transport, addr string, encrypted bool) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || !gatewayHost(t.base, host, encrypted) {
		return nil, fmt.Errorf("%w: gateway %s", ErrForeignHost, addr)
	}
	if own, ok := t.next.(*http.Transport); ok && t.given && own.DialContext != nil && !encrypted {
		return own.DialContext(ctx, "tcp", addr)
	}
	return dial(ctx, addr, encrypted)
}

// dial connects to "host:port", through the environment's proxy if there is one,
// as the calls of [REST] do. If encrypted, it returns the clear side.
func dial(ctx context.Context, addr string, encrypted bool) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	scheme := "http"
	if encrypted {
		scheme = "https"
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: addr}})
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	var conn net.Conn
	if proxy == nil {
		conn, err = d.DialContext(ctx, "tcp", addr)
	} else {
		conn, err = tunnel(ctx, &d, proxy, addr)
	}
	if err != nil || !encrypted {
		return conn, err
	}
	t := tls.Client(conn, &tls.Config{ServerName: host})
	if err := t.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return t, nil
}

// tunnel connects through an HTTP proxy.
func tunnel(ctx context.Context, d *net.Dialer, proxy *url.URL, addr string) (net.Conn, error) {
	if proxy.Scheme != "http" {
		return nil, fmt.Errorf("proxy %s: only http:// proxies can carry the connection to the gateway", proxy.Redacted())
	}
	at := proxy.Host
	if proxy.Port() == "" {
		at = net.JoinHostPort(proxy.Hostname(), "80")
	}
	conn, err := d.DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, err
	}
	// The context closes the connection while we wait for the proxy.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: http.Header{}}
	if u := proxy.User; u != nil {
		password, _ := u.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		conn.Close()
		return nil, err
	}
	// The proxy sends nothing beyond its answer before we do.
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		conn.Close()
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		conn.Close()
		return nil, fmt.Errorf("proxy %s: %s", proxy.Redacted(), resp.Status)
	}
	return conn, nil
}
