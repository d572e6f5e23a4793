// Package memstore keeps games in memory, for tests and for programs that may
// forget them when they end.
//
// # Design
//
// There is one map under one lock and no index: a list looks at every game. With
// thousands of games this is slower than the store on disk, but it is so simple
// that the contract tests use it as a second opinion.
package memstore
