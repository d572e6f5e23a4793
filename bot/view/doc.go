// Package view turns games and errors into what people see: text, buttons, a
// scene to draw and the scene's words, all as plain values.
//
// # Design
//
// There is a file for each thing that people see: board, challenge, ending, menu,
// look, games, privacy, hint, review, films, rules, problem, suggest, which. Each function
// takes values (a stored game, the reader's language, the reader's look), so any
// process can build the same message again at any time. Nothing is sent or drawn
// here: package discord turns a [Message] into Discord's form, and package render
// draws its scene.
//
// A board comes from a [Turn]: a position, the squares chosen so far and what the
// buttons ask for. The prompt, the rows of buttons and the marks on the picture
// follow from it, and [Alt] and [Letters] put the picture into words. A game's
// message adds what only a game has: title, notes, offers, requests and the row of
// standing buttons.
//
// A board in emoji ([EmojiSet]) is made of the application's own. Their names are
// words, since a screen reader reads them out. Squares that are not played on are an
// emoji of Unicode's, or the board would not fit a message: it takes 1,675 characters
// at worst. A board that lacks an emoji, or has no room, is in letters.
//
// Where a game begins, and with which side and move number, is the match's to say:
// nothing here assumes the usual start.
//
// A board message needs at most five rows of buttons: three for eleven columns to
// choose from, or one for four landing squares; one to answer an offer and a
// request; and one of standing buttons.
//
// People's names are not painted into pictures. They stand in the text, where
// Discord's own fonts show them and one picture serves everybody. They are escaped,
// since anybody may be called "**@everyone**".
package view
