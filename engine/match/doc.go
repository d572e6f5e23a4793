// Package match holds one contest between two seats as a pure state machine:
// the challenge and its answer, moves, draw offers, requests to take back,
// resignation and the other endings. It knows no clock, store or chat.
//
// # Design
//
// [Match.Apply] is the only way to change a [Match]. It never changes its
// receiver, so a caller may try a command, save the result by compare-and-swap
// on [Match.Version], and throw it away when somebody else was faster.
//
// The position is not stored; it follows from the start and the moves. Taking
// back is therefore dropping moves, never undoing them, and repetition counts and
// the 60-ply clock come right by themselves.
//
// A match may begin with any position, with either side to move and any move
// number ([Match.Start]). Whose move a ply is and which number it has are asked
// of [Match.Mover] and [Match.MoveNumber], never computed from an index.
//
// A request to take back names the ply that it goes back to. It cannot take
// back the wrong move when it is answered late.
//
// A proposed match and a running one are the same record in two phases, so that
// accepting, declining, withdrawing and expiring meet the same compare-and-swap
// as moves do.
package match
