package discord

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// Why a connection ended, besides [CloseError] and network errors.
var (
	errReconnect      = errors.New("the gateway asked us to reconnect")
	errInvalidSession = errors.New("the gateway refused the session")
	errGarbled        = errors.New("the gateway sent a garbled frame")
	errSilent         = errors.New("the gateway did not answer heartbeats")
)

// maxFrame is the most bytes of a message of the gateway. READY, the longest, has
// some 50 for each guild.
const maxFrame = 16 << 20

// The opcodes of the gateway.
const (
	opDispatch       = 0
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// The opcodes of websocket frames.
const (
	frameContinuation = 0x0
	frameText         = 0x1
	frameBinary       = 0x2
	frameClose        = 0x8
)

// tap is a connection to the gateway that reads along, on the clear side of TLS,
// what discordgo is about to read. It tells when a session is ready, when a
// heartbeat was answered and why the connection ended, which discordgo does not
// tell. And it holds back the frames that discordgo cannot bear:
//
//   - a request for a new connection or a new session, at which discordgo
//     deadlocks or asks again without end;
//   - an answered heartbeat before the session is ready, at which it deadlocks;
//   - what it would panic on.
//
// The first and the last end the connection as if it had broken. The second is
// dropped.
type tap struct {
	net.Conn
	in      *bufio.Reader
	greeted bool   // the HTTP handshake is over
	raw     bool   // the handshake failed: nothing that follows is a frame
	out     []byte // ready for Read
	held    []byte // frames of an unfinished message
	message []byte // their content

	hello func() // called once, before discordgo reads the greeting
	// guilds, if not nil, is called with the guilds of a new session.
	guilds func(ids []string)

	ready chan struct{} // closed when the session is ready
	done  chan struct{} // closed when the connection is over

	mu       sync.Mutex
	interval time.Duration // of heartbeats; 0 before the greeting
	lastAck  time.Time
	isReady  bool
	err      error // why it is over
}

func newTap(c net.Conn, hello func()) *tap {
	return &tap{
		Conn: c, in: bufio.NewReader(c), hello: hello,
		ready: make(chan struct{}), done: make(chan struct{}),
	}
}

// end marks the connection as over. The first reason stays.
func (t *tap) end(reason error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = reason
		close(t.done)
	}
	return t.err
}

// reason returns why the connection is over, or nil if it is not.
func (t *tap) reason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// silentFor returns the interval of heartbeats and for how long none has been
// answered.
func (t *tap) silentFor() (interval, silence time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.interval, time.Since(t.lastAck)
}

// Close ends the connection.
func (t *tap) Close() error {
	t.end(net.ErrClosed)
	return t.Conn.Close()
}

// Read returns what passed. Only one goroutine may read, as with any websocket.
func (t *tap) Read(p []byte) (int, error) {
	for len(t.out) == 0 {
		if t.raw {
			return t.in.Read(p)
		}
		step := t.frame
		if !t.greeted {
			step = t.handshake
		}
		if err := step(); err != nil {
			return 0, t.end(err)
		}
	}
	if err := t.reason(); err != nil {
		return 0, err
	}
	n := copy(p, t.out)
	t.out = t.out[n:]
	return n, nil
}

// handshake passes one line of the HTTP answer that comes before the frames.
func (t *tap) handshake() error {
	line, err := t.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	t.out = append(t.out, line...)
	switch {
	case bytes.HasPrefix(line, []byte("HTTP/")) && !bytes.Contains(line, []byte(" 101")):
		t.raw = true
	case len(bytes.TrimRight(line, "\r\n")) == 0:
		t.greeted = true
	}
	return nil
}

