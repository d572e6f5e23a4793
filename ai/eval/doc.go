// Package eval values positions of Lasca without looking ahead.
//
// # Design
//
// The value is a sum of terms, each with one number for the full and one for
// the bare board, interpolated by the number of columns. What depends on one
// column alone (its pieces from the commander down, and its square) is kept up
// to date with the moves in a [State]; what depends on how the columns stand to
// each other is counted with shifts of masks when a value is asked for.
//
// The numbers are learnt from games (package tune) and come with the program
// in weights.bin; weights.txt beside it says what made them. The file's header
// is checked in full: magic, format, name of the feature set, count, checksum.
package eval
