// Package gametext writes stored games as game text, which people and other
// programs can read, and reads such text back into records.
//
// # Design
//
// The format is that of package notation. What a record holds besides the start
// and the moves is in tags of its own (Game, WhiteUser, Channel, …), so a file that
// was written here restores the games: the players, the place, the times, and the
// message that shows each game. Whatever waits for an answer is left out: open
// challenges, draw offers, requests to take back. Text is the last resort of
// somebody who has lost the store; a copy of the store keeps these too.
//
// Reading trusts nothing: the moves are replayed, and a record that the stores
// would refuse is an error that names the game and the line. Text by other programs
// lacks the tags and is refused, since nobody could continue such a game.
package gametext
