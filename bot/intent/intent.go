package intent

import (
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// Intent is something that a person asks for. The concrete types are below.
// Those whose Game may be "" come from commands, which name no game: they mean
// the person's game in that channel.
type Intent interface{ intent() }

// Side is the colour that a person wants.
type Side string

// The sides to ask for.
const (
	White  Side = "white"
	Black  Side = "black"
	Random Side = "random"
)

// Ref names a game, and the version that the person saw; a Version of 0 means
// whatever is stored.
type Ref struct {
	Game    match.ID
	Version uint64
}

// Play asks for a game against the machine.
type Play struct {
	Level int // 1 to match.MaxLevel
	Side  Side
	Rules engine.Rules
}

// Challenge asks another person for a game. The fields about the person are
// what Discord says of them.
type Challenge struct {
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

// What the other buttons and commands ask for.
type (
	Board  struct{ Ref } // the board afresh, with its buttons, as the newest message
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
	Games struct{}
	Help  struct{}
)

// What people can ask for about the data that is stored of them. DeleteData is
// confirmed; it names who was asked, so that nobody else's press counts.
type (
	MyData        struct{} // what is stored
	ExportData    struct{} // all of it, as a file
	AskDeleteData struct{} // asks to confirm
	DeleteData    struct{ Of match.UserID }
	KeepData      struct{} // not confirmed
)

// Rules asks for a page of the rules, counted from 0.
type Rules struct{ Page int }

// Look asks to show boards differently to the person or, for Everyone, on the
// whole server.
type Look struct {
	Theme    string // "" leaves it
	Text     string // "on", "off", or "" to leave it
	Everyone bool
}

func (MyData) intent()        {}
func (ExportData) intent()    {}
func (AskDeleteData) intent() {}
func (DeleteData) intent()    {}
func (KeepData) intent()      {}
func (Play) intent()          {}
func (Challenge) intent()     {}
func (Accept) intent()        {}
func (Decline) intent()       {}
func (Withdraw) intent()      {}
func (Step) intent()          {}
func (Move) intent()          {}
func (Board) intent()         {}
func (MySide) intent()        {}
func (More) intent()          {}
func (Hint) intent()          {}
func (Undo) intent()          {}
func (AllowUndo) intent()     {}
func (RefuseUndo) intent()    {}
func (Draw) intent()          {}
func (AcceptDraw) intent()    {}
func (DeclineDraw) intent()   {}
func (AskResign) intent()     {}
func (Resign) intent()        {}
func (Keep) intent()          {}
func (Abort) intent()         {}
func (Claim) intent()         {}
func (Rematch) intent()       {}
func (GameText) intent()      {}
func (Film) intent()          {}
func (Replay) intent()        {}
func (Review) intent()        {}
func (Games) intent()         {}
func (Help) intent()          {}
func (Rules) intent()         {}
func (Look) intent()          {}
