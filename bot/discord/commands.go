package discord

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// Names of the commands, their options and the values of their choices. They
// are what Discord sends back whatever the person's language.
const (
	cmdRoot = "lasca"

	cmdPlay      = "play"
	cmdChallenge = "challenge"
	cmdMove      = "move"
	cmdBoard     = "board"
	cmdHint      = "hint"
	cmdUndo      = "undo"
	cmdDraw      = "draw"
	cmdResign    = "resign"
	cmdGames     = "games"
	cmdRules     = "rules"
	cmdHelp      = "help"
	cmdLook      = "look"

	groupPrivacy  = "privacy"
	privacyShow   = "show"
	privacyExport = "export"
	privacyDelete = "delete"

	optLevel    = "level"
	optColour   = "colour"
	optRules    = "rules"
	optUser     = "user"
	optPath     = "path"
	optGame     = "game"
	optTheme    = "theme"
	optBoards   = "boards"
	optEveryone = "everyone"

	boardsPictures = "pictures"
	boardsLetters  = "letters"

	defaultLevel = 3
	maxPathText  = 100 // characters of a typed move: the longest path takes far fewer
)

var (
	colours    = []string{string(intent.White), string(intent.Black), string(intent.Random)}
	themes     = []string{"wood", "dark", "contrast"}
	boardKinds = []string{boardsPictures, boardsLetters}
)

func rulesets() []string {
	var list []string
	for _, r := range engine.AllRules() {
		list = append(list, r.String())
	}
	return list
}

// OptionPath and OptionGame are the options that are completed while they are
// typed, as [Request].Option names them.
const (
	OptionPath = optPath
	OptionGame = optGame
)

// BaseLocale is the locale of the texts that a command carries itself, for
// people whose language has no translation.
const BaseLocale = "en-US"

// challengeUserKey is the only command name that is a catalog text in the base
// language too: menus show it as it is.
const challengeUserKey = "command.challenge_user.name"

// Discord's numbers.
const (
	typeSlash = 1
	typeUser  = 2

	optionSubcommand = 1
	optionGroup      = 2
	optionString     = 3
	optionInteger    = 4
	optionBoolean    = 5
	optionUser       = 6

	contextGuild = 0
	contextBotDM = 1

	installGuild = 0
)

