package discord

import (
	"errors"
	"fmt"
)

var (
	// ErrSharding says that the bot is in more guilds than its connections may serve:
	// 2,500 each.
	ErrSharding = errors.New("the bot is in more servers than its connections may serve (2,500 each): start it with -shards auto, or with more")
	// ErrIntents says that Discord refuses the gateway intents.
	ErrIntents = errors.New("gateway intents refused: enable them on the application's Bot page")
	// ErrVersion says that Discord no longer speaks the version of the gateway
	// that the program uses.
	ErrVersion = errors.New("this version of the gateway has been switched off: update the program")
)

// CloseError says that Discord has closed the gateway connection. It wraps
// [ErrBadToken], [ErrSharding], [ErrIntents] or [ErrVersion] if connecting again
// cannot help.
type CloseError struct{ Code int }

// Error names the code and, if connecting again cannot help, what to do.
func (e *CloseError) Error() string {
	if err := e.Unwrap(); err != nil {
		return fmt.Sprintf("Discord closed the gateway connection with code %d: %v", e.Code, err)
	}
	return fmt.Sprintf("Discord closed the gateway connection with code %d", e.Code)
}

// Unwrap returns the cause that the operator can act on, or nil if connecting
// again may help.
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

// endsSession reports whether the code ends the session as well. After any other
// it can be asked for; where it is gone nevertheless, Discord says so.
func (e *CloseError) endsSession() bool { return e.Code == 4007 || e.Code == 4009 }
