// Package match is one game between two seats as a pure state machine: the
// challenge and its answer, moves, draw offers, requests to take back, resignation
// and the other endings. It knows nothing of clocks, stores or chat.
//
// # Design
//
// [Match.Apply] is the only way to change a [Match]. It never changes its
// receiver, so a caller may try a command, save the result by compare-and-swap on
// the match's version, and throw it away when somebody else was faster.
//
// The position is not stored; it follows from the start and the moves. Taking back
// therefore drops moves instead of undoing them, and repetition counts and the
// 60-ply clock are right without further work.
//
// A match may start from any position that can be played, with either side to move
// and any move number. So nobody computes from an index which side makes a move
// and what number it has: [Match.Mover] and [Match.MoveNumber] say so.
//
// A request to take back names the ply that it goes back to, so that a late answer
// cannot take back the wrong move. Against the machine it skips moves without a
// choice, which would come again by themselves.
//
// Time is not counted here: [Match.Deadline] says when it is up, given what only others
// know, and nothing happens then unless the opponent claims the game.
//
// A challenge and a running game are the same record in two phases, so that
// accepting, declining, withdrawing and expiring go through the same
// compare-and-swap as moves.
package match
