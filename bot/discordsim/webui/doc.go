// Package webui is the browser page of the playground: a small chat client
// over a running [discordsim.Server]. Each tab is one of the server's users;
// what the bot answers appears in every tab that may see it.
//
//	sim := discordsim.New(discordsim.Options{})
//	ui := webui.Handler(sim, webui.Options{Examples: []string{"/lasca play"}})
//	http.ListenAndServe("127.0.0.1:8080", ui)
//
// # Design
//
// There is no sign-in: anyone who can reach the page can be anybody. So the caller
// must listen on a loopback address only, and the handler helps: it answers only
// requests whose Host is a loopback name (a web site cannot reach it by pointing
// its own name at 127.0.0.1), refuses requests from another origin, and takes
// actions only as JSON. The page loads nothing from elsewhere, and text never
// becomes markup; the browser enforces both through the Content-Security-Policy
// and Trusted Types.
//
// The files of the page are plain ES modules under static, embedded as they are;
// there is no build step. The server's only state of its own is the forms
// (modals) that are open. Everything shown is read through a JSON interface, and
// an event stream says what changed:
//
//	GET  api/state        who you are, users, channels with unread mentions,
//	                      commands in the user's language
//	GET  api/messages     a channel as the user sees it
//	GET  api/events       server-sent events: "ready" once, then "change"
//	POST api/say, command, autocomplete, click, select, user-command, modal, dismiss, dm, switches
//	GET  files/{id}/{name} an attachment
//	GET  emojis/{id}      the picture of one of the application's emoji
//
// The interface takes the user as ?as= (name or ID). After each (re)connection of
// the stream the page reads state and messages again, so it catches up with
// everything it missed and the server keeps no history of events. A change
// carries the whole message, so applying it twice is harmless. Failures are
// {"error":{"code","message"}}; the codes are the Code… constants.
//
// The page's own texts are in static/words.js, in English and German; the user's
// locale decides. Everything else on it comes from the bot.
//
// # Hooks for browser tests
//
// These attributes are stable. Elements are found by data-testid:
//
//	user-switch, user-menu, user-choice and user-tab (data-user-id), user-setting (data-name)
//	channel (data-channel-id), badge (unread mentions), drawer-toggle (one column)
//	person (data-user-id), person-menu, user-command (data-command), write-to
//	message (data-message-id, data-private="true" for private ones)
//	content, picture, file, app-emoji, failure, dismiss   inside a message
//	button, select (data-custom-id)            inside a message; a button's
//	    accessible name is its label; aria-disabled="true" while it waits for an
//	    answer
//	composer-input, composer-send, composer-error, composer-commands (the "/" button)
//	composer-list, composer-item (data-value: command path, option name or choice value)
//	composer-command (the chosen command), command-field (data-option)
//	notice (data-channel-id), notice-show, notice-close, connection
//	intro, example, second-tab, command-mention, jump-latest
//	modal, modal-field (data-custom-id; data-value for radio buttons and checkboxes),
//	    modal-submit
//
// The body has data-ready="true" once the first state and messages are shown.
package webui
