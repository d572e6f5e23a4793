// Package gametext writes stored games as game text that people and other
// programs read, and reads such text back into records.
//
// # Design
//
// The format is that of package notation. What a record holds besides the moves
// stands in tags of its own (Game, WhiteUser, Channel, …), so that a file that
// was written here restores the games: players, place, times, and the message
// that shows each game. What waits for an answer is left out: challenges that
// are open, draw offers, requests to take back. Who restores games from text has
// lost the store; a copy of the store keeps these too.
//
// Reading trusts nothing: moves are replayed, and a record that the stores would
// refuse is an error that names the game and the line. Text of other programs
// lacks the tags and is refused, since nobody could go on with such a game.
package gametext
