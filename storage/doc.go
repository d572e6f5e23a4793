// Package storage defines how games are stored: the records, the [Store] interface
// and its errors. The stores are in the packages below it; all of them pass the
// contract tests in package storagetest.
//
// # Design
//
// Every change of a match is a compare-and-swap on its version, in one transaction.
// That alone makes double clicks, replayed events and concurrent writers harmless;
// locks elsewhere only avoid useless retries. What else a decision depends on (that a
// person has no other games, that nobody's data is being deleted) is a [Basis], which is
// checked in the transaction of the change.
//
// Records say who played. A person who wants to be forgotten is replaced by
// [Deleted] in finished games. A deleted player is stored like any other, so
// everything that reads records (checks, copies, game text) can read these too.
//
// What remains to be done for a game (the machine must act, the message on screen
// shows an older version, a challenge expires) follows from the record. A store
// indexes it in the same transaction that writes the record, so starting after a
// crash takes the same steps as running.
//
// Ratings and outcomes stand beside the records, since they outlive the games. [Store.Rate]
// writes them and marks the game as counted in one step, so a game counts exactly once,
// whoever tries again. A rating holds no other person's name, and an outcome's opponent
// is found by the outcome of the same game, so a person can be forgotten without
// searching everything.
//
// [Store] is the contract that every store meets. Code that needs only a few of its
// methods declares an interface with those.
package storage