// frame reads a frame and passes it on, holds it until its message is whole,
// drops it or fails.
func (t *tap) frame() error {
	raw, payload, err := t.readFrame()
	if err != nil {
		return err
	}
	final, code := raw[0]&0x80 != 0, raw[0]&0x0f
	switch code {
	case frameClose:
		c := &CloseError{Code: 1005} // no code was given
		if len(payload) >= 2 {
			c.Code = int(binary.BigEndian.Uint16(payload))
		}
		return c
	case frameText, frameContinuation:
		t.held, t.message = append(t.held, raw...), append(t.message, payload...)
		if !final {
			return nil
		}
		pass, err := t.inspect(t.message)
		if err != nil {
			return err
		}
		if pass {
			t.out = append(t.out, t.held...)
		}
		t.held, t.message = nil, nil
		return nil
	case frameBinary:
		// Only compressed messages are binary, and we ask for none.
		return fmt.Errorf("%w: binary", errGarbled)
	}
	t.out = append(t.out, raw...)
	return nil
}

// readFrame reads a frame; payload is the part of raw after its header.
func (t *tap) readFrame() (raw, payload []byte, err error) {
	raw = make([]byte, 2, 14)
	if _, err := io.ReadFull(t.in, raw); err != nil {
		return nil, nil, err
	}
	masked, size := raw[1]&0x80 != 0, uint64(raw[1]&0x7f)
	if masked {
		return nil, nil, fmt.Errorf("%w: masked", errGarbled)
	}
	extra := 0
	switch size {
	case 126:
		extra = 2
	case 127:
		extra = 8
	}
	if extra > 0 {
		raw = raw[:2+extra]
		if _, err := io.ReadFull(t.in, raw[2:]); err != nil {
			return nil, nil, err
		}
		if extra == 2 {
			size = uint64(binary.BigEndian.Uint16(raw[2:]))
		} else {
			size = binary.BigEndian.Uint64(raw[2:])
		}
	}
	if size > maxFrame || uint64(len(t.message))+size > maxFrame {
		return nil, nil, fmt.Errorf("%w: longer than %d bytes", errGarbled, maxFrame)
	}
	head := len(raw)
	raw = append(raw, make([]byte, size)...)
	if _, err := io.ReadFull(t.in, raw[head:]); err != nil {
		return nil, nil, err
	}
	return raw, raw[head:], nil
}

// inspect looks at a whole message and reports whether discordgo gets it. An
// error ends the connection.
func (t *tap) inspect(text []byte) (pass bool, err error) {
	var m *struct {
		Op   *int            `json:"op"`
		Type string          `json:"t"`
		Data json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(text, &m); err != nil || m == nil || m.Op == nil {
		return false, fmt.Errorf("%w: not a message of the gateway", errGarbled)
	}
	switch *m.Op {
	case opReconnect:
		return false, errReconnect
	case opInvalidSession:
		return false, errInvalidSession
	case opHello:
		var d struct {
			Interval int64 `json:"heartbeat_interval"` // ms
		}
		if json.Unmarshal(m.Data, &d) != nil || d.Interval <= 0 || d.Interval > time.Hour.Milliseconds() {
			return false, fmt.Errorf("%w: heartbeat interval", errGarbled)
		}
		t.mu.Lock()
		first := t.interval == 0
		t.interval, t.lastAck = time.Duration(d.Interval)*time.Millisecond, time.Now()
		t.mu.Unlock()
		if first {
			t.hello()
		}
	case opHeartbeatAck:
		t.mu.Lock()
		defer t.mu.Unlock()
		t.lastAck = time.Now()
		return t.isReady, nil
	case opDispatch:
		if m.Type == "READY" {
			t.tellGuilds(m.Data)
		}
		if m.Type == "READY" || m.Type == "RESUMED" {
			t.mu.Lock()
			if !t.isReady {
				t.isReady = true
				close(t.ready)
			}
			t.mu.Unlock()
		}
	}
	return true, nil
}

// tellGuilds reads the list of guilds that a session begins with. A list that is
// malformed is ignored: it must not look like an empty one.
func (t *tap) tellGuilds(ready json.RawMessage) {
	var d struct {
		Guilds *[]struct {
			ID string `json:"id"`
		} `json:"guilds"`
	}
	if t.guilds == nil || json.Unmarshal(ready, &d) != nil || d.Guilds == nil {
		return
	}
	ids := make([]string, 0, len(*d.Guilds))
	for _, g := range *d.Guilds {
		if !snowflake(g.ID) {
			return
		}
		ids = append(ids, g.ID)
	}
	t.guilds(ids)
}
