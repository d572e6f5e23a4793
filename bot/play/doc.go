// Package play is the application: it loads a game, decides, and saves it, for
// people and for the machine.
//
// # Design
//
// Decide, then save, then speak: no method returns a changed game before the
// store has it. Correctness is the store's compare-and-swap. A click carries the
// version that it was drawn for; when the stored one is another, nothing is
// applied and the caller gets [ErrStale] with the game as it is. A command that
// names no version is decided again when somebody else was faster.
//
// What is still to be done (the machine's move, a screen that is behind, a
// challenge that has lapsed) is never remembered in memory alone. [Service.Run]
// reads it from the store at the start and every half minute, and is poked after
// each save; it may be killed at any point, and the next start does the rest.
//
// A person's data is deleted game by game, after a note in the store that this is
// under way; whoever finds the note goes on. What a person does with an unfinished
// game then is what buttons do too, a resignation say, so that the opponent sees
// an end like any other. In a finished game the person is replaced by
// storage.Deleted without a new version: nothing has happened in it that a screen
// should show, and old buttons stay what they are. A game in which nobody is left
// who is known, as after each against the machine, is removed.
//
// Servers that the application was removed from are found by comparing those that
// Discord lists with those in the store, at each session and once a day, so that
// a removal is noticed which happened while the program did not run, and none is
// inferred from an event that an outage brings too. The time at which one was
// missed first is noted in the store. Any sign of the server takes the note back,
// and at the end of the time Discord is asked about this server once more.
package play
