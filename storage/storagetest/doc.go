// Package storagetest is the contract of [storage.Store] as tests. Every store
// runs them.
//
// # Design
//
// The tests see a store through its interface only, and make their matches as
// the program does: with match.Start and match.Match.Apply. [Run] holds for
// every store, [RunReopen] for those that keep what they have over a restart.
package storagetest
