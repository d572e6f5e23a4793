// Package render draws Lasca boards: pictures of a position, of what happened in
// it and what can happen, animations of a move and of a game, and a graph of how a
// game went.
//
// A [Scene] says what a picture shows. [Renderer.PNG] returns the file, from a
// cache if the scene has been drawn before. Pictures contain no words of any
// language, only coordinates and numbers. [Themes] lists the sets of colours.
//
// # Design
//
// A picture shows turned discs from slightly above. A column reads from the top
// down, as its text does: the commander first. No two playing squares share an
// edge, so the square behind a column is always free. A column may use both, and
// never covers another playing square, whatever its height. Colour is never the
// only difference. The sides differ in lightness by 10 to 1 and in the marks on
// their faces. Officers are thicker, and have a ring that breaks the outline and a
// star. Every overlay has a shape of its own.
//
// A scene is laid out as a list of parts (layout.go), such as "the rim of a white
// soldier 14 pixels thick" or "one leg of a path to the upper right". A part always
// looks the same, so gg draws it once for each theme and width (draw*.go). It is
// kept as palette indices where it is opaque, and as translucent colours where it
// is not (sprite.go). Composing copies the parts and looks up the colours that
// shine through. That takes about 0.5 ms; drawing everything takes 50 ms. The
// tests do draw whole layouts with gg, to compare and to make the palettes.
//
// Each theme has one fixed palette (palettes.go, generated from the samples and
// checked by a test). Choosing colours for each picture would cost more than all
// the rest. A palette has at most 127 colours, so that an animation can use one
// more for pixels that stay as they are.
//
// This package writes PNG and GIF files itself: image/png has no compression level
// between the fastest and the default, and image/gif keeps all frames in memory.
// The standard library does the compression for both.
//
// A [Tile] is one square of a board that is put together from emoji, which are shown
// at 22 to 48 pixels. So it has no perspective: the commander's face lies above, with
// the number of pieces of its colour if there are several, and a bar of the other
// colour with the number of prisoners below. An officer has a star and a golden rim.
// Every tile of a playing square is opaque, so that pieces stand out the same in
// Discord's dark and light themes. Since a column that came about by play has at most
// two runs of colour, 2 commanders × 2 ranks × 9 × 10 counts are 360 tiles, the last
// of each count being "more than eight". Of 186,000 positions of random games 2 in 100
// have such a column; what no tile says, officers below the commander above all, has
// to stand in text. Marks of the last move and of what is chosen lie on the free
// square to the right, since a second picture of each column would double them all.
//
// Sprites are drawn when they are first needed. The first picture of a process
// takes about 60 ms, and a theme that nobody uses costs nothing. Finished pictures
// are cached by scene, up to a number of bytes. While one is being drawn, all
// callers that ask for it wait for that drawing.
package render
