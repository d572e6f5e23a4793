package discord

import (
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// root is the slash command that all subcommands belong to.
const root = "lasca"

// OptionPath and OptionGame are the options that Discord completes while the
// person types, as [Request].Option names them.
const (
	OptionPath = "path"
	OptionGame = "game"
)

// CommandStop is the subcommand whose games are not the person's own, as
// [Request].Typing names it.
const CommandStop = "stop"

// maxPathText is the most characters of a typed move. The longest path takes far
// fewer, also with the name of its game.
const maxPathText = 100

// subcommand is a row of [subcommands].
type subcommand struct {
	name    string // in English, as Discord sends it; "group name" if it is in a group
	options []anyOption
	intent  func(*args) intent.Intent
}

// subcommands are what people can type after /lasca, in the order that they see.
// A row is all that this package knows of a command: [Commands] registers it and
// [Decode] reads it from here. Rows of one group stand together. The texts are in
// the catalogs, under the keys that [CommandKeys] lists.
var subcommands = []subcommand{
	{"play", options(optLevel, optColour, optRules, optRated), func(a *args) intent.Intent {
		return intent.Play{Level: optLevel.in(a), Side: optColour.in(a), Rules: optRules.in(a), Rated: optRated.in(a) == intent.Rated}
	}},
	{"challenge", options(optUser, optColour, optRules, optDays, optRated, optHints), func(a *args) intent.Intent {
		return challenge(a, optUser.in(a), optColour.in(a), optRules.in(a), terms(a))
	}},
	{"open", options(optColour, optRules, optDays, optRated, optHints), func(a *args) intent.Intent {
		return intent.Open{Side: optColour.in(a), Rules: optRules.in(a), Terms: terms(a)}
	}},
	{"challenges", nil, func(*args) intent.Intent { return intent.Challenges{} }},
	{"move", options(optPath, optGame), func(a *args) intent.Intent {
		in := intent.Move{Ref: optGame.in(a), Text: optPath.in(a)}
		if game, text := intent.ReadMove(in.Text); game != "" {
			if in.Text = text; in.Game == "" && a.gameName == "" {
				in.Game = game // else the person has named another, by hand
			}
		}
		return in
	}},
	{"board", options(optGame), func(a *args) intent.Intent { return intent.Board{Ref: optGame.in(a)} }},
	{"hint", options(optGame), func(a *args) intent.Intent { return intent.Hint{Ref: optGame.in(a)} }},
	{"undo", options(optGame), func(a *args) intent.Intent { return intent.Undo{Ref: optGame.in(a)} }},
	{"draw", options(optGame), func(a *args) intent.Intent { return intent.Draw{Ref: optGame.in(a)} }},
	{"resign", options(optGame), func(a *args) intent.Intent { return intent.AskResign{Ref: optGame.in(a)} }},
	{"abort", options(optGame), func(a *args) intent.Intent { return intent.Abort{Ref: optGame.in(a)} }},
	{CommandStop, options(optGame), func(a *args) intent.Intent { return intent.AskStop{Ref: optGame.in(a)} }},
	{"stats", options(optWhose), func(a *args) intent.Intent {
		u := optWhose.in(a)
		return intent.Stats{User: u.ID, Name: u.Name}
	}},
	{"leaderboard", nil, func(*args) intent.Intent { return intent.Leaderboard{} }},
	{"plan", options(optGame), func(a *args) intent.Intent { return intent.Plan{Ref: optGame.in(a)} }},
	{"games", nil, func(*args) intent.Intent { return intent.Games{} }},
	{"watch", nil, func(*args) intent.Intent { return intent.Watching{} }},
	{"rules", nil, func(*args) intent.Intent { return intent.Rules{} }},
	{"help", nil, func(*args) intent.Intent { return intent.Help{} }},
	{"look", options(optTheme, optBoards, optButtons, optEveryone), func(a *args) intent.Intent {
		return intent.Look{Theme: optTheme.in(a), Boards: optBoards.in(a), Buttons: optButtons.in(a), Everyone: optEveryone.in(a)}
	}},
	{"block", options(optUser), func(a *args) intent.Intent { return intent.SetBlock{User: optUser.in(a).ID, On: true} }},
	{"unblock", options(optUser), func(a *args) intent.Intent { return intent.SetBlock{User: optUser.in(a).ID} }},
	{"privacy show", nil, func(*args) intent.Intent { return intent.MyData{} }},
	{"privacy export", nil, func(*args) intent.Intent { return intent.ExportData{} }},
	{"privacy delete", nil, func(*args) intent.Intent { return intent.AskDeleteData{} }},
}

// The options of the subcommands.
var (
	optLevel  = listed("level", match.DefaultLevel, levels(), func(n int) any { return n })
	optColour = listed("colour", intent.Random, sides, func(s intent.Side) any { return string(s) })
	optRules  = listed("rules", engine.Kawu, engine.AllRules(), func(r engine.Rules) any { return r.String() })
	optRated  = listed("rated", intent.Usual, []intent.Stakes{intent.Rated, intent.Casual}, func(s intent.Stakes) any { return string(s) })
	optDays   = listed("days", 0, match.AllDays, func(n int) any {
		if n == match.NoLimit {
			return "none"
		}
		return strconv.Itoa(n)
	})
	optHints = option[bool]{
		OptionSpec: OptionSpec{Type: optionBoolean, Name: "hints"},
		want:       "yes or no",
		read:       func(_ *args, value any) (bool, bool) { v, ok := value.(bool); return v, ok },
	}
	optTheme    = listed("theme", "", themes(), func(name string) any { return name })
	optBoards   = listed("boards", "", []string{intent.Pictures, intent.InEmoji, intent.Letters}, func(what string) any { return what })
	optButtons  = listed("buttons", "", []string{"columns", "moves"}, func(what string) any { return what })
	optEveryone = option[bool]{
		OptionSpec: OptionSpec{Type: optionBoolean, Name: "everyone"},
		want:       "yes or no",
		read:       func(_ *args, value any) (bool, bool) { v, ok := value.(bool); return v, ok },
	}
	optUser = option[User]{
		OptionSpec: OptionSpec{Type: optionUser, Name: "user", Required: true},
		want:       "an account that the interaction describes",
		read:       (*args).account,
	}
	optWhose = option[User]{
		OptionSpec: OptionSpec{Type: optionUser, Name: "user"},
		want:       "an account that the interaction describes",
		read:       (*args).account,
	}
	optPath = option[string]{
		OptionSpec: OptionSpec{Type: optionString, Name: OptionPath, Required: true, Autocomplete: true, MaxLength: maxPathText},
		want:       "a move",
		read: func(_ *args, value any) (string, bool) {
			v, _ := value.(string)
			v = strings.TrimSpace(v)
			return v, v != ""
		},
	}
	// The games that Discord offers are suggestions: people can type anything.
	optGame = option[intent.Ref]{
		OptionSpec: OptionSpec{Type: optionString, Name: OptionGame, Autocomplete: true},
		want:       "a game's number or its name in the list",
		read:       (*args).game,
	}
)

var sides = []intent.Side{intent.White, intent.Black, intent.Random}

func levels() []int {
	list := make([]int, match.MaxLevel)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

func themes() []string {
	var list []string
	for _, t := range render.Themes() {
		list = append(list, t.String())
	}
	return list
}

// terms are those of a challenge.
func terms(a *args) intent.Terms {
	return intent.Terms{Stakes: optRated.in(a), Days: optDays.in(a), Hints: optHints.in(a)}
}

// challenge is what both the subcommand and the menu of an account ask for.
func challenge(a *args, u User, side intent.Side, rules engine.Rules, t intent.Terms) intent.Intent {
	return intent.Challenge{
		User: u.ID, Name: u.Name, Robot: u.Bot, Us: string(u.ID) == a.app,
		Side: side, Rules: rules, Terms: t,
	}
}
