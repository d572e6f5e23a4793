// Package eval values positions of Lasca without looking ahead.
//
// # Design
//
// The value has two parts. Linear terms count what a column holds from its
// commander down and on which kind of square it stands, with one number for the
// full and one for the bare board, interpolated by the number of columns. A
// small network ([Net]) judges how the columns stand to each other: every
// column adds a row of numbers chosen by its owner, shape and square, to 64
// sums from the mover's and 64 from the other side's look. Terms for mobility,
// threats and the like were tried and left out: beside the network they lower the
// loss by 0.0005 only and cost a tenth of the speed.
//
// Both parts change with the moves: a [State] is brought from one position to
// the next by the few columns that a move touches. All arithmetic is in whole
// numbers, so that every machine computes the same; where the processor has the
// instructions, 16 sums are handled at once.
//
// Every ruleset has numbers of its own ([Set]): what a loaded column is worth
// hangs on whether it can be jumped twice, and how a lead is to be valued hangs on
// how many games are drawn (four in ten under the open rules, one in eight under
// Lasker's). Numbers fitted to the games of all rulesets together lost to
// those fitted on, from there, to the games of one, by 90 to 130 Elo at equal
// positions a move.
//
// The numbers are learnt from games (package tune) and come with the program
// in kawu.bin, mindsports.bin and lasker.bin; weights.txt beside them says what
// made them. A file's header is checked in full: magic, format, name of the
// feature set, count, checksum.
package eval
