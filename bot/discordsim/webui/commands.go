package webui

import "github.com/lascabot/lascabot/bot/discordsim/check"

type choiceView struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

type optionView struct {
	Name         string       `json:"name"`
	Label        string       `json:"label"`
	Description  string       `json:"description"`
	Type         int          `json:"type"`
	Required     bool         `json:"required"`
	Autocomplete bool         `json:"autocomplete"`
	Choices      []choiceView `json:"choices"`
	Min          *float64     `json:"min,omitempty"` // of a number
	Max          *float64     `json:"max,omitempty"`
}

// commandView is a command that can be run. Subcommands are commands of their own
// here ("lasca play").
type commandView struct {
	ID          string       `json:"id"`   // shared by the subcommands of a command
	Kind        string       `json:"kind"` // slash, user
	Path        string       `json:"path"`
	Label       string       `json:"label"` // the path in the user's language
	Description string       `json:"description"`
	Options     []optionView `json:"options"`
}

// viewCommands lists what can be run, in the order given and in the language of a
// locale.
func viewCommands(commands []check.Command, locale string) []commandView {
	views := []commandView{}
	for _, command := range commands {
		base := commandView{
			ID: command.ID, Path: command.Name, Label: localized(locale, command.NameLocalizations, command.Name),
			Description: localized(locale, command.DescriptionLocalizations, command.Description),
			Options:     []optionView{},
		}
		switch command.Type {
		case check.UserCommand:
			base.Kind = "user"
			views = append(views, base)
		case check.ChatInputCommand:
			base.Kind = "slash"
			views = flatten(views, base, command.Options, locale)
		}
	}
	return views
}

// flatten appends base, or each subcommand below it.
func flatten(views []commandView, base commandView, options []check.CommandOption, locale string) []commandView {
	leaf := true
	for _, option := range options {
		if option.Type != check.SubCommand && option.Type != check.SubCommandGroup {
			continue
		}
		leaf = false
		sub := base
		sub.Path += " " + option.Name
		sub.Label += " " + localized(locale, option.NameLocalizations, option.Name)
		sub.Description = localized(locale, option.DescriptionLocalizations, option.Description)
		views = flatten(views, sub, option.Options, locale)
	}
	if !leaf {
		return views
	}
	base.Options = []optionView{}
	for _, option := range options {
		view := optionView{
			Name: option.Name, Label: localized(locale, option.NameLocalizations, option.Name),
			Description: localized(locale, option.DescriptionLocalizations, option.Description),
			Type:        option.Type, Required: option.Required, Autocomplete: option.Autocomplete, Choices: viewChoices(option.Choices, locale),
			Min: option.MinValue, Max: option.MaxValue,
		}
		base.Options = append(base.Options, view)
	}
	return append(views, base)
}

func viewChoices(choices []check.Choice, locale string) []choiceView {
	views := []choiceView{}
	for _, choice := range choices {
		views = append(views, choiceView{localized(locale, choice.NameLocalizations, choice.Name), choice.Value})
	}
	return views
}

// localized picks the text for a locale; Discord falls back to the base text,
// never from "en-GB" to "en-US".
func localized(locale string, texts map[string]string, base string) string {
	if text := texts[locale]; text != "" {
		return text
	}
	return base
}
