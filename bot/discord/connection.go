package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Why a connection ended, besides [CloseError] and network errors.
var (
	errReconnect      = errors.New("the gateway asked us to reconnect")
	errInterrupted    = errors.New("the gateway interrupted the session")
	errInvalidSession = errors.New("the gateway refused the session")
	errGarbled        = errors.New("the gateway sent a garbled message")
	errSilent         = errors.New("the gateway did not answer a heartbeat")
	errNotReady       = errors.New("the gateway did not let the session run in time")
)

const (
	// maxFrame is the most bytes of a message of the gateway. READY, the longest,
	// has some 50 for each guild.
	maxFrame = 16 << 20
	// sendTime is how long a message to the gateway may take.
	sendTime = 5 * time.Second
	// closeResumable is our close code when we mean to come back: 1000 and 1001
	// would end the session.
	closeResumable = 4000
)

// The opcodes of the gateway.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// session is what Discord keeps for us between two connections: the events that
// come meanwhile. The zero value is none.
type session struct {
	id  string // "" if there is none
	seq int64  // of the last event that has come
	// address is where Discord wants it to be resumed, "" if it does not say or
	// names a host that the token must not go to.
	address string
	// asked is how often it was asked for since it last ran.
	asked int
}

// connection is one connection to the gateway. Everything happens in the goroutine
// that calls serve; another one only reads.
type connection struct {
	ws      *websocket.Conn
	token   string
	session *session // what to resume and to keep up to date
	shard   [2]int   // its number and how many there are

	// reserve, if not nil, returns how long to wait before a new session is asked for,
	// and identifying is called before that is done, running when the
	// session runs, and event with each event that comes; replayed says that it
	// came between two connections.
	reserve     func() (time.Duration, error)
	identifying func()
	running     func(resumed bool, guilds []string)
	event       func(kind string, data json.RawMessage, replayed bool)

	open     time.Duration // for the session to run
	farewell time.Duration // for the other side to close as well

	interval time.Duration // of heartbeats; 0 before the greeting
	beat     *time.Timer
	turn     *time.Timer // to ask for a new session
	limit    *time.Timer // for the session to run
	answered bool        // the last heartbeat
	resuming bool        // asked for an earlier session
	ready    bool        // the session runs
}

// serve stays until the connection is over, closes it and says why. When the
// context is done, that ends the session too.
func (c *connection) serve(ctx context.Context) error {
	defer c.ws.Close()
	messages, broken := make(chan []byte), make(chan error, 1)
	over := make(chan struct{})
	defer close(over)
	go c.read(messages, broken, over)

	c.limit = time.NewTimer(c.open)
	defer c.limit.Stop()
	c.beat, c.answered = time.NewTimer(time.Hour), true
	defer c.beat.Stop()
	c.turn = time.NewTimer(time.Hour)
	c.turn.Stop()
	defer c.turn.Stop()
	for {
		var err error
		select {
		case text := <-messages:
			if err = c.receive(text); c.ready {
				c.limit.Stop()
			}
		case err := <-broken:
			return closeReason(err)
		case <-c.beat.C:
			if err = errSilent; c.answered {
				c.answered = false
				c.beat.Reset(c.interval)
				err = c.send(opHeartbeat, c.seq())
			}
		case <-c.turn.C:
			err = c.identify()
		case <-c.limit.C:
			err = errNotReady
		case <-ctx.Done():
			// A connection that is closed in good order ends the session at once, and
			// people see the bot leave.
			c.leave(websocket.CloseNormalClosure)
			c.drop(messages, broken)
			return ctx.Err()
		}
		if err != nil {
			c.leave(closeResumable)
			return err
		}
	}
}

// drop ignores what still comes until the other side has closed as well.
func (c *connection) drop(messages <-chan []byte, broken <-chan error) {
	limit := time.After(c.farewell)
	for {
		select {
		case <-messages:
		case <-broken:
			return
		case <-limit:
			return
		}
	}
}

// read hands messages over until the connection breaks.
func (c *connection) read(messages chan<- []byte, broken chan<- error, over <-chan struct{}) {
	for {
		kind, text, err := c.ws.ReadMessage()
		if err == nil && kind != websocket.TextMessage {
			// Only compressed messages are binary, and we ask for none.
			err = fmt.Errorf("%w: binary", errGarbled)
		}
		if err != nil {
			broken <- err
			return
		}
		select {
		case messages <- text:
		case <-over:
			return
		}
	}
}

