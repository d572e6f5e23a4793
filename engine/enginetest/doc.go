// Package enginetest helps to test the engine and what is built on it: slow
// rules to compare with, generators of positions, drawn boards, and the
// verified cases of folder engine/testdata.
//
// # Design
//
// [Reference] was written from the text of the rules with maps and slices, and
// shares nothing with package engine but the names of squares and pieces: not
// its board, its columns, its moves, its text. It is obvious rather than fast, so
// that where the two differ the engine is the suspect.
//
// Generators come in two layers. [SetupFromBytes] and [PlayoutFromBytes] turn any
// bytes into something legal and serve fuzz targets; [Setups] and [Playouts] draw
// such bytes for rapid, which then shrinks them.
package enginetest
