// Package bot connects Discord with the game: it answers each interaction in
// time. It is wiring; the rooms around it do the work.
//
// # Design
//
// A click passes discord (an interaction becomes a request with an intent), bot
// (the intent's row names its handler), play (which decides, by the rules in match,
// and saves), view (what people see) and discord again, and comes back to no
// room that it has left.
//
// Before its handler runs, a command that names no game gets the one that it means
// (which.go), so that every handler knows its game and holds its screen.
//
// A handler returns its answer as a value (answer in serve.go); one place sends
// it (deliver.go). serve keeps Discord's deadline: when a handler has not answered
// after a second and a half, the interaction is deferred and the answer follows
// as an edit.
//
// The message that shows a game is its screen, which package screen keeps up to
// date. A click is answered by editing the screen, while the click holds the
// screen's lock until Discord has confirmed the answer. A click that does not get
// the lock soon is decided all the same, and the screen follows by a refresh; only
// a choice, which is not stored, waits on. A deferred answer is tried several times,
// or the message would go on thinking.
//
// Old interactions are not dropped by age: the age is by Discord's clock, and
// ours may be wrong by more than the three seconds that count. The version in
// each button makes a late click harmless. Only those that come late because the
// connection was lost are: people have been told long ago that they failed.
//
// The interaction says what the bot may do in its channel. Without Attach Files,
// boards are in letters and game texts in the message; what is nothing but a file is
// refused before any work, with the permission's name.
//
// Nobody waits long for a disk that hangs: the store that everything here goes by
// (metrics.Store) gives a call up after ten seconds, and begins none that would hang
// too. So every handler ends, with a sentence that says whether nothing was done or
// that this is not known. How a person likes boards is not waited for (lookTime).
//
// Where the bot may not post, it answers and edits; whoever starts a game is told so
// once.
//
// Where the bot is not (outside.go), in direct messages among people and on servers that
// have not added it, somebody has installed the application for themselves, and there are
// only answers to interactions. A game's place says so (storage.Place.Outside): the board
// follows the presses, each answered in the message that it is on, and the tokens of the
// newest ones bring what comes later. A press on a board that shows too little shows what
// there is. Nothing is posted there, and nobody reminded. Where Discord shows an answer to
// the person alone, the board is a private copy, and no challenge is made: known by the
// person's permissions beforehand, or by what Discord says of the answer. A server without
// the bot is none as far as ratings, settings and the purge of data are concerned.
//
// Nobody waits for one person who asks a lot: the intake gives each a share of its
// places, and slow answers, the drawing of files and boards that are posted in a
// channel on command are bounded (slow.go). Times are Discord's (discord.REST.Now),
// since people and messages go by its clock.
//
// Private messages do not bury the board: a person has one for each game, which the
// next one replaces and which goes when they act (privates.go). Only this memory
// holds them; what a press on one has done is said in it and goes by itself.
//
// A private copy of a board, which people get elsewhere than where the game is
// played, on their way through the games that wait for them, and when they only watch
// (watch.go), follows the game (copies.go): whatever refreshes a screen has its copies
// edited by their tokens, one edit of a copy at a time and none while a press on it is
// answered. A person has one copy of a game. How many other games wait for them stands
// on it as of its newest edit.
//
// What people ask about their own data is answered privately. Boards of finished
// games are not edited when somebody's data is deleted: there may be hundreds, in
// channels where Discord limits edits of old messages, and the answer says that
// messages stay.
//
// # To add a command
//
//  1. Its type in bot/intent/intent.go and, if a button asks for it too, its row
//     in codes below.
//  2. Its row in rows of bot/answers.go, which names its handler and says whether
//     it is slow, public, and whether it makes or changes a screen. The handler
//     stands in games.go or people.go, or in a file of its own.
//  3. What it decides, as a method of play.Service.
//  4. What people see, as a function of package view.
//  5. Its sentences: a key in bot/i18n (keys.go, errorkeys.go), a text in each file of
//     bot/i18n/locales.
//  6. Its row in bot/discord/commands.go, unless only buttons ask for it.
//
// Tests fail when an intent has no row, a button's ID does not come back as the
// same intent, a key or an error has no sentence, or a command has no text.
package bot
