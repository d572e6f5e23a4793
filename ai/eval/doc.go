// Package eval values positions of Lasca without looking ahead.
//
// # Design
//
// The value has two parts. Linear terms count what a column holds from its
// commander down, and on which class of square it stands. Each has one number
// for the full board and one for the bare board, interpolated by the number of
// columns. A small network ([Net]) judges how the columns stand to each other:
// every column adds a row of numbers, chosen by its owner, shape and square, to
// 64 sums in the mover's view and 64 in the other side's view. Terms for
// mobility, threats and the like were tried and left out: next to the network
// they lower the loss by only 0.0005 and cost a tenth of the speed.
//
// Both parts are updated move by move: a [State] follows from the one before by
// the few columns that the move changes. All arithmetic uses integers, so every
// machine computes the same value. Where the processor can, it handles 16 sums
// at once.
//
// Every ruleset has numbers of its own ([Set]): what a loaded column is worth
// depends on whether it can be jumped twice, and what a lead is worth depends on
// how many games are drawn (four in ten under the open rules, one in eight under
// Lasker's). Numbers fitted to the games of all rulesets lost to the same
// numbers fitted further to the games of one ruleset, by 90 to 130 Elo with
// equal positions per move.
//
// Package tune learns the numbers from games. They come with the program in
// kawu.bin, mindsports.bin and lasker.bin; weights.txt says how they were made.
// Decoding checks a file's whole header: magic, format, name of the feature
// set, count, and the checksum.
package eval
