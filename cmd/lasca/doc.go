// Command lasca is the rules, the player and the pictures of Lasca on the
// command line, for developers and for players.
//
//	lasca moves                      lists the legal moves, one per line, sorted by bytes
//	lasca apply MOVE...              plays moves and prints the position after them
//	lasca perft DEPTH                counts the sequences of 1 to DEPTH legal moves
//	lasca best                       finds the best move
//	lasca analyse FILE               says what each move of a game was worth
//	lasca render -o FILE.png         draws a position into a PNG file
//	lasca gallery -o DIR             draws every kind of picture in every theme, with an index page
//	lasca uci                        plays for other programs that speak UCI
//	lasca match                      plays a match between two players
//	lasca tune games -o FILE         plays games to learn from
//	lasca tune fit -o FILE GAMES...  learns the evaluation from games
//	lasca openings                   searches the openings that the highest levels choose from
//	lasca bench                      measures the speed of the search on fixed positions
//	lasca signature                  prints a number that changes when the search does
//	lasca version                    prints the version
//	lasca licences                   prints the licences of the libraries in this program
//	lasca help [COMMAND]             lists the commands, or explains one
//
// "lasca help COMMAND" lists a command's flags, which may stand before, between
// and after its arguments; what follows "--" is never a flag.
//
// Answers go to standard output. Exit status 2 means that something is wrong
// with what you asked, 1 that it failed or was interrupted; a line on standard
// error says what happened. Files are replaced in one step or not at all.
//
// # Design
//
// This package is wiring: it reads arguments, calls the packages that do the
// work, and prints. Each command is a value in a file of its own; package cli
// runs it and makes help and the list above from it. An error made by
// [cli.Refuse] has exit status 2, every other has 1.
package main
