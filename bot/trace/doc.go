// Package trace tells a collector, by OpenTelemetry, what the bot spends its time on.
//
// # Design
//
// An interaction is a trace, and so are a position that the machine thinks about and a
// screen that is brought up to date: three kinds of work that wait for each other through
// the store alone. What is done for one of them is a span below it: the intent, a call of
// the store, the drawing of a picture, a request to Discord.
//
//	interaction button          kind, intent, interaction, game, guild
//	├─ intent step
//	│  ├─ store load            outcome
//	│  ├─ store save            outcome
//	│  └─ draw
//	└─ discord POST /interactions/{id}/{token}/callback   status, waited
//	job think                   job, waited, nodes
//	├─ store save               outcome
//	refresh                     game
//	├─ store load               outcome
//	├─ draw
//	└─ discord PATCH /channels/{channel}/messages/{message}   status, waited
//
// The tracer is in the context ([With]), as OpenTelemetry has it with spans. A context
// without one costs a look at its values, and allocates nothing. So the parts of the bot
// start spans without asking whether anybody wants them.
//
// Nothing personal leaves the bot. A span's attributes are the [Key]s here, and their values
// the names of kinds of things, numbers, and the IDs of servers, games and interactions:
// no person's ID or name, no text, no token. Errors are sorted into outcomes, since their
// texts quote what others wrote.
//
// Spans are sent in the background, from a queue with a limit: a collector that is slow or
// gone costs spans, never time. The log says so once in ten minutes at most.
//
// Settings are OpenTelemetry's own environment variables ([FromEnv]), because collectors
// and their operators know those.
package trace
