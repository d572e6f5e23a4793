// Package engine holds the rules of Lasca: squares, columns, positions, legal
// moves and the end of a game. It imports only the standard library and knows
// nothing of text formats beyond square names, of players, or of chat.
//
// # Terms
//
// A column is one piece or more on one square. Its top piece is the commander:
// its colour owns the column and its rank (soldier or officer) says how the
// column moves. Pieces of the other colour below are prisoners. A ply is one
// move of one side. A path is the list of squares on which the moving column
// stands during a move, from the first to the last; a move is its path.
//
// # Design
//
// A [Setup] is any arrangement; [Setup.Position] checks it once and a
// [Position] is legal from then on. [Position.Play] checks the move,
// [Position.MakeUnchecked] does not and is for search.
//
// The 25 squares lie in a padded board of 31 bits: ranks of four and three
// squares with one ghost bit after each rank. Every diagonal step is then ±4 or
// ±5 and every jump ±8 or ±10, on every square, and a step off the board lands
// on a ghost or beyond bit 30, so that masks replace all edge tests.
//
// What the masks say is seen from the side to move, with the direction of its
// soldiers as a mask too, so that no rule is written down twice, for White and for
// Black. A soldier's jumps always lie ahead of those it has made; its captures
// are therefore found from the masks at the beginning, and only an officer's need
// a look into the columns jumped.
//
// A [Stack] is one word: two bits a piece from the commander down and a
// sentinel bit above the lowest piece. Taking the commander off is a shift by
// two; putting a prisoner under the column adds one number.
//
// A [Move] is one word too: five bits a square and four bits of length. It can
// be compared, used as a map key and kept in tables without allocation.
//
// The hash is the exclusive or, over the occupied squares, of a mixed (square,
// stack) pair. It needs no tables and a move changes few terms of it. It does
// not include the clock, the move number or the rules.
//
// [Perft] plays with code of its own that takes back each move instead of copying
// positions. The tests hold it, the lists of moves, and slow rules written apart
// (package enginetest) against each other.
//
// Draws by repetition need the whole game, not a position: [Game] keeps it.
package engine
