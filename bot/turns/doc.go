// Package turns thinks for the machine: a bounded pool of searchers that serves
// servers in rotation.
//
// # Design
//
// Shares (servers, or people in direct messages) take turns, as package localjobs
// describes. Moves of the machine come from jobs (storage.Jobs), a few at a time; hints
// and reviews come from people who wait for them, and stand in the same rotation. A
// level searches a number of positions, not a time, so that a full pool makes answers
// later, never weaker.
package turns
