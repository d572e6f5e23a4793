package discord

import (
	"errors"
	"fmt"
)

var (
	// ErrSharding says that the bot is on more guilds than one connection may
	// serve.
	ErrSharding = errors.New("this bot is on too many servers for one connection (Discord allows 2,500), and it cannot be split")
	// ErrIntents says that Discord refuses the events that the program asks for.
	ErrIntents = errors.New("discord refuses the gateway intents: enable them on the application's Bot page")
	// ErrVersion says that Discord no longer speaks the gateway's version that
	// the program knows.
	ErrVersion = errors.New("discord has switched off this version of its gateway: update the program")
)

// CloseError is the end of a gateway connection by Discord. It wraps
// [ErrBadToken], [ErrSharding], [ErrIntents] or [ErrVersion] where connecting
// again is no use.
type CloseError struct{ Code int }

// Error says what is wrong and, where that is known, what to do.
func (e *CloseError) Error() string {
	if err := e.Unwrap(); err != nil {
		return fmt.Sprintf("gateway closed with code %d: %v", e.Code, err)
	}
	return fmt.Sprintf("gateway closed with code %d", e.Code)
}

// Unwrap returns the cause that the operator can act on, nil if the connection can be
// made anew.
func (e *CloseError) Unwrap() error {
	switch e.Code {
	case 4004:
		return ErrBadToken
	case 4010, 4011:
		return ErrSharding
	case 4012:
		return ErrVersion
	case 4013, 4014:
		return ErrIntents
	}
	return nil
}
