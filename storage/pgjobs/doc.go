// Package pgjobs hands out jobs to all processes that share a PostgreSQL database.
//
// # Design
//
// River keeps the jobs in the database of the games, so that a move and the jobs that
// follow from it are committed together (pgstore.Store.OnSave). A job names the game's
// version: a unique job that is being done would otherwise swallow the next one.
//
// There are two kinds, those that people gain from. Thinking is heavy, and any process can
// do it, also one that does not talk to Discord (lascabot worker). Showing follows from a
// move that was made by a process which cannot show it; the job goes to the process that
// has answered the last press in the game, as that one may edit the board by the press's
// token, which costs nothing of Discord's budget. Whoever else shows boards takes it after
// a moment (shownBy).
//
// All else stays what it is: reminders, clocks, challenges that lapse, results to be
// counted and games to be removed stand in the games' rows, with an index each. Most of
// these are due at a time that the next move changes, so each move would cancel a job and
// add one. Deletions of people and servers are notes in the store that whoever finds them
// goes on with; a review is for one person who waits for it, in the process that answers.
//
// Nothing correct depends on River's leader, its rescuer or notifications. A job that has
// been under way for longer than thinking takes (stuckAfter) is handed out again by
// whichever process sees it first, so a killed process costs its games some seconds. Where
// the machine has to move and there is no job at all, package play adds one. That two
// think about the same is harmless, as only one of them can save.
//
// Shares take turns roughly: a job's priority is the lower, the more jobs its share has
// had lately from the same process (fair.go).
//
// Figures of two cores that the database, the worker and other programs shared, from
// "go test -run '^$' -bench Worker ./bot": from a change to the machine's move p50 9 ms, p99
// 20 to 30 ms; a backlog shrinks by 210 moves a second and worker; 16 clients make 1,100
// changes a second with a job and 2,400 without. After kill -9 of a worker with jobs under
// way all its games have gone on and are shown after 4.3 s ("go test -run AKilledWorker -v
// ./cmd/lascabot").
//
// Finished jobs are kept for a minute: at River's default of a day, 20,000 of them take
// 29 MB. Behind a PgBouncer River only polls.
package pgjobs
