// Package boltstore keeps games in one bbolt file, which one process at a time
// has open.
//
// # Design
//
// A save returns after one fsync. Saves that come while another is on its way to
// the disk share the next transaction, so that a slow disk bounds the time of a
// save and not their number. bbolt's own Batch is not used: it delays a lonely
// writer, and the person who moved is waiting. NoSync is never used.
//
// The buckets:
//
//	meta      "schema" → the number of migrations done, in digits
//	games     match ID → record
//	settings  key → settings
//	state     key → what the program notes for its next run
//	due …     time, match ID → nothing; one bucket for each kind of work
//	user      person, time, match ID → nothing; unfinished games only
//	channel   channel, time, match ID → nothing; unfinished games only
//
// A value is one byte that tells its form, then JSON: what is stored can be read
// by hand, and a field may be added without touching what is there. The keys of
// the indexes follow from the record alone ([indexKeys]), so that a change
// removes the old record's keys, adds the new one's, and Check can compare both
// sides.
//
// There is no index of finished games by person or server. Few ask for them, so
// the values are searched for the name, without being decoded, which takes a
// fraction of a second for a hundred thousand games. An index would be written
// with every game, and would be one more place to forget somebody in.
//
// What is deleted is out of the tree at once and no call finds it any more. Its
// bytes stay in free pages until these are used again, also in copies, which are
// whole files.
//
// bbolt answers damaged pages with panics and, as it maps the file, with memory
// faults. Every transaction therefore runs in [protect], which turns both into
// storage.ErrDamaged. After a panic inside a write nothing more is written: what
// is in memory may no longer be what is on disk. Open scans every page that is in
// use without trusting it ([scan]) and runs bbolt's own check, so that damage is
// met at the start and not in the middle of a game. A damaged record in a sound
// file concerns that game only.
//
// A write that fails for another reason (a full, read-only or failing disk)
// leaves the file as it was; it becomes storage.ErrNotWritten, and the next write
// is tried as if nothing had been.
//
// Copies are whole files, so that putting one back ([Restore]) needs no program
// that reads them. What root writes, as an operator may, belongs to the owner of
// the folder: the bot runs as somebody else and has to read it. [Copies] keeps the newest few of one file in a folder.
package boltstore
