// Package ai plays Lasca. It searches for the best move, plays at levels made
// for people, and reports what it found in numbers that other packages put into
// words.
//
// # Design
//
// A [Task] is a question, a [Report] the answer, and a [Searcher] the memory
// worth keeping between questions. Reports contain no text: a [Score] is an
// estimate or a proven result, and a [Tally] counts what a line wins and loses.
//
// The search is a principal variation search with aspiration windows and a
// transposition table. A node passes through stages, each a function of its
// own: is the game over, does the table know the result, does the static value
// settle it, in which order are the moves tried, which are extended, which are
// reduced. At the leaves a quiescence search plays captures to their end.
// Captures are compulsory, so no side may stop earlier (stand pat), and a single
// legal move costs no depth. A side without moves loses. The search therefore
// never assumes that passing would be bad, and does not cut where few moves are
// left. Set-ups of three pieces or fewer are searched without any pruning, which
// makes their play exact.
//
// Repetition looks at the whole game, since positions can recur with captures
// in between. A score that comes from a repetition or from the 60 plies without
// progress holds for one path only, so the table never stores it.
//
// A limit on positions, not on time, bounds the levels. Weak levels err like
// people: they overlook long, backward and freeing jumps, count pieces, and see
// few plies ahead. What they overlook depends only on the seed and the position.
//
// Games of one level begin in different ways. Levels 1 to 6 choose among the first
// moves that they think about as good as the best. A search of a level's size cannot
// tell that well enough for levels 7 and 8: they choose only from openings.txt, a list
// of openings and of moves at most 15 points worse than the best, which [SearchOpenings]
// made with a hundred times the positions of level 8. Elsewhere they play the best move
// that they find.
package ai
