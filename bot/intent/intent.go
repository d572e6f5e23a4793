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
	Rated bool // the result is to count for the person's rating
}

// Stakes say whether a game between people is to count for their ratings.
type Stakes string

// The stakes to ask for.
const (
	Usual  Stakes = "" // as the server has it
	Rated  Stakes = "yes"
	Casual Stakes = "no"
)

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
	Terms
}

// Terms are what a challenger proposes besides the rules.
type Terms struct {
	Stakes
	Days  int  // for a move: one of match.AllDays, or 0 for as the server has it
	Hints bool // both may ask for hints, which makes the game casual
}

// Open asks whoever comes first for a game.
type Open struct {
	NoGame
	Side  Side // the challenger's colour
	Rules engine.Rules
	Terms
}

// Join takes the open seat. Challenges asks for all challenges that the person has made
// or may answer.
type (
	Join       struct{ Ref }
	Challenges struct{ NoGame }
)

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

	DropUndo struct{ Ref } // takes one's own request back
	DropDraw struct{ Ref } // takes one's own offer back

	AskResign struct{ Ref } // asks to confirm
	Resign    struct{ Ref } // confirmed
	Keep      struct{ Ref } // not confirmed: play on
	Abort     struct{ Ref }
	Claim     struct{ Ref }

	// A moderator ends a game without a result. AskStop without a game asks which.
	AskStop struct{ Ref }
	Stop    struct{ Ref }    // confirmed
	LetBe   struct{ NoGame } // not confirmed

	Rematch  struct{ Ref }
	GameText struct{ Ref }
	Film     struct{ Ref } // the game as an animation
	Replay   struct{ Ref } // the newest move as an animation, jump by jump
	Review   struct{ Ref } // where the game turned
)

// Plan shows the person's if-then lines in a game that waits for the opponent. Line
// leads on from the game's position: the opponent's move, the person's reply, and so
// on, each by its place among the legal moves in the order of their names. A line
// that ends with a reply is stored. Path holds the squares of the next move that have
// been chosen so far.
type Plan struct {
	Ref
	Line []int
	Path []engine.Square
}

// DropPlan deletes the person's if-then lines that begin so; all with an empty Line.
type DropPlan struct {
	Ref
	Line []int
}

// Games asks for a page of the person's unfinished games, counted from 0, Help for
// help.
type (
	Games struct {
		NoGame
		Page int
	}
	Help struct{ NoGame }
)

// OwnBoard asks for a private copy of a game's board wherever the person is, with its
// buttons; Next for that of the game that waits for the person after this one.
type (
	OwnBoard struct{ Ref }
	Next     struct{ Ref }
)

// Watching asks for a page of the games that are being played in the channel, counted
// from 0; Watch for a private view of one from a side, without a part in it.
type (
	Watching struct {
		NoGame
		Page int
	}
	Watch struct {
		Ref
		Side engine.Color // at the lower edge
	}
)

// ShareFilm and ShareReview ask to show everybody what [Film] and [Review] show the
// person alone.
type (
	ShareFilm   struct{ Ref }
	ShareReview struct{ Ref }
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

// What [Look].Boards may be.
const (
	Pictures = "pictures"
	Letters  = "letters"
	InEmoji  = "emoji"
)

// Look asks to show boards differently to the person or, for Everyone, on the
// whole server.
type Look struct {
	NoGame
	Theme    string // "" leaves it
	Boards   string // [Pictures], [Letters], [InEmoji], or "" to leave them
	Buttons  string // "columns", "moves", or "" to leave them
	Everyone bool
}

// Stats asks for a person's rating and results: of one's own where User is "". Show
// asks to show everybody one's own.
type Stats struct {
	NoGame
	User match.UserID
	Name string // as Discord says it; a button does not hold it
	Show bool
}

// Leaderboard asks for a page of a server's ratings, counted from 0. Show asks to show
// it to everybody.
type Leaderboard struct {
	NoGame
	Page int
	Show bool
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
	about[DropDraw]("Ed"),
	about[DropUndo]("Eu"),
	about[AskStop]("Ea"),
	about[Stop]("Es"),
	bare[LetBe]("En"),
	about[Join]("Jj"),
	bare[Challenges]("Jl"),
	about[Rematch]("n"),
	about[GameText]("t"),
	about[Film]("f"),
	about[Replay]("o"),
	about[Review]("v"),
	bare[Help]("?"),
	coded("g", writeGames, readGames),
	about[OwnBoard]("Gb"),
	about[Next]("Gn"),
	coded("Gw", writeWatching, readWatching),
	coded("Aw", writeWatch, readWatch),
	about[ShareFilm]("Af"),
	about[ShareReview]("Ar"),
	bare[MyData]("Ds"),
	bare[ExportData]("De"),
	bare[AskDeleteData]("Dd"),
	bare[KeepData]("Dk"),
	coded("DD", writeDelete, readDelete),
	coded("s", writeStep, readStep),
	coded("p", writePlay, readPlay),
	coded("z", writeRules, readRules),
	coded("l", writeLook, readLook),
	coded("Ts", writeStats, readStats),
	coded("Tl", writeLeaderboard, readLeaderboard),
	coded("Lp", writePlan, readPlan),
	coded("Ld", writeDropPlan, readDropPlan),
}
