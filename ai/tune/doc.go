// Package tune learns the numbers of the evaluation from games that the program
// plays against itself.
//
// # Design
//
// [Generate] plays games with few positions per move and writes them as lines of
// JSON, which are readable and keep everything that later ideas may learn from.
// Besides each game it records branches: positions a few random moves away from
// the game. A search meets such positions far more often than sensible ones, and
// an evaluation that has seen only good play misjudges them.
//
// [Samples] holds what the evaluation sees in each position and two targets: the
// game's result and the search's opinion. [Fit] mixes the targets and lowers the
// cross-entropy with Adam, for the linear terms and the network together. The
// result keeps the search from teaching only what it already believes; how much
// it counts hardly matters between a twentieth and a half. What matters is that
// all games are of one ruleset, and that the latest were played with the numbers
// to be improved: a round of ten thousand games gained some 50 Elo, three times
// in a row.
//
// Everything is repeatable from its seed. A lower loss does not prove better
// play; only a match does (package arena).
package tune
