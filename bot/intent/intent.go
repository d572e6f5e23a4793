package intent

import (
	"reflect"
	"strings"

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
	// Copy says that the button is on a copy of the board that the person alone sees.
	Copy bool
}

// About returns the reference itself.
func (r Ref) About() Ref { return r }

// LacksGame reports whether an intent is about a game and does not name it.
func LacksGame(in Intent) bool {
	if in == nil || in.About().Game != "" {
		return false
	}
	f, ok := reflect.TypeOf(in).FieldByName("Ref")
	return ok && f.Type == reflect.TypeFor[Ref]()
}

// InGame returns an intent about a game, with the reference that it turned out to
// mean.
func InGame(in Intent, ref Ref) Intent {
	v := reflect.New(reflect.TypeOf(in)).Elem()
	v.Set(reflect.ValueOf(in))
	v.FieldByName("Ref").Set(reflect.ValueOf(ref))
	return v.Interface().(Intent)
}

// OnCopy returns an intent about a game as it stands behind a button of a private
// copy of the board. Others are returned as they are.
func OnCopy(in Intent) Intent {
	if in.About().Game == "" {
		return in
	}
	v := reflect.New(reflect.TypeOf(in)).Elem()
	v.Set(reflect.ValueOf(in))
	ref := in.About()
	ref.Copy = true
	v.FieldByName("Ref").Set(reflect.ValueOf(ref))
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
	Sure bool // plays a whole move also for those who want to be asked once more
}

// Move plays a move given as text.
type Move struct {
	Ref
	Text string
}

// tag stands between a move and the game that it is for, in the value of a
// suggestion.
const tag = " #"

// MoveIn returns the text of a move in a game, which the person picks from a list
// without naming the game. [ReadMove] reads it.
func MoveIn(game match.ID, text string) string { return text + tag + string(game) }

// ReadMove reads a typed move. The game is "" unless [MoveIn] wrote the text.
func ReadMove(text string) (game match.ID, move string) {
	if i := strings.LastIndex(text, tag); i >= 0 && ValidGame(match.ID(text[i+len(tag):])) {
		return match.ID(text[i+len(tag):]), text[:i]
	}
	return "", text
}

// What the other buttons and commands about a game ask for.
type (
	Board  struct{ Ref } // the board in a new message, with its buttons; elsewhere than in its place, a private copy
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
	GiveTime  struct{ Ref } // gives the opponent a day more for this move

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

// MyVacation asks how much vacation the person has, Vacation stops the person's clocks
// for some days from now on, and EndVacation lets them run again.
type (
	MyVacation struct{ NoGame }
	Vacation   struct {
		NoGame
		Days int // 1 or more
	}
	EndVacation struct{ NoGame }
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
	Buttons  string // "columns", "moves", or "" to leave them
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
	about[GiveTime]("Cg"),
	about[Rematch]("n"),
	about[GameText]("t"),
	about[Film]("f"),
	about[Replay]("o"),
	about[Review]("v"),
	bare[Help]("?"),
	bare[Games]("g"),
	bare[EndVacation]("Ce"),
	bare[MyData]("Ds"),
	bare[ExportData]("De"),
	bare[AskDeleteData]("Dd"),
	bare[KeepData]("Dk"),
	coded("DD", writeDelete, readDelete),
	coded("s", writeStep, readStep),
	coded("p", writePlay, readPlay),
	coded("z", writeRules, readRules),
	coded("l", writeLook, readLook),
	coded("Cv", writeVacation, readVacation),
	coded("Kp", writeSettings, readSettings),
	coded("Ks", writeSet, readSet),
	coded("Lp", writePlan, readPlan),
	coded("Ld", writeDropPlan, readDropPlan),
}
