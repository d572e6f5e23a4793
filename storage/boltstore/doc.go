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
//	meta      "schema" → the number of migrations done, in digits; "seal" → the same
//	games     match ID → record
//	settings  key → settings
//	state     key → a note of the program for its next run
//	rating    scope, person → rating
//	ranking   scope, rating, person → nothing, the highest first
//	outcome   person, time, match ID → a rated game as the person finished it
//	due …     time, match ID → nothing; one bucket for each kind of work
//	user      person, time, match ID → nothing; unfinished games only
//	channel   channel, time, match ID → nothing; unfinished games only
//
// Values have the form of package stored: JSON with a checksum. bbolt gives a checksum to
// its two roots only. What else a page holds follows from its content: elements lie
// without gaps and in order, a branch's key is the first one below it, every page belongs
// to one place, and behind the last value there are zeros. Check requires all of that, so
// no byte of a page in use can change unnoticed. Indexes have keys without values; they
// follow from the records alone ([indexKeys]), the ranking from the ratings, so a
// change removes the keys of the old record and adds those of the new one, and Check
// compares them with the records. The bytes of pages that are not in use are read by
// nobody. Copies have zeros there, which Check requires too: of a copy it notices
// every change.
//
// The schema number stays plain digits, so that older programs can say that a file is
// too new; a sealed value beside it protects it. The migration to checksums rewrites a
// thousand games in each transaction and raises the number in the last: after a kill
// it goes on. Until then, and in older files that are only looked at, values without
// a checksum are read. Opened read-only, a file stays as it is.
//
// There is no index of finished games by person or server. They are rarely asked
// for, so the undecoded values are searched for the name, which takes a fraction of
// a second for a hundred thousand games. An index would have to be written with
// every game, and would be one more place from which to remove people.
//
// Deleted data leaves the tree at once, and no call finds it any more. Its bytes
// remain in free pages until those are used again, but not in copies.
//
// On damaged pages bbolt panics or, since it maps the file, causes memory faults.
// Every transaction therefore runs in [protect], which turns both into
// storage.ErrBroken. After that nothing more is written, since memory and disk may no
// longer agree, and the owner of the store is told to stop ([Options]). So it is when
// another program has written to the file, which shows in the number of the latest
// transaction. Open scans every page in use without trusting it ([scan]), so that
// damage shows at the start and not in the middle of a game. A damaged record in an
// intact file is storage.ErrDamaged and affects only its own game.
//
// A file that is deleted, moved or replaced stays open, and writing to it seems to
// work until the process ends. So before each transaction, and every five seconds, the
// store looks whether the file at its path is still the one that it has open. If not,
// it writes nothing more, puts a copy of all that was acknowledged beside the path, and
// only then tells its owner to stop; at Close it looks for the last time. Stopping is
// better than staying: whoever lives on a lost file keeps no other process from the
// new one, and two bots with one token answer everything twice. Whatever starts the
// process again cannot make it worse: lascabot does not run while a rescue copy lies
// there. As long as the copy cannot be written, the process is all that holds the
// games, so it stays, not ready, and tries again.
//
// While somebody reads, bbolt can neither map more of the file nor use the space of old
// versions again. So it maps far more than a file ever has, which costs addresses
// only, and no write waits for a reader. (Windows and machines of 32 bits do not allow
// that much; there a copy can hold up growth for ten seconds.) A copy reads in one
// transaction, but a goroutine of its own writes it: when that makes no progress, the
// transaction ends, whatever the writer does. A first copy on the same disk, to be
// handed out slowly, would take that disk's space when it is most needed.
//
// A write that fails for another reason (a full, read-only or failing disk) leaves
// the file as it was and returns storage.ErrNotWritten. The next write is attempted
// as usual.
//
// Copies are whole files, so putting one back ([Restore]) does not need a program
// that can read them. [Copies] keeps the latest few copies of one file in a folder;
// those from the future, which a clock that was ahead has dated, get other names,
// since they would count as the latest for ever.
// Files that root creates, as an operator may, get the owner of their folder: the
// bot runs as another user and must be able to read them.
package boltstore
