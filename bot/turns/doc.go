// Package turns thinks for the machine: a bounded pool of searchers that serves
// servers in rotation.
//
// # Design
//
// Each share (a server, or a person in direct messages) has a first-in,
// first-out queue, and the shares stand in a ring. A worker takes one job from
// the share at the front and moves the share to the back, so that a thousand
// games on one server delay another server's game by one search at most per
// worker. A level searches a number of positions, not a time, so that a full
// pool makes answers later, never weaker.
//
// Queues are bounded. A job that does not fit is not lost: the store lists what
// the machine has to do, and whoever submits jobs from there tries again.
package turns
