// Package engine holds the rules of Lasca: squares, columns, positions, legal
// moves and the end of a game. It imports only the standard library and knows
// nothing of text formats beyond square names, of players, or of chat.
//
// # Terms
//
// A column is one or more pieces on one square. Its top piece is the commander:
// the commander's colour owns the column, and its rank (soldier or officer) says
// how the column moves. Pieces of the other colour below it are prisoners. A ply
// is one move of one side. A path lists the squares on which the moving column
// stands during a move, from the first to the last; a move is its path.
//
// # Design
//
// A [Setup] is any arrangement of columns. [Setup.Position] checks it once, and a
// [Position] is legal from then on. [Position.Play] checks the move;
// [Position.MakeUnchecked] does not and is meant for search.
//
// The 25 squares lie on a padded board of 31 bits: ranks of four and three
// squares with one ghost bit after each rank. Every diagonal step is then ±4 or
// ±5 and every jump ±8 or ±10, on every square, and a step off the board lands
// on a ghost or beyond bit 30, so masks replace all edge tests.
//
// The masks are read from the point of view of the side to move, and the
// direction of its soldiers is a mask too, so no rule is written twice, once for
// each colour. A soldier's next jump always lies ahead of those it has made, so
// the masks at the start of a move are enough to find its captures. Only the
// captures of officers need a look into the columns jumped.
//
// A [Stack] is one word: two bits per piece from the commander down, and a
// sentinel bit above the lowest piece. Removing the commander is a shift by two;
// putting a prisoner under the column is one addition.
//
// A [Move] is one word too: five bits per square and four bits of length. It can
// be compared, used as a map key and kept in tables without allocation.
//
// The hash is the exclusive or of one mixed (square, stack) pair per occupied
// square. It needs no tables, and a move changes only a few terms. It does not
// include the clock, the move number or the rules.
//
// [Perft] has its own code, which takes back each move instead of copying
// positions. The tests compare it, the lists of moves, and slow rules written
// independently (package enginetest) with each other.
//
// Draws by repetition depend on the whole game, not on a position: [Game] keeps
// what they need.
package engine
