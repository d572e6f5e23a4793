// Package boltstore keeps games in one bbolt file, which only one process at a time
// can have open.
//
// # Design
//
// A save returns after one fsync. Saves that arrive while another is being written
// share the next transaction, so a slow disk limits how fast a save is, not how
// many there can be. bbolt's own Batch is not used: it delays a single writer, and
// the person who moved is waiting. NoSync is never used.
//
// The buckets:
//
//	meta      "schema" → the number of migrations done, in digits
//	games     match ID → record
//	settings  key → settings
//	state     key → a note of the program for its next run
//	due …     time, match ID → nothing; one bucket for each kind of work
//	user      person, time, match ID → nothing; unfinished games only
//	channel   channel, time, match ID → nothing; unfinished games only
//
// A value is one byte for its form, followed by JSON: people can read what is
// stored, and a field can be added without rewriting old values. The keys of the
// indexes follow from the record alone ([indexKeys]), so a change removes the keys
// of the old record and adds those of the new one, and Check can compare indexes
// with records.
//
// There is no index of finished games by person or server. They are rarely asked
// for, so the undecoded values are searched for the name, which takes a fraction of
// a second for a hundred thousand games. An index would have to be written with
// every game, and would be one more place from which to remove people.
//
// Deleted data leaves the tree at once, and no call finds it any more. Its bytes
// remain in free pages until those are used again, also in copies, which are whole
// files.
//
// On damaged pages bbolt panics or, since it maps the file, causes memory faults.
// Every transaction therefore runs in [protect], which turns both into
// storage.ErrDamaged. After a panic during a write nothing more is written, since
// memory and disk may no longer agree. Open scans every page in use without
// trusting it ([scan]) and runs bbolt's own check, so that damage shows at the start
// and not in the middle of a game. A damaged record in an intact file affects only
// its own game.
//
// A write that fails for another reason (a full, read-only or failing disk) leaves
// the file as it was and returns storage.ErrNotWritten. The next write is attempted
// as usual.
//
// Copies are whole files, so putting one back ([Restore]) does not need a program
// that can read them. [Copies] keeps the latest few copies of one file in a folder.
// Files that root creates, as an operator may, get the owner of their folder: the
// bot runs as another user and must be able to read them.
package boltstore
