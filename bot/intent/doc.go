// Package intent says what people can ask for, as plain values, and writes
// those that stand behind a button as the button's custom ID.
//
// # Design
//
// Nothing about a half-made move is kept anywhere: the squares chosen so far
// are in the custom IDs of the next buttons, together with the game and the
// version of the game that they were drawn for. A button therefore works after
// a restart, and one that was drawn for an older position is recognised.
//
// A custom ID is "<format><kind>" followed by its fields, separated by dots, all
// in ASCII. Squares are single letters, a for a1 to y for g7, so that the longest
// one stays far below Discord's limit of 100. The format number changes when the
// meaning of a field does; an ID of another format is [ErrOutdated], never
// guessed at.
package intent
