// Command lasca is the rules, the player and the pictures of Lasca on the
// command line, for developers and for players.
//
//	lasca moves      lists the legal moves of a position
//	lasca apply      plays moves and prints the position after them
//	lasca perft      counts the sequences of legal moves
//	lasca best       looks for the best move
//	lasca analyse    goes through games and says what each move was worth
//	lasca render     draws a position into a PNG file
//	lasca gallery    draws every kind of picture, with a page to look at them
//	lasca uci        plays for other programs, by lines of text
//	lasca match      lets two players play a match
//	lasca tune       makes training games and learns the evaluation from them
//	lasca bench      measures the speed of the search
//	lasca signature  prints a number that changes when the search does
//	lasca version    says which version this is
//	lasca help       explains a command
//
// "lasca help COMMAND" lists a command's flags, which may stand before, between
// and after its arguments; what follows "--" is never a flag.
//
// Answers go to standard output. Exit status 2 means that something is wrong
// with what was asked, 1 that it failed or was interrupted; either is told in
// one line on standard error. Files are replaced in one step or not at all.
//
// # Design
//
// This package is wiring: it reads arguments, calls the packages that know, and
// prints. One file holds one command, a value of type command whose setup
// declares the flags and returns what runs; [run] is the program as a function,
// so that tests start it with arguments and output of their own. What goes wrong
// is returned as an error, and the type [badInput] alone decides between the
// exit statuses.
package main
