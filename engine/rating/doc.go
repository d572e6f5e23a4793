// Package rating computes how strong players are from the results of their games, by
// Mark Glickman's system Glicko-2 (http://www.glicko.net/glicko/glicko2.pdf).
//
// # Design
//
// People and the machine's levels are on one scale, that of Elo: whoever is 200
// points stronger can expect 76% of the points.
//
// Glicko-2 is made for periods of many games. People here want to see what a game was
// worth when it ends, so every game is a period of its own. The uncertainty that each
// period adds is spread over time instead: a game adds as much of it as the share of
// a [Period] that has passed since the player's last game. So two games in an evening
// add none, and who does not play becomes uncertain again.
//
// A game changes both players from what they were before it. An opponent counts with
// the deviation that they have at that time ([Rating.After]).
//
// The levels are fixed points ([Level]): their strength was measured, and does not
// change. They keep the numbers of a server from drifting, and tie those of two
// servers together.
//
// Everything is pure: the same games in the same order give the same numbers.
package rating
