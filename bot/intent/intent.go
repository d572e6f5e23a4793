package intent

import (
	"reflect"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// Intent is something that a person asks for. The concrete types are below.
type Intent interface {
	// About returns the game that the intent is about. Its Game is "" for an
	// intent that is not about a game, and for a command that names none: such a
	// command means the person's game in that channel.
	About() Ref
}

// Ref names a game and the version that the person saw. A Version of 0 means
// whatever is stored. Embedding it makes a type an intent about that game.
type Ref struct {
	Game    match.ID
	Version uint64
}

// About returns the reference itself.
func (r Ref) About() Ref { return r }

// InGame returns an intent that names no game, with the game that it turned out
// to mean.
func InGame(in Intent, game match.ID) Intent {
	v := reflect.New(reflect.TypeOf(in)).Elem()
	v.Set(reflect.ValueOf(in))
	v.FieldByName("Ref").Set(reflect.ValueOf(Ref{Game: game, Version: in.About().Version}))
	return v.Interface().(Intent)
}

// NoGame makes a type that embeds it an intent that is not about a game.
type NoGame struct{}

func (NoGame) About() Ref { return Ref{} }

// Side is the colour that a person wants.
type Side string

// The sides to ask for.
const (
	White  Side = "white"
	Black  Side = "black"
	Random Side = "random"
)

// Play asks for a game against the machine.
type Play struct {
	NoGame
	Level int // 1 to match.MaxLevel
	Side  Side
	Rules engine.Rules
}

// Challenge asks another person for a game. The fields about the person are
// what Discord says of them.
type Challenge struct {
	NoGame
	User  match.UserID
	Name  string
	Robot bool // an application of some kind
	Us    bool // this application itself
	Side  Side // the challenger's colour
	Rules engine.Rules
}

// Accept, Decline and Withdraw answer a challenge.
type (
	Accept   struct{ Ref }
	Decline  struct{ Ref }
	Withdraw struct{ Ref }
)

// Block declines a challenge and blocks the challenger. SetBlock blocks another
// person, or no longer.
type (
	Block    struct{ Ref }
	SetBlock struct {
		NoGame
		User match.UserID
		On   bool
	}
)

// Step enters a move square by square: Path holds the squares so far, none to
// begin again. A Path that is a whole legal move plays it.
type Step struct {
	Ref
	Path []engine.Square
}

// Move plays a move given as text.
type Move struct {
	Ref
	Text string
}

// What the other buttons and commands about a game ask for.
type (
	Board  struct{ Ref } // the board in a new message, with its buttons
	MySide struct{ Ref } // a private picture from the reader's side
	More   struct{ Ref } // the private menu of everything seldom needed
	Hint   struct{ Ref } // what the strongest level would play

	Undo       struct{ Ref }
	AllowUndo  struct{ Ref }
	RefuseUndo struct{ Ref }

	Draw        struct{ Ref }
	AcceptDraw  struct{ Ref }
	DeclineDraw struct{ Ref }

	AskResign struct{ Ref } // asks to confirm
	Resign    struct{ Ref } // confirmed
	Keep      struct{ Ref } // not confirmed: play on
	Abort     struct{ Ref }
	Claim     struct{ Ref }

	Rematch  struct{ Ref }
	GameText struct{ Ref }
	Film     struct{ Ref } // the game as an animation
	Replay   struct{ Ref } // the newest move as an animation, jump by jump
	Review   struct{ Ref } // where the game turned
)

// Games asks for the person's running games, Help for help.
type (
	Games struct{ NoGame }
	Help  struct{ NoGame }
)

// What people can ask about the data that is stored about them. DeleteData is
// confirmed; it names who was asked, so that nobody else's press counts.
type (
	MyData        struct{ NoGame } // what is stored
	ExportData    struct{ NoGame } // all of it, as a file
	AskDeleteData struct{ NoGame } // asks to confirm
	DeleteData    struct {
		NoGame
		Of match.UserID
	}
	KeepData struct{ NoGame } // not confirmed
)

// Rules asks for a page of the rules, counted from 0.
type Rules struct {
	NoGame
	Page int
}

// Look asks to show boards differently to the person or, for Everyone, on the
// whole server.
type Look struct {
	NoGame
	Theme    string // "" leaves it
	Text     string // "on", "off", or "" to leave it
	Everyone bool
}

// codes holds one row for each kind of intent that stands behind a button.
// Buttons that are already in channels hold these letters: never give them
// another meaning.
var codes = []code{
	about[Accept]("a"),
	about[Decline]("d"),
	about[Withdraw]("w"),
	about[Block]("B"),
	about[Board]("b"),
	about[MySide]("y"),
	about[More]("m"),
	about[Hint]("h"),
	about[Undo]("u"),
	about[AllowUndo]("U"),
	about[RefuseUndo]("V"),
	about[Draw]("r"),
	about[AcceptDraw]("R"),
	about[DeclineDraw]("S"),
	about[AskResign]("q"),
	about[Resign]("Q"),
	about[Keep]("k"),
	about[Abort]("x"),
	about[Claim]("c"),
	about[Rematch]("n"),
	about[GameText]("t"),
	about[Film]("f"),
	about[Replay]("o"),
	about[Review]("v"),
	bare[Help]("?"),
	bare[Games]("g"),
	bare[MyData]("Ds"),
	bare[ExportData]("De"),
	bare[AskDeleteData]("Dd"),
	bare[KeepData]("Dk"),
	coded("DD", writeDelete, readDelete),
	coded("s", writeStep, readStep),
	coded("p", writePlay, readPlay),
	coded("z", writeRules, readRules),
	coded("l", writeLook, readLook),
}
