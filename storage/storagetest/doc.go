// Package storagetest has the contract of [storage.Store] as tests, which every store
// runs.
//
// # Design
//
// The tests only use the interface of a store, and make their matches as the program
// does: with match.Start and match.Match.Apply. [Run] is for every store,
// [RunReopen] for those that keep their content over a restart.
package storagetest
