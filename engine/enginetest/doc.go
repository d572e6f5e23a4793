// Package enginetest helps to test the engine and the packages that build on it. It
// has slow rules for comparison, generators of positions, drawn boards, and the
// verified cases of the folder engine/testdata.
//
// # Design
//
// [Reference] was written from the text of the rules with maps and slices. It shares
// only the names of squares and pieces with package engine: not its board, its
// columns, its moves or its text. It is obvious rather than fast, so when the two
// differ, suspect the engine.
//
// There are two layers of generators. [SetupFromBytes] and [PlayoutFromBytes] turn
// any bytes into something legal and serve fuzz targets; [Setups] and [Playouts]
// draw such bytes with rapid, which then shrinks them.
package enginetest
