// Package render draws Lasca boards: pictures of a position and of what happened
// and can happen in it, animations of a move and of a game, and the graph of how
// a game went.
//
// A [Scene] says what a picture shows. [Renderer.PNG] gives the file, from a
// cache when the scene has been drawn before. Pictures hold no words of any
// language, only coordinates and numbers.
//
// # Design
//
// The picture is of turned discs seen from slightly above, and a column reads
// from the top down as its text does, the commander first. No two playing
// squares share an edge, so the square behind a column is always free: a column
// may use both, and no column ever covers another playing square, whatever the
// heights. Colour is never the only difference: the sides differ in lightness by
// 10 to 1 and in the marks on their faces, officers by thickness, a ring that
// stands out of the outline, and a star. Every overlay has a shape of its own.
//
// A scene is laid out as a list of parts (layout.go), such as "the rim of a white
// soldier 14 pixels thick" or "one leg of a path to the upper right". A part
// always looks the same, so it is drawn with gg once per theme and width
// (draw*.go) and kept as palette indices where it is opaque and as colours that
// let something through where it is not (sprite.go). Composing copies the parts
// and looks up what shines through: about 0.5 ms, against 50 ms for drawing
// everything. Drawing a layout straight with gg is still there (plain), as the
// reference in tests and as what the palettes are made from.
//
// Each theme has one fixed palette (palettes.go, generated from the samples and
// checked by a test), because choosing colours for each picture would cost more
// than all the rest. At most 127 colours, so that an animation has one left that
// shows the frame before.
//
// PNG and GIF files are written here, not by the standard library: image/png has
// no level of compression between the fastest and the default, and image/gif
// holds all frames in memory. Both writers hand the compressing to the standard
// library.
//
// Sprites are drawn when they are first needed. The first picture of a process
// takes about 60 ms, and a theme nobody uses costs nothing. Pictures are kept by
// scene up to a number of bytes, and while one is being drawn everybody who asks
// for it waits for that drawing.
package render
