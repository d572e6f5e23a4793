// Package screen keeps the message that shows a game, its screen, up to date.
//
// # Design
//
// Whether a screen is behind follows from the store, so that a lost answer, a
// restart and the machine's move all end in the same place: [Keeper.Refresh]
// brings the message up to the newest version. A lock per screen orders the
// answer to a click before the refresh for what came after it, and several
// changes make one refresh.
//
// Changes that no click brings, such as the machine's move, edit the screen too:
// by the token of the newest interaction that it answers, which does not count
// against the limit on all of a bot's calls together; and, once the token has
// expired or is held up by a limit of its own, by the channel's route.
//
// An edit notifies nobody. When the person to act has not been seen for a few
// minutes the board is therefore posted again, with a mention that reaches them,
// and the old message loses its buttons. The same happens when the message is
// nearly an hour old, since Discord limits edits of messages older than that.
// [PostAgain] decides this.
//
// The package knows neither the bot nor the store: it works through the small
// interfaces [Games] and [Poster].
package screen
