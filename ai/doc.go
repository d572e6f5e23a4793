// Package ai plays Lasca: it searches for the best move, plays at levels made
// for people, and tells what it found in numbers that others can put into
// words.
//
// # Design
//
// A [Task] is a question, a [Report] the answer, and a [Searcher] the memory
// that is worth keeping between questions. Reports hold no words: scores are
// winning chances or proven results, and what is wrong with a move is a [Flaw]
// and a [Tally].
//
// The search is a principal variation search with a transposition table.
// Captures are compulsory, so they are played to their end before a position is
// valued, and a single legal move costs no depth. Being out of moves loses:
// passing is never assumed to be bad, and pruning keeps away from positions
// with few moves. Set-ups of three pieces and fewer are searched without any
// pruning, which makes their play exact.
//
// Repetition looks at the whole game, since positions can recur with captures
// in between. A score that comes from a repetition or from the 60 plies holds
// for one path only, and is never stored in the table.
//
// Levels are bounded by positions looked at. Weak ones err like people: they
// overlook long, backward and freeing jumps, count pieces, and see few plies
// ahead. What they overlook depends on the seed and the position, not on dice.
package ai
