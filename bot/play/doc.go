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
package play
