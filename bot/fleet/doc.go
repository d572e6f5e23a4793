// Package fleet divides the shards of the bot among equal processes that share a store.
//
// # Design
//
// Nobody leads. Each process has a lease that says that it lives, and one for each shard
// that it runs (storage.Fleet), all for fifteen seconds by the store's clock and renewed
// every two. Every process sees the same list of leases and works out the same shares:
// the shards divided by the processes, one more for the first ones by name. Who has more
// than its share ends the sessions of the rest and frees their leases; who has less takes
// what is free. So processes may come and go in any order, and a process that has stopped
// in good order frees what it has at once.
//
// A process that dies or freezes renews nothing. Its leases run out, and whoever has less
// than its share, which then is everybody else, waits for that moment and takes them. The
// holder counts from before it asked, by its own monotonic clock, and is sure of what it
// has for two thirds of the term only (Member.Sure): it has stopped counting on a lease
// before anybody else can have it.
//
// A lease that nobody can renew, since the store does not answer, ends no session. A
// session costs Discord's permission to start one, and two sessions of a shard do no harm:
// both get its interactions, and who answers is decided for each by itself. When the
// store answers again, it tells who has the shard, and the other ends its session. A
// frozen process that wakes learns that first.
//
// # Who answers an interaction
//
// Whoever claims its ID in the store first. The claim names its owner, so a process whose
// claim had an unknown outcome asks again and learns whether the ID is its own, for as long
// as Discord would still take an answer. While it does not know, it decides nothing. When
// the time is over, a process that is sure of the shard may tell the person that the store
// does not answer; nobody else has the shard then. Any other is silent.
//
// # Who brings boards up to date
//
// Whoever is sure of the shard of a game's server; direct messages belong to the first.
// Discord cannot be asked to refuse the edits of a process that was frozen in the midst of
// one, so edits converge: who has sent a board looks afterwards whether the game has gone on
// meanwhile, and shows it again if so. For a while after a process has taken a shard, what it
// shows is written a second time, since a request of the one before may still be under way.
//
// # How many shards there are
//
// Unless the operator says it, all processes have as many as the one that has most, and
// start anew when one comes with more. Processes to which different numbers were given, as
// while one number is replaced by another, do not share: each number is served by those that
// have it, and the claims keep an interaction from being answered twice.
package fleet
