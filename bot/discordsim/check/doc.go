// Package check checks a bot's request bodies against Discord's published limits:
// messages with their files and components, answers to interactions, and
// commands.
//
// A [Form] reads one decoded body, returns it typed, and collects everything that
// is wrong with it:
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
// nonces, slash and user commands, autocomplete, and the application's emoji.
// Select menus, modals, and Discord's newer component layout are not used yet;
// they are kept for what the bot shows next (puzzles, lessons, settings).
// Everything else is left out. A message with embeds, for one, breaks a house
// rule.
//
// # Design
//
// Everything here is a function of its arguments: no server, no clock, no state.
// The caller, package discordsim, decides whatever depends on the world, such as
// permissions or the age of a token. What a check has to know about an edited
// message is passed in as [Stored].
//
// The package imports neither the bot nor its Discord library: a shared struct
// would hide a misspelled field. So bodies are read as generic JSON, key by key,
// and unknown keys are reported.
package check
