// Package notation turns positions, moves and games into text and back.
//
// Output has one form: squares such as c3, full paths such as c3xe5xg7, positions
// from rank 7 down, games with tag pairs and numbered moves. Input is forgiving
// where people type, and every refusal says what is wrong in a form that a program
// can put into another language.
//
// # Design
//
// A refusal is a value with a kind and the facts ([MoveError], [PositionError],
// [GameError]). Its Error method gives an English sentence for logs and tools. A
// user interface in several languages looks at the kind and the facts instead, and
// may offer the squares and moves in it as buttons.
//
// [FindMove] never guesses: it first reads squares, whatever stands between them,
// and then looks for the legal moves that the squares describe. A text that
// describes exactly one legal move is that move; everything else is refused.
//
// All readers limit what they read, so that text from strangers cannot tie up
// memory or time.
package notation
