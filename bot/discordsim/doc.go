// Package discordsim is a strict Discord for one bot, small enough to run in a
// test or in a playground: REST (API versions 9 and 10), gateway, and people
// who type commands and press buttons.
//
// A [Server] is an http.Handler. Tests serve it with net/http/httptest, give
// the bot's client the [Server.Transport], and act as people through
// [Server.As]. Anything the bot does that Discord would refuse, or that this
// project does not want, ends up in [Server.Violations].
//
// # What is modelled
//
//   - Gateway: HELLO, IDENTIFY, READY, heartbeats, RESUME with replay, op 7,
//     op 9, close codes, intents, the limits of 4,096 bytes and 120 messages a
//     minute. Misbehaviour on demand with [Server.Gateway].
//   - Interactions: slash commands with all checks of the client, user
//     commands, autocomplete, buttons, string and user menus, modals; first
//     answers of types 4 to 9 within three seconds, one each; edits and
//     follow-ups for fifteen minutes.
//   - Messages: text, action rows, the newer component layout, attachments with
//     alt text, embeds (lengths only), replies, nonces, ephemeral messages, the
//     people a message really notifies, the limit on edits of old messages.
//   - Guilds and their outages, text channels, threads, direct messages, permissions a member and
//     a channel, archived and locked threads, closed direct messages.
//   - Registration of commands with all published limits.
//   - Rate-limit headers and 429, faults on demand with [Server.SetFault].
//
// # What is left out
//
// Roles, reactions, polls, stickers, voice, embeds beyond their lengths, custom
// emoji, webhooks other than those of interactions, user-installed
// applications, message commands, sharding, transport compression, signed and
// expiring file addresses, and the automatic archiving of threads. Privileged
// intents are always refused (4014). The pace of IDENTIFY and the closing of
// connections without a heartbeat are left to [Options], since they go badly
// with a clock that is moved by hand.
//
// Discord does not publish the numbers of its rate limits nor how often an old
// message can be edited; the defaults here are guesses, see [Options]. That the
// completion of a deferred answer notifies people, and an edit never does, is
// an assumption.
//
// # Violations
//
// A violation is a broken promise of the bot: a limit, the protocol, an unknown
// route or JSON field. Refusals that follow from the state of the world (a
// closed thread, a missing permission, a deleted message, a rate limit) are
// answered with Discord's error but are no violations, since a bot cannot
// always know. Discord ignores unknown fields and flags it does not allow, so
// for these the violation is the only sign. Three rules are our own:
//
//   - every message and edit carries allowed_mentions;
//   - every picture has a description (alt text) and can be decoded;
//   - a file in an edit under version 10 is listed in attachments.
//
// An interaction without an answer is a violation only if the bot was connected,
// its connection did not break meanwhile, and no requested fault stood in the
// way. A second answer is one unless a fault spoilt the first.
//
// # Design
//
// The package imports neither the bot nor its Discord library: sharing types
// with the client under test would hide wrong field names. Request bodies are
// therefore read as generic JSON by a small checker (form.go) that
// collects mistakes with their places, as Discord's nested error object wants
// them, and notices every key nobody asked for.
//
// One mutex guards everything. Nothing is written to a socket and no function
// of the user is called while it is held: gateway frames go through a queue and
// a writer each connection, subscribers through a bounded queue each.
//
// All time comes from [Options].Clock, so that a test can let three days pass.
// Only socket deadlines are real.
//
// With [Open] each change appends one record (checksum, length, the whole new
// state of one thing) to a file in one write; opening reads them back, drops a
// torn tail, and writes a compact file in place of the old one.
package discordsim
