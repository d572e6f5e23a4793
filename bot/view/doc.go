// Package view turns games and errors into what people see: text, buttons, a
// scene to draw and its words, all as plain values.
//
// # Design
//
// Everything here is a function of a stored game, the reader's language and the
// reader's look, so that the same board can be built again after a restart or
// by another process. Nothing is sent and nothing is drawn here; package
// discord turns a [Message] into Discord's form, and package render draws its
// scene.
//
// Names of people are never painted into pictures: they stand in the text,
// where Discord's own fonts show them and where one picture serves everybody.
// They are escaped, since anybody may call himself "**@everyone**".
//
// A board message has five rows of buttons at most: eleven columns make three
// rows, four landing squares one, open offers and requests one, and the
// standing buttons the last.
package view
