// Package play is the application: it loads a game, decides, and saves it, for
// people and for the machine.
//
// # Design
//
// Decide, then save, then speak: no method returns a changed game before the
// store has it. Correctness is the store's compare-and-swap. A click carries the
// version that it was drawn for; when the stored one is another, nothing is
// applied and the caller gets [ErrStale] with the game as it is. A command
// without a version is decided again when somebody else was faster.
//
// The package is the only door to the store for package bot: commands (command.go),
// new games (begin.go), what may be seen of a game (service.go, watch.go), hints, reviews,
// looks and exports are all decided here.
//
// A command that names no game means the only one in the channel in which it is
// possible ([Service.Mean]). Where there are several, the person is asked, with a button
// for each game that holds its version, so that a late or second press does nothing.
//
// Whoever plays several games goes through those that wait, the longest first
// ([Service.Next]). Whoever has no part in a game may see where it is played what
// everybody can see there, from either side ([Service.Watch]); what judges a game is for
// after its end. The note of what a player has shown to all is part of the game's screen.
//
// What remains to be done (the machine's move, a screen that is behind, a
// challenge that has lapsed) is never kept in memory alone. [Service.Run] reads it
// from the store at the start and every half minute; it may be killed at any point, and
// the next start does the rest. Two things
// are kept in memory to spare the store a question at each interaction: which games
// wait in which channel because Discord has refused to show them, which a start
// reads from the store; and which games ended lately, for those who ask for the board
// then, which a start forgets.
//
// People wait for the machine's moves. Each save adds a job (storage.Jobs), which this
// process or another does ([Service.Do]). A job only says sooner what the store says too:
// every few seconds the machine's moves that are due get a job where there is none
// ([Service.Mend]). Sweeps, deletions and removals have goroutines of their own, since
// each of them may take minutes, or hang with a disk or with Discord.
//
// A press that makes a game makes one, also where two processes share a store. What is
// there already is found first: the same challenge, one by the other that fits and is
// thereby accepted, or the game's rematch, whose ID follows from the game so that there
// is no second. The store takes a new game only while its people have no unfinished
// games but those that were known when it was decided (storage.Basis, making.go);
// otherwise it is decided again, and two challenges that cross meet. The locks of
// people (lock.go) spare one process most of these second tries. What others
// offer a person never counts against that person, and is bounded for each pair
// (one) and each target (MaxWaiting), and by the hour for both. Blocks (block.go) are the
// blocker's own data and hold marks instead of IDs.
//
// A challenge to whoever comes first (open.go) has an empty seat. Who joins first is
// decided by the store's compare-and-swap; from then on nothing tells the game from
// another. A moderator's end of a game (stop.go) is the only change of a game by somebody
// without a seat in it, so its players are excluded from it: a game that goes badly would
// otherwise end without a result.
//
// Whether a game gets a thread of its own is decided when it is made (thread.go), and what
// comes of that is in its place. All else goes by the place alone, as in any channel. A
// rematch stays in the thread, where both look for it, and takes it over: it is archived
// after the last of their games.
//
// If-then lines (lines.go) are replies that a person stores while the other is to
// move. They are part of the game's record, not of the match: they do not change its
// version, and nothing that the opponent sees shows them. A reply is applied to the
// match in the same save as the move that it answers, so that a kill cannot come
// between; it waits while the opponent asks something that its owner has to answer.
// Lines that the game has left stay stored until their owner is next seen in the game
// and hears of it.
//
// Nobody loses a game over a turn that they could not know of. Since when a message has
// told of it is stored (storage.Screen.Told); a message that somebody has deleted since
// tells nothing, and Discord does not say that it is gone. So a claim that would hold
// asks first (claim.go), and is refused while nobody knows.
//
// A clock is not stored, but reckoned from the beginning of the turn each time it is
// asked for (clock.go): without the mover's vacations, which are among the person's
// settings, and without outages. A note says when the application could last be played
// with; when it can again after ten minutes, the time between is an outage, and deadlines
// end later by that. A claim looks at the note first, and is refused while nobody knows.
// What has been said about a turn's time (storage.Clock) is stored before it is said, so
// that it is never said twice, not even after a restart; if it could not be said, that is
// taken back. What depends on the moment, the clock and the server's language, is added
// to each game that leaves the package ([Service.Complete]).
//
// Whatever stores somebody depends in the same way on the notes of deletions (gone.go):
// what was decided before a deletion began is stored by then and found, or is decided
// again, sees the note, and is refused until the deletion is done. What was asked for
// before that and is decided only after it is refused too: it would store the person
// again. For this the store remembers for twenty minutes, by a mark that is not the ID,
// whose data was deleted; a count, which holds nobody, makes every state of the note a
// new one.
//
// Where the application can only answer (storage.Place.Outside), nobody can be asked
// whether a message is still there. So a claim comes from the board itself ([Claimable]),
// and a board that is shown anew starts the time anew, unless the person to move asked for
// it. Nothing else is due there but the machine's moves, the expiry of challenges and
// results to be counted.
//
// A store can go back in time: an operator restores a copy, or a database loses its last
// commits. Then what people see says more than is stored (setback.go). Whatever notices
// that, a press, a message that is found again or a screen that was recorded, has the game
// jump to a version above all that may be shown, so that no old button can meet its own
// number again; it loses no stored move. Where nobody has noticed yet, the first change of
// a game after a restore jumps as well (storage.RestoredNote).
//
// A person's data is deleted game by game, after a note in the store that a
// deletion has begun; whoever finds the note goes on. An unfinished game ends as
// a button would end it, by resignation for example, so that the opponent sees
// an ordinary end. In a finished game storage.Deleted takes the person's seat
// without a new version: nothing has happened that a screen should show, and old
// buttons stay what they are. A game without any known person left, such as one
// against the machine, is removed.
//
// A rated game is counted by a chore of Run that reads what is due from the store
// (ratings.go): in the order in which games ended, in one step with the mark that says
// so. A hint makes a game casual before anybody reads it, as does taking a move back.
// Before a person leaves a finished game, its result is counted, since nobody knows
// afterwards whom the other has played. The board says what a result has changed as
// soon as that is stored; until then its screen is behind (storage.Record.Behind).
//
// People are renamed. Each interaction says how a person is called (names.go); a name
// that was not the last one seen is written into the person's unfinished games by a
// goroutine of its own, without a new version, as nothing has happened in them. A
// message shows it when it is next made. The last names are remembered as hashes, so
// that a press costs the store nothing. The store keeps the names that it has when a
// game is saved, so that a write that began before a renaming does not bring the old
// name back.
//
// Servers that removed the application are found by comparing Discord's list with
// the store, at each session and once a day. A session brings the list along, but
// may last for weeks, so Discord is asked for it a day after the last list, or when
// an older session is resumed later than that. This notices a removal that happened
// while the program was not running or not connected, and does not mistake an outage
// for a removal, as the event for it might. A list that cannot be had whole is none:
// the last one stays. The store notes when a server was first missed. Any sign of
// the server takes the note back, and before anything is deleted Discord is asked
// about that server once more.
package play
