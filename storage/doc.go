// Package storage says how games are kept: the records, the [Store] interface
// and its errors. The stores are in the packages below it; all pass the
// contract in package storagetest.
//
// # Design
//
// Every change of a match is a compare-and-swap on its version, in one
// transaction. That alone makes double clicks, replayed events and two writers
// harmless; locks elsewhere only save useless retries.
//
// Records hold who played. A person who wants to be forgotten is replaced by
// [Deleted] in finished games, in the form in which any player is stored, so that
// everything that reads records (checks, copies, game text) reads these as well.
//
// What is still to be done for a game (the machine has to act, the message
// behind the channel's screen shows an older version, a challenge lapses)
// follows from the record. A store keeps indexes of it, written in the same
// transaction as the record, so that starting after a crash is the same work as
// running.
package storage
