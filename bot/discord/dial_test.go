package discord

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// The default setting names the real Discord. That must not lock out the gateway,
// which is on another host.
func TestTheRealDiscordNamedAsTheBaseIsTheRealOne(t *testing.T) {
	for _, base := range []string{"", "https://discord.com", "https://discord.com/"} {
		tr, err := newTransport(base, nil)
		if err != nil || !gatewayHost(tr.base, "gateway.discord.gg", true) {
			t.Errorf("%q: the gateway may not be at gateway.discord.gg, %v", base, err)
		}
	}
	tr, err := newTransport("https://discord.example", nil)
	if err != nil || gatewayHost(tr.base, "gateway.discord.gg", true) {
		t.Errorf("the token may go from another server to Discord: %v", err)
	}
}

func TestGatewayHost(t *testing.T) {
	for _, c := range []struct {
		host      string
		encrypted bool
		want      bool
	}{
		{"gateway.discord.gg", true, true},
		{"gateway-us-east1-b.discord.gg", true, true},
		{"gateway.discord.gg", false, false}, // the token would go in clear
		{"evildiscord.gg", true, false},
		{"discord.gg.example.com", true, false},
	} {
		if got := gatewayHost(nil, c.host, c.encrypted); got != c.want {
			t.Errorf("%s, encrypted %t: %t", c.host, c.encrypted, got)
		}
	}
}

func TestDial(t *testing.T) {
	t.Run("a certificate that nobody vouches for is refused", func(t *testing.T) {
		s := httptest.NewTLSServer(http.NotFoundHandler())
		defer s.Close()
		_, err := dial(t.Context(), s.Listener.Addr().String(), true)
		var unknown x509.UnknownAuthorityError
		if !errors.As(err, &unknown) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a context that is done ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := dial(ctx, "127.0.0.1:1", false); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestTunnel(t *testing.T) {
	// proxy answers one CONNECT with a status and then echoes what it gets.
	proxy := func(t *testing.T, status string) (at *url.URL, asked <-chan *http.Request) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		requests := make(chan *http.Request, 1)
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			in := bufio.NewReader(c)
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			requests <- r
			io.WriteString(c, "HTTP/1.1 "+status+"\r\n\r\n")
			io.Copy(c, in)
		}()
		return &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("me", "pass")}, requests
	}
	t.Run("carries what is said through the proxy", func(t *testing.T) {
		at, asked := proxy(t, "200 OK")
		c, err := tunnel(t.Context(), &net.Dialer{}, at, "gateway.discord.gg:443")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r := <-asked
		if r.Method != "CONNECT" || r.Host != "gateway.discord.gg:443" || r.Header.Get("Proxy-Authorization") != "Basic bWU6cGFzcw==" {
			t.Errorf("%s %s %v", r.Method, r.Host, r.Header)
		}
		if _, err := io.WriteString(c, "hello"); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 5)
		if _, err := io.ReadFull(c, got); err != nil || string(got) != "hello" {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("a refusal names the proxy, not its password", func(t *testing.T) {
		at, _ := proxy(t, "407 Proxy Authentication Required")
		_, err := tunnel(t.Context(), &net.Dialer{}, at, "gateway.discord.gg:443")
		if err == nil || !strings.Contains(err.Error(), "407") || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%v", err)
		}
	})
	t.Run("another kind of proxy is refused", func(t *testing.T) {
		_, err := tunnel(t.Context(), &net.Dialer{}, &url.URL{Scheme: "socks5", Host: "127.0.0.1:1"}, "x:443")
		if err == nil || !strings.Contains(err.Error(), "only http:// proxies") {
			t.Errorf("%v", err)
		}
	})
}
