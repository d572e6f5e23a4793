// Package check holds request bodies of a bot against Discord's published
// limits: messages with their files and components, answers to interactions,
// and commands.
//
// A [Form] takes one decoded body, gives it back typed, and collects everything
// that is wrong with it:
//
//	body, err := check.Decode(data)
//	...
//	form := &check.Form{}
//	message := form.Message("", body, check.Request{Kind: check.CreateMessage, Version: 10})
//	if tree := form.Errors(); tree != nil {
//		// refuse it with code 50035 and tree as "errors"
//	}
//
// # What is checked
//
// The bot uses text, action rows, buttons, pictures with alt text, mentions,
// nonces, slash and user commands, and autocomplete. Select menus, modals, and
// Discord's newer component layout are checked too although the bot does not
// use them yet: what it is going to show next (puzzles, lessons, settings) needs
// them. Everything else is left out. Embeds are one of these: a message that
// has any breaks a house rule.
//
// # Design
//
// Everything here is a function of its arguments: no server, no clock, no
// state. Whatever depends on the world (permissions, the age of a token) is
// decided by the caller, package discordsim. What a check needs to know about an
// edited message is passed in as [Stored].
//
// The package imports neither the bot nor its Discord library: a shared struct
// would hide a misspelled field. So bodies are read as generic JSON, key by key,
// and every key that nobody asked for is reported.
package check
