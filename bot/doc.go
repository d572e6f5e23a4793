// Package bot connects Discord with the game: it answers each interaction in
// time, and keeps the message that shows a game up to date.
//
// # Design
//
// A handler returns its answer as a value ([answer]); one place sends it. That
// place also keeps Discord's deadline: when a handler has not answered after a
// second and a half, the interaction is deferred and the answer follows as an
// edit.
//
// The message that shows a game is its screen. Whether it is behind follows from
// the store, so that a lost answer, a restart or the machine's move all end in
// the same place: refreshing the screen from the newest record. A lock per screen
// orders the answer to a click before the refresh for what came after it, and
// several changes make one refresh.
//
// Changes that no click brings, such as the machine's move, edit the screen too:
// by the token of the newest interaction that it answers, which is bound to none
// of the limits on all of a bot's calls together, and when the token is over or
// held up by a limit of its own, by the channel's route.
//
// A click is answered by editing the screen. An edit notifies nobody, so when the
// person to act has not been seen for a few minutes the board is posted afresh,
// with a mention that reaches them, and the old message loses its buttons. The
// same is done when the message is nearly an hour old, since Discord limits edits
// of messages older than that.
//
// Old interactions are not dropped by age: the age is by Discord's clock and
// ours may be wrong by more than the three seconds that count. The version in
// each button makes a late click harmless.
//
// What a person asks about their own data (data.go) is answered privately, and
// deleting it takes a second press within a quarter of an hour: a question left on
// the screen should not delete anything days later. The press names the person
// who was asked. How a deletion proceeds is in package play. Boards of finished
// games are not edited for it: there may be hundreds, in channels where Discord
// limits edits of old messages, and the answer says that messages stay.
//
// What the bot does is measured at its edges (measure.go): the parts below tell
// small functions what they have done, and the store is wrapped (store.go), so
// that none of them knows of metrics. The wrapped store also knows whether writing
// fails; being ready follows from that and from the connection.
package bot
