// Package screen keeps the message that shows a game, its screen, up to date.
//
// # Design
//
// Whether a screen is behind follows from the store, so that a lost answer, a
// restart and the machine's move all end in the same place: [Keeper.Refresh]
// brings the message up to the newest version. Several changes make one refresh.
//
// What was sent last and what is recorded as shown are the same. Nobody sends to a
// screen without holding it ([Keeper.Lock]), and holds it until Discord has
// confirmed what was sent. A press that would have to wait for long is decided
// without it, and the screen is refreshed once it is free. A call whose answer is
// lost may come into effect after later ones ([Keeper.Unclear]): once that is over,
// the screen is written again. Until then the store has a time at which to do so
// (storage.Screen.Again), which survives the program.
//
// What the store could not be told at the time is recorded by whoever holds the screen
// next ([Games].Held), so that the game is not posted a second time. A program that has
// ended before that has left a message that nobody knows: the next run looks for it
// among the last ones of the channel, once for each game, where the bot may read them
// (adopt.go), and goes on there.
//
// What Discord refuses to show is never recorded as shown. It is tried again after
// pauses that grow from a minute to six hours, and whenever somebody uses the bot
// in the channel or anything happens in the game. The store lists such screens behind
// all others until the pause is over, so that they keep nobody waiting.
//
// Calls hang, by route or by channel. So each kind of route and each channel has
// places of its own (lanes.go), and who finds none steps aside for the others.
//
// Changes that no click brings, such as the machine's move, edit the screen too:
// by the token of the newest interaction that it answers, which does not count
// against the limit on all of a bot's calls together; and, once the token has
// expired, hangs or is held up by a limit of its own, by the channel's route.
//
// An edit notifies nobody. When the person to act has not been seen for a few
// minutes the board is therefore posted again, with a mention that reaches them,
// and the old message loses its buttons. The same happens when the message is
// nearly an hour old, since Discord limits edits of messages older than that.
// [PostAgain] decides this. Whoever has been told something by an edit alone, and has
// not been seen for as long since, is reminded by the board in a new message, once: the
// store lists those (storage.DueReminder). So it is with the other's turn, and with what
// nobody has to answer but one of the two has to know (storage.Record.Unaware): how a
// challenge was answered, that a game has begun, and how it ended. An old message ends
// with a link to the new one.
//
// A game that is to have a thread (storage.ThreadWanted) gets it here, since the thread is
// started from the message that shows the game: that message first, then the thread, then
// the record of it (Games.Moved), then the board in the thread, which mentions both
// players. Each step follows from the store and does no harm twice, so a kill may come
// between any two. If Discord does not start it, in five seconds, the game stays where it
// is, and the board says so once. Where a thread is gone when there is something to show,
// the game goes back to the channel. An archived thread is opened for that; a locked one
// is a refusal like any other. Some time after the end the thread is archived, once.
//
// The board stays in the game's place, where both players can read. What it shows
// there, and since when, is what the time for a move counts from (storage.Record.Told):
// anew when a message was deleted, which shows at the next edit of it.
//
// Where the bot is not (storage.Place.Outside), only the tokens of interactions change
// anything (outside.go). What they do not reach is dropped, not tried again.
//
// The package knows neither the bot nor the store: it works through the small
// interfaces [Games] and [Poster].
package screen
