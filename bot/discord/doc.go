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
// There is one slash command, /lasca, and everything typed stands below it, so
// that a server's list shows the program once. What concerns a person's own data
// is a group there, /lasca privacy show, export and delete, not a command
// /privacy: that name belongs to whichever bot of a server comes first, and people
// would not know whose data it is about. Discord allows groups beside subcommands,
// one level deep.
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
// The gateway asks for no intent, not even that for guilds, though it is to be
// noticed when the bot is removed from one. With it, every session would begin
// with the channels, roles and threads of every guild, and go on with each change
// to them: megabytes of what nobody here needs, and what is not received need not
// be kept safe. Nor would it be enough, since GUILD_DELETE does not come while the
// bot is off. The list of guilds in READY tells the same at the next session, and
// names guilds that are in an outage like all others. It is a hint only: before
// anything is deleted, [REST.InGuild] has to say no as well.
//
// discordgo's own log is switched off: it is one for the whole process and
// prints addresses with tokens in them.
package discord