// CommandSpec is an application command as it is registered, with no field that
// Discord adds itself.
type CommandSpec struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description,omitempty"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []OptionSpec      `json:"options,omitempty"`
	Contexts                 []int             `json:"contexts,omitempty"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
}

// OptionSpec is an option or a subcommand of a [CommandSpec].
type OptionSpec struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	MaxLength                int               `json:"max_length,omitempty"`
	Choices                  []ChoiceSpec      `json:"choices,omitempty"`
	Options                  []OptionSpec      `json:"options,omitempty"`
}

// ChoiceSpec is one value of an option that is chosen from a list. Value is a
// string or a whole number.
type ChoiceSpec struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// Commands returns the application's commands. The function tr gives the text
// of a key in one of Discord's locales, or "" where there is none; it is asked for
// [BaseLocale] and for each of the locales. [CommandKeys] lists the keys.
//
// Names and choices that a translation lacks stay in the base language.
func Commands(tr func(locale, key string) string, locales []string) []CommandSpec {
	t := texts{tr: tr, locales: locales}
	return []CommandSpec{
		{
			Type: typeSlash, Name: cmdRoot,
			Description:              t.base("command.lasca.description"),
			DescriptionLocalizations: t.all("command.lasca.description"),
			Options:                  t.subcommands(),
			Contexts:                 []int{contextGuild, contextBotDM},
			IntegrationTypes:         []int{installGuild},
		},
		{
			Type: typeUser, Name: t.base(challengeUserKey),
			NameLocalizations: t.all(challengeUserKey),
			Contexts:          []int{contextGuild, contextBotDM},
			IntegrationTypes:  []int{installGuild},
		},
	}
}

// CommandKeys returns every key that [Commands] asks for, sorted.
func CommandKeys() []string {
	seen := map[string]bool{}
	Commands(func(_, key string) string { seen[key] = true; return "" }, []string{"de"})
	keys := make([]string, 0, len(seen))
	for k := range seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// texts looks up the words of the commands.
type texts struct {
	tr      func(locale, key string) string
	locales []string
}

func (t texts) base(key string) string { return t.tr(BaseLocale, key) }

// all returns the translations of a key, nil if there are none.
func (t texts) all(key string) map[string]string {
	var m map[string]string
	for _, l := range t.locales {
		if l == BaseLocale {
			continue
		}
		if s := t.tr(l, key); s != "" {
			if m == nil {
				m = map[string]string{}
			}
			m[l] = s
		}
	}
	return m
}

func (t texts) subcommands() []OptionSpec {
	level := t.option(optionInteger, optLevel)
	for n := 1; n <= match.MaxLevel; n++ {
		level.Choices = append(level.Choices, t.choice(optLevel, strconv.Itoa(n), n))
	}
	colour := t.listed(optColour, colours)
	rules := t.listed(optRules, rulesets())
	user := t.option(optionUser, optUser)
	user.Required = true
	path := t.option(optionString, optPath)
	path.Required, path.Autocomplete, path.MaxLength = true, true, maxPathText
	game := t.option(optionString, optGame)
	game.Autocomplete = true
	return []OptionSpec{
		t.subcommand(cmdPlay, level, colour, rules),
		t.subcommand(cmdChallenge, user, colour, rules),
		t.subcommand(cmdMove, path, game),
		t.subcommand(cmdBoard, game),
		t.subcommand(cmdHint, game),
		t.subcommand(cmdUndo, game),
		t.subcommand(cmdDraw, game),
		t.subcommand(cmdResign, game),
		t.subcommand(cmdGames),
		t.subcommand(cmdRules),
		t.subcommand(cmdHelp),
		t.subcommand(cmdLook, t.listed(optTheme, themes), t.listed(optBoards, boardKinds), t.option(optionBoolean, optEveryone)),
		t.group(groupPrivacy, privacyShow, privacyExport, privacyDelete),
	}
}

// group is a group of subcommands without options. Their keys begin with the
// group's name: "command.privacy_show.name".
func (t texts) group(name string, subs ...string) OptionSpec {
	o := t.subcommand(name)
	o.Type = optionGroup
	for _, sub := range subs {
		s := t.subcommand(name + "_" + sub)
		s.Name = sub
		o.Options = append(o.Options, s)
	}
	return o
}

func (t texts) subcommand(name string, opts ...OptionSpec) OptionSpec {
	return OptionSpec{
		Type: optionSubcommand, Name: name,
		NameLocalizations:        t.all("command." + name + ".name"),
		Description:              t.base("command." + name + ".description"),
		DescriptionLocalizations: t.all("command." + name + ".description"),
		Options:                  opts,
	}
}

func (t texts) option(kind int, name string) OptionSpec {
	return OptionSpec{
		Type: kind, Name: name,
		NameLocalizations:        t.all("option." + name + ".name"),
		Description:              t.base("option." + name + ".description"),
		DescriptionLocalizations: t.all("option." + name + ".description"),
	}
}

// listed is a text option with fixed values.
func (t texts) listed(name string, values []string) OptionSpec {
	o := t.option(optionString, name)
	for _, v := range values {
		o.Choices = append(o.Choices, t.choice(name, v, v))
	}
	return o
}

func (t texts) choice(option, key string, value any) ChoiceSpec {
	key = "choice." + option + "." + key
	return ChoiceSpec{Name: t.base(key), NameLocalizations: t.all(key), Value: value}
}

// Same reports whether two lists of commands mean the same to Discord, in
// whatever order the commands and their contexts are. The order of options and
// choices counts: people see it.
func Same(registered, wanted []CommandSpec) bool {
	return bytes.Equal(canonical(registered), canonical(wanted))
}

// canonical writes commands so that equal ones are equal bytes. Discord returns
// numbers as 1 or 1.0 and leaves out or empties what is not set.
func canonical(list []CommandSpec) []byte {
	list = slices.Clone(list)
	for i, c := range list {
		if c.Type == 0 {
			list[i].Type = typeSlash
		}
		list[i].Contexts = slices.Sorted(slices.Values(c.Contexts))
		list[i].IntegrationTypes = slices.Sorted(slices.Values(c.IntegrationTypes))
	}
	slices.SortFunc(list, func(a, b CommandSpec) int {
		return cmp.Or(a.Type-b.Type, strings.Compare(a.Name, b.Name))
	})
	data, err := json.Marshal(list)
	if err != nil {
		// Only a choice's value could be impossible, and both kinds are not.
		return nil
	}
	return data
}
