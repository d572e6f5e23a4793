// Package tune learns the numbers of the evaluation from games that the program
// plays against itself.
//
// # Design
//
// [Generate] plays games with few positions a move and writes them as lines of
// JSON: readable, and good for any later idea of what to learn from. Besides
// the game itself it records branches, positions a few moves by lot away from
// it, because a search meets such positions far more often than sensible ones:
// an evaluation that has only seen good play misjudges what a search tries.
//
// [Samples] keeps what the evaluation sees of each position and two targets:
// the game's result and what the search thought. [Fit] mixes them and lowers
// the cross-entropy with Adam, the linear terms and the network together. The
// result keeps the search from teaching only what it believes already; how much
// it should count hardly matters between a twentieth and a half. What matters is
// that the games are of one ruleset, and that the last of them were played with the
// numbers to be bettered: a round of ten thousand games gained some 50 Elo, three
// rounds on end.
//
// Everything is repeatable by its seed. A lower loss is no proof of strength;
// only a match (package arena) is.
package tune
