package discord

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
)

// said is a connection whose other side has already said everything.
type said struct {
	net.Conn
	io.Reader
}

func (s said) Read(p []byte) (int, error) { return s.Reader.Read(p) }

// upgraded is the HTTP answer before the first frame.
const upgraded = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

// textFrame is a whole short message.
func textFrame(s string) string { return string([]byte{0x81, byte(len(s))}) + s }

func TestTapPassesAllElse(t *testing.T) {
	for name, text := range map[string]string{
		"frames":           upgraded + textFrame(`{"op":10,"d":{"heartbeat_interval":5}}`) + textFrame(`{"op":0,"t":"READY"}`) + textFrame(`{"op":11}`) + "\x89\x00",
		"a failed upgrade": "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\n" + textFrame(`{"op":7}`),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := io.ReadAll(newTap(said{Reader: bytes.NewReader([]byte(text))}, func() {}))
			if err != nil || string(got) != text {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestTapStops(t *testing.T) {
	for name, c := range map[string]struct {
		frames string
		want   error
	}{
		"a new connection":     {textFrame(`{"op":7,"d":null}`), errReconnect},
		"a new session":        {textFrame(`{"op":9,"d":true}`), errInvalidSession},
		"masked":               {"\x81\x80", errGarbled},
		"longer than anything": {"\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", errGarbled},
		"no opcode":            {textFrame(`{"d":1}`), errGarbled},
		"broken off":           {"\x81\x05ab", io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			tap := newTap(said{Reader: bytes.NewReader([]byte(upgraded + c.frames + textFrame(`{"op":0}`)))}, func() {})
			if name == "broken off" {
				tap = newTap(said{Reader: bytes.NewReader([]byte(upgraded + c.frames))}, func() {})
			}
			got, err := io.ReadAll(tap)
			if !errors.Is(err, c.want) || string(got) != upgraded || !errors.Is(tap.reason(), c.want) {
				t.Errorf("%q, %v, reason %v", got, err, tap.reason())
			}
			select {
			case <-tap.done:
			default:
				t.Error("not over")
			}
			// It stays over, and the first reason stays.
			tap.end(errSilent)
			if _, err := tap.Read(make([]byte, 9)); !errors.Is(err, c.want) {
				t.Errorf("then %v", err)
			}
		})
	}
}

func TestTapTellsGuilds(t *testing.T) {
	for name, c := range map[string]struct {
		frame string
		want  []string
		told  bool
	}{
		"two":              {`{"op":0,"t":"READY","d":{"guilds":[{"id":"1","unavailable":true},{"id":"22"}]}}`, []string{"1", "22"}, true},
		"none":             {`{"op":0,"t":"READY","d":{"guilds":[]}}`, []string{}, true},
		"not said":         {`{"op":0,"t":"READY","d":{}}`, nil, false},
		"null":             {`{"op":0,"t":"READY","d":{"guilds":null}}`, nil, false},
		"another shape":    {`{"op":0,"t":"READY","d":{"guilds":{"1":true}}}`, nil, false},
		"one without ID":   {`{"op":0,"t":"READY","d":{"guilds":[{"id":"1"},{}]}}`, nil, false},
		"one that is null": {`{"op":0,"t":"READY","d":{"guilds":[null]}}`, nil, false},
		"another event":    {`{"op":0,"t":"OTHER","d":{"guilds":[{"id":"1"}]}}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			tap := newTap(said{Reader: bytes.NewReader([]byte(upgraded + textFrame(c.frame)))}, func() {})
			var got []string
			told := false
			tap.guilds = func(ids []string) { got, told = ids, true }
			io.ReadAll(tap)
			if told != c.told || !slices.Equal(got, c.want) {
				t.Errorf("%q, told %t", got, told)
			}
		})
	}
}

// FuzzTap checks that nothing a server says makes the tap panic, that no more comes
// out than went in, and that the tap always knows why it is over.
func FuzzTap(f *testing.F) {
	f.Add([]byte(upgraded + textFrame(`{"op":10,"d":{"heartbeat_interval":5}}`) + textFrame(`{"op":7}`)))
	f.Add([]byte(upgraded + textFrame(`{"op":0,"t":"READY"}`) + "\x01\x03{\"o\x80\x04p\":1}"))
	f.Add([]byte(upgraded + textFrame(`{"op":0,"t":"READY","d":{"guilds":[{"id":"1"},{"id":2}]}}`)))
	f.Add([]byte(upgraded + "\x88\x02\x0f\xa4"))
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nxyz"))
	f.Fuzz(func(t *testing.T, in []byte) {
		tap := newTap(said{Reader: bytes.NewReader(in)}, func() {})
		tap.guilds = func(ids []string) {
			for _, id := range ids {
				if !snowflake(id) {
					t.Errorf("guild %q", id)
				}
			}
		}
		out, err := io.ReadAll(tap)
		if len(out) > len(in) {
			t.Errorf("%d bytes became %d", len(in), len(out))
		}
		if !tap.raw && tap.reason() == nil {
			t.Errorf("over with %v, and nobody told", err)
		}
	})
}
