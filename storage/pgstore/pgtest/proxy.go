package pgtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy stands between a client and a server, and does to their connections what a bad
// network does.
type Proxy struct {
	url    string
	server string

	mu      sync.Mutex
	thawed  *sync.Cond
	frozen  bool
	closed  bool
	conns   map[net.Conn]bool
	reply   []byte // what something happens at when it comes from the server, or from the client
	request []byte
	left    int  // how often
	freezes bool // everything is frozen then, instead of the connection cut
}

// NewProxy starts a proxy to the server of an address. It ends with the test.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{server: u.Host, conns: map[net.Conn]bool{}}
	p.thawed = sync.NewCond(&p.mu)
	query := u.Query()
	query.Set("sslmode", "disable") // it reads what passes
	u.Host, u.RawQuery = l.Addr().String(), query.Encode()
	p.url = u.String()
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		p.closed, p.frozen = true, false
		p.mu.Unlock()
		p.thawed.Broadcast()
		p.Cut()
		running.Wait()
	})
	return p
}

// URL returns the address by which a client reaches the server through the proxy.
func (p *Proxy) URL() string { return p.url }

// CutReply breaks the connection each time before a message of the server that holds a
// text gets through, n times in all. The text must not go over the end of a message.
func (p *Proxy) CutReply(text string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply, p.request, p.left, p.freezes = []byte(text), nil, n, false
}

// FreezeAtReply freezes everything ([Proxy.Freeze]) before the next message of the server
// that holds a text gets through.
func (p *Proxy) FreezeAtReply(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply, p.request, p.left, p.freezes = []byte(text), nil, 1, true
}

// CutRequest breaks the connection each time before a text that the client sends gets
// through, n times in all.
func (p *Proxy) CutRequest(text string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply, p.request, p.left, p.freezes = nil, []byte(text), n, false
}

// Left returns how often the connection is still to be cut.
func (p *Proxy) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// Freeze lets nothing through any more, in no direction and on no connection, new ones
// included, without closing any.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = true
}

// Thaw ends [Proxy.Freeze]: what was held back gets through.
func (p *Proxy) Thaw() {
	p.mu.Lock()
	p.frozen = false
	p.mu.Unlock()
	p.thawed.Broadcast()
}

// Cut breaks all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// serve passes on what goes over a connection until either side ends it.
func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() {
		defer client.Close()
		defer server.Close()
		p.toServer(server, client)
	})
	both.Go(func() {
		defer client.Close()
		defer server.Close()
		p.toClient(client, server)
	})
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, client)
	delete(p.conns, server)
}

// passes waits while everything is frozen. It returns false if what comes is to be cut.
func (p *Proxy) passes(message []byte, fromServer bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.request
	if fromServer {
		at = p.reply
	}
	cut := false
	if p.left > 0 && at != nil && bytes.Contains(message, at) {
		p.left--
		p.frozen, cut = p.freezes, !p.freezes
	}
	for p.frozen {
		p.thawed.Wait()
	}
	return !cut && !p.closed
}

func (p *Proxy) toServer(server io.Writer, client io.Reader) {
	chunk := make([]byte, 1<<16)
	for {
		n, err := client.Read(chunk)
		if n > 0 {
			if !p.passes(chunk[:n], false) {
				return
			}
			if _, err := server.Write(chunk[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// toClient passes whole messages on: a letter, the length of the rest, the rest.
func (p *Proxy) toClient(client io.Writer, server io.Reader) {
	in := bufio.NewReaderSize(server, 1<<16)
	for {
		head, err := in.Peek(5)
		if err != nil {
			return
		}
		message := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(in, message); err != nil || !p.passes(message, true) {
			return
		}
		if _, err := client.Write(message); err != nil {
			return
		}
	}
}
