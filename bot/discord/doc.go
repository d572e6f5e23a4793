// Package discord translates between Discord, by way of discordgo, and our own
// types, and keeps the faults of discordgo v0.29.0 from the rest of the program.
//
// [Decode] makes an interaction a [Request] with an intent; [REST] answers it and
// posts messages; [Gateway] receives interactions; [Commands] are what people
// can type.
//
// # Design
//
// discordgo's types end here: nothing but the interaction itself, which package bot
// hands from [Gateway] to [Decode], is seen outside.
//
// Bodies are structs of our own. discordgo's have no alternative texts for
// pictures and no protection against double messages, and they send empty
// fields that change what should stay. In return, whatever changes a
// message says everything about it: text, buttons, whom it reaches and which
// files remain. Nobody is ever notified by a name that looks like a mention.
//
// A call is sent by discordgo's exported request function with a rate limiter that
// is thrown away afterwards. Its own keeps a bucket, token and all, for each
// interaction for ever, runs all edits one after the other, and sleeps past
// any deadline. Ours has a bucket for each route of each channel, forgets those
// that are full again, and knows of the two refusals that concern everything.
// What happened is read from the answer in the transport, because discordgo's
// errors do not tell; the same transport puts another server in Discord's
// place for tests and refuses all other hosts.
//
// A call is tried again only if doing it twice is the same as doing it once. A first
// answer is: Discord takes one for each interaction. A follow-up is not.
//
// The gateway's supervisor makes a new session of discordgo's for each connection, because
// one that has lost its connection may hang, never lets go of a refused session
// and asks again without pause. A tap in the connection reads along: it
// holds back the frames at which discordgo locks up or panics, and tells the
// supervisor when the session runs, whether heartbeats are answered and why
// the connection ended. Each new connection starts a new session; what
// comes between two is lost, and the person clicks again. An interaction that
// comes twice is handled once.
//
// discordgo's own log is switched off: it is one for the whole process and
// prints addresses with tokens in them.
package discord