// closeReason names the code with which the other side has closed a connection.
func closeReason(err error) error {
	var closed *websocket.CloseError
	if errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure {
		return &CloseError{Code: closed.Code}
	}
	return err
}

// leave says that the connection is going to be closed.
func (c *connection) leave(code int) {
	c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(sendTime))
}

func (c *connection) send(op int, data any) error {
	c.ws.SetWriteDeadline(time.Now().Add(sendTime))
	return c.ws.WriteJSON(map[string]any{"op": op, "d": data})
}

// seq is the number of the last event as heartbeats name it: null before the
// first.
func (c *connection) seq() any {
	if c.session.id == "" {
		return nil
	}
	return c.session.seq
}

// receive handles one message. An error ends the connection.
func (c *connection) receive(text []byte) error {
	var m *struct {
		Op   *int            `json:"op"`
		Type string          `json:"t"`
		Seq  int64           `json:"s"`
		Data json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(text, &m); err != nil || m == nil || m.Op == nil {
		return fmt.Errorf("%w: not one of its own", errGarbled)
	}
	if c.interval == 0 && *m.Op != opHello {
		return fmt.Errorf("%w: no greeting", errGarbled)
	}
	switch *m.Op {
	case opHello:
		if c.interval == 0 {
			return c.greet(m.Data)
		}
	case opHeartbeat:
		return c.send(opHeartbeat, c.seq())
	case opHeartbeatAck:
		c.answered = true
	case opReconnect:
		return errReconnect
	case opInvalidSession:
		if string(m.Data) == "true" {
			return errInterrupted
		}
		return errInvalidSession
	case opDispatch:
		c.dispatch(m.Type, m.Seq, m.Data)
	}
	return nil
}

// greet answers the greeting: it asks for the session that there was, or for a new
// one.
func (c *connection) greet(hello json.RawMessage) error {
	var d struct {
		Interval int64 `json:"heartbeat_interval"` // ms
	}
	if json.Unmarshal(hello, &d) != nil || d.Interval <= 0 || d.Interval > time.Hour.Milliseconds() {
		return fmt.Errorf("%w: heartbeat interval", errGarbled)
	}
	c.interval = time.Duration(d.Interval) * time.Millisecond
	c.beat.Reset(rand.N(c.interval)) // all bots that lost their connections come at once
	if c.session.id != "" {
		c.resuming = true
		c.session.asked++
		return c.send(opResume, map[string]any{"token": c.token, "session_id": c.session.id, "seq": c.session.seq})
	}
	if c.reserve != nil {
		wait, err := c.reserve()
		if err != nil {
			return fmt.Errorf("could not reserve the start of a session: %w", err)
		}
		if wait > 0 {
			c.turn.Reset(wait)
			c.limit.Reset(wait + c.open)
			return nil
		}
	}
	return c.identify()
}

// identify asks for a new session.
func (c *connection) identify() error {
	c.identifying()
	return c.send(opIdentify, map[string]any{
		"token":   c.token,
		"shard":   c.shard,
		"intents": discordgo.IntentsNone, // neither interactions nor the list of guilds in READY need any
		"properties": map[string]string{
			"os": runtime.GOOS, "browser": "lascabot", "device": "lascabot",
		},
	})
}

func (c *connection) dispatch(kind string, seq int64, data json.RawMessage) {
	switch kind {
	case "READY":
		var d struct {
			ID      string `json:"session_id"`
			Address string `json:"resume_gateway_url"`
		}
		if json.Unmarshal(data, &d) != nil {
			d.ID = "" // it cannot be resumed
		}
		*c.session = session{id: d.ID, seq: seq, address: d.Address}
		c.ready = true
		c.running(false, readyGuilds(data))
		return
	case "RESUMED":
		c.session.asked, c.ready = 0, true
		c.session.seq = max(c.session.seq, seq)
		c.running(true, nil)
		return
	}
	c.session.seq = max(c.session.seq, seq)
	c.event(kind, data, c.resuming && !c.ready)
}

// readyGuilds reads the list of guilds that a session begins with. It is nil if the
// list is malformed: that must not look like an empty one.
func readyGuilds(ready json.RawMessage) []string {
	var d struct {
		Guilds *[]struct {
			ID string `json:"id"`
		} `json:"guilds"`
	}
	if json.Unmarshal(ready, &d) != nil || d.Guilds == nil {
		return nil
	}
	ids := make([]string, 0, len(*d.Guilds))
	for _, g := range *d.Guilds {
		if !snowflake(g.ID) {
			return nil
		}
		ids = append(ids, g.ID)
	}
	return ids
}
