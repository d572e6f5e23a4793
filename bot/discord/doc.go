// Package discord translates between Discord, by way of discordgo, and our own
// types. It keeps the faults of discordgo v0.29.0 from the rest of the program.
//
// [Decode] turns an interaction into a [Request] with an intent, [REST] answers
// it and posts messages, [Gateway] receives interactions, and [Commands] are
// what people can type.
//
// # To add a command
//
// Write a row of subcommands (commands.go). It names the command, lists its
// options and makes its intent; the command is registered and decoded from it.
// An option that no other command has is a value in the same file. Then add the
// texts to the catalogs, under the keys that [CommandKeys] lists.
//
// # Design
//
// discordgo's types end here. Outside, only the interaction itself is seen,
// which package bot hands from [Gateway] to [Decode].
//
// Intake is apart from the connection. It handles an interaction that comes
// twice only once, bounds how many are handled at the same time, survives a
// handler's panic, and waits for the handlers when the program stops. It does not
// know where interactions come from.
//
// Request bodies are structs of our own. discordgo's have no alternative texts
// for pictures and no protection against double messages, and they send empty
// fields that change what should stay. So whatever changes a message says
// everything about it: text, buttons, whom it notifies and which files remain.
// A name that looks like a mention never notifies anybody.
//
// There is one slash command, /lasca, and everything typed is below it, so that
// a server's list shows the program once. Commands about a person's own data are
// a group there (/lasca privacy show, export and delete) rather than a command
// /privacy, whose name would not tell whose data it is about. Discord allows
// groups beside subcommands, one level deep.
//
// A call goes through discordgo's exported request function with a rate limiter
// that is thrown away afterwards. discordgo's own limiter keeps a bucket, token
// and all, for each interaction forever, runs all edits one after the other, and
// sleeps past any deadline. Ours has a bucket for each route of each channel,
// forgets those that are full again, and knows the two refusals that concern
// everything. What happened is read from the answer in the transport, because
// discordgo's errors do not tell. The same transport puts another server in
// Discord's place for tests, and refuses all other hosts.
//
// discordgo does not read the channel of an interaction either, so the gateway reads
// from the same JSON whether it is a thread, whose, and in what state.
//
// Commands are for everywhere, also where a person's installation alone brings the
// application ([Request].Outside). Discord then takes no call but answers, and may show
// those to the person alone: [Request.OnlyPrivate] knows that beforehand as far as it can
// be known, [Forced] afterwards.
//
// A call is tried again only if doing it twice is the same as doing it once. A
// first answer is: Discord takes one for each interaction. A follow-up is not.
//
// The gateway speaks with Discord by itself, over gorilla's web socket. discordgo's
// own connection cannot be asked to resume a session that another of its sessions
// began, and that is needed because one that has lost its connection may hang, closes
// with a code that ends the session, never lets go of a refused one, and asks again
// without pause. One goroutine owns a connection (connection.go): it beats, keeps
// count of the events, and says why the connection ended. What that means is decided
// between two connections (shard.go): the session is asked for again, unless
// Discord has ended it or does not answer, and events that came meanwhile arrive late.
// Those that a person could still be waiting for are handled. A session ends when the
// program stops.
//
// Discord wants the servers of a large bot divided among several sessions, the shards:
// server ID >> 22 modulo their number tells whose a server is, and direct messages are
// the first one's. One process runs them all (gateway.go), each with a connection of its
// own, and all with one intake, one count of sessions and one list of servers. Shards
// whose numbers are the same modulo max_concurrency start one after the other. Of the
// sessions that Discord allows for a day the last fifth is spread over what is left of
// it. When Discord closes a connection with 4011, the bot has outgrown its shards: if
// their number is Discord's to say, all start anew with more.
//
// The gateway asks for no intent, not even the one for guilds, although the bot
// has to notice when it is removed from a guild. With that intent, every session
// would begin with the channels, roles and threads of every guild and go on with
// each change to them: megabytes that nobody here needs and that would have to be
// kept safe. It would not even be enough, since GUILD_DELETE does not come while
// the bot is off. The list of guilds in READY, of all shards together, tells the same at
// the next session, and includes guilds that are in an outage. A session can last for
// weeks, since it is resumed, so [REST.Guilds] asks for the list in between. Either is
// only a hint: before anything is deleted, [REST.InGuild] must return false as well.
//
// discordgo's own log is switched off. It is one for the whole process and
// prints addresses with tokens in them.
package discord
