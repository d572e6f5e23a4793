// Package arena lets players of Lasca play matches and says what the result is
// worth.
//
// # Design
//
// A [Player] is anything that chooses moves: a searcher, a level, chance, or
// another program that speaks the protocol of package uci. Every opening is
// played twice with colours changed. Openings are random and then kept only
// when a search finds them about even ([Openings]): an opening that is won for
// one side yields one point each and tells nothing.
//
// The unit of all statistics is the pair of games, since its two games share
// an opening and are not independent. Elo comes with a 95 % range, and a
// sequential test ([SPRT]) may end the match early; its bounds are part of the
// result.
//
// One game is played at a time: both players then have the same machine.
package arena
