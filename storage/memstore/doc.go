// Package memstore keeps games in memory, for tests and for programs that may
// forget them at their end.
//
// # Design
//
// One map under one lock, no indexes: a list looks at every game. That is slower
// than the store on disk once there are thousands of games, and so plain that it
// serves the contract tests as the second opinion.
package memstore
