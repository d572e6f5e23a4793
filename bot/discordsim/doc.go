// Package discordsim is a strict Discord for one bot, small enough to run in a
// test or in a playground: REST (API versions 9 and 10), the gateway, and people
// who type commands and press buttons.
//
// A [Server] is an http.Handler. Tests serve it with net/http/httptest, give the
// bot's client the [Server.Transport], and act as people through [Server.As].
// Whatever the bot does that Discord would refuse, or that this project does not
// want, ends up in [Server.Violations].
//
// # What is modelled
//
// The bot uses all of these:
//
//   - Gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, op 7,
//     op 9, close codes, intents, the limits of 4,096 bytes and 120 messages a
//     minute. [Server.Gateway] makes it misbehave on demand.
//   - Interactions: slash commands with all the checks that a client makes, user
//     commands, autocomplete, buttons; first answers within three seconds, one
//     each; edits and follow-ups for fifteen minutes.
//   - Messages: text, action rows, attachments with alt text, nonces, ephemeral
//     messages, the people a message really notifies, the limit on edits of old
//     messages.
//   - Guilds and their outages, text channels, direct messages (closed ones, and
//     those with a person who has blocked the bot), permissions for each member and
//     channel.
//   - Public threads of text channels, and posts of forums: started by the bot and by
//     people, archived, locked and opened again, with the limit on open ones.
//   - The application's own emoji, in texts and on buttons.
//   - Places without the bot, where people have installed the application for
//     themselves: groups, direct messages among people, foreign guilds.
//   - Registration of commands with all published limits.
//   - Rate-limit headers and 429, and faults on demand with [Server.SetFault].
//   - The REST routes in routes.go. Any other route is unknown.
//
// These are kept for what the bot shows next (puzzles, lessons, settings):
// menus of words, people and channels, forms of every part (text, menus, radio
// buttons, checkboxes, files), and Discord's newer component layout.
//
// # What is left out
//
// Embeds, replies, reactions, polls, stickers, voice, roles, emoji of guilds,
// webhooks other than those of interactions, message commands, sharding,
// transport compression, signed and expiring file addresses, private threads, the
// members of threads and the messages about them that Discord itself writes, tags of
// forums, slow mode, the automatic archiving of threads, and the closing of
// connections that send no heartbeat.
// Privileged intents are always refused (4014). The pace of IDENTIFY is left to
// [Options], since it does not work with a clock that is moved by hand.
//
// Discord does not publish the numbers of its rate limits, nor how often an old
// message can be edited; the defaults here are guesses, see [Options]. It is an
// assumption that completing a deferred answer notifies people, and that an edit
// never does. Who has closed direct messages is answered for with 50007, as who has
// blocked the bot; Discord has been seen to say 50278 for the former.
//
// # Violations
//
// A violation is something the bot should not have done: a broken limit, an
// error in the protocol, an unknown route or JSON field. Refusals that follow
// from the state of the world (a closed thread, a missing permission, a deleted
// message, a rate limit) get Discord's error but are not violations, since a bot
// cannot always know. Discord ignores unknown fields and flags that cannot be
// set, so for these the violation is the only sign. Four rules are our own:
//
//   - every message and edit carries allowed_mentions;
//   - every picture has a description (alt text) and can be decoded;
//   - a file in an edit under version 10 is listed in attachments;
//   - messages have no embeds: a picture in one jumps when it is edited.
//
// An interaction without an answer is a violation only if the bot was connected,
// its connection did not break in the meantime, and no requested fault stood in
// the way. A second answer is a violation unless a fault spoilt the first.
//
// # Design
//
// The package imports neither the bot nor its Discord library: sharing types
// with the client under test would hide misspelled field names. Package check
// reads request bodies as generic JSON, key by key; it holds everything that is
// a function of the body alone. This package decides what depends on the world.
//
// One mutex guards everything. Nothing is written to a socket and no function
// of the user is called while it is held: gateway frames go through a queue and
// a writer for each connection, events through a bounded queue for each
// subscriber.
//
// All time comes from [Options].Clock, so that a test can let three days pass.
// Only socket deadlines are real.
//
// With [Open] each change appends one record (checksum, length, the whole new
// state of one thing) to a file in one write. Opening reads them back, drops a
// torn tail, and writes a compact file in place of the old one.
package discordsim
