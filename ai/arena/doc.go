// Package arena plays matches between players of Lasca and computes what the
// results are worth.
//
// # Design
//
// A [Player] is anything that chooses moves: a searcher, a level, chance, or
// another program that speaks the protocol of package uci. Every opening is
// played twice, with colours changed. Openings are random, but only those that a
// search finds about even are kept ([Openings]): an opening that is won for one
// side gives each player a point and tells nothing.
//
// How players open is part of their strength, and openings of eight plies hide it. A
// match from the start ([Starts]) measures that too: the levels' seeds vary the games.
//
// Another program may die, fall silent, flood its output or stop reading. Every word to
// it and from it has a deadline, also without a limit on time. A program that fails has
// lost the game and is started again for the next one.
//
// The unit of all statistics is the pair of games, since its two games share an
// opening and are not independent. Elo comes with a 95% range. A sequential test
// ([SPRT]) may end the match early; its bounds are part of the result.
//
// Games are played one at a time, so both players have the whole machine.
package arena
