package render

import "github.com/lascabot/lascabot/engine"

// kind says what a part is.
type kind uint8

const (
	kindBoard    kind = iota // the empty board; n: side at the bottom
	kindLight                // light along an edge of the field: the side there moves; n: 0 near, 1 far edge
	kindSeat                 // disc in the rail's corner; n: side, m: 1 lit, pass: 1 at the far edge
	kindTint                 // a square tinted; ink; n: opacity in percent
	kindStart                // ring where a path starts; style, pass; dir and flags of the first leg
	kindLeg                  // one leg of a path; style, pass, dir, flags; n, m: how its ends move if it is shifted
	kindTurn                 // where a shifted path turns back; style, pass; dir of the leg before
	kindGhost                // footprint of a captured single piece
	kindFrame                // frame of the selected square; flags: dashed
	kindBrackets             // corners round a column that must capture
	kindTarget               // landing: dashed ellipse and name; n: square
	kindName                 // landing on an occupied square: name only; n: square
	kindShadow               // a column's shadow; n: height in pixels
	kindHalo                 // a column's halo; ink; n: height in pixels
	kindOutline              // outline of one piece; piece, n: thickness
	kindBody                 // rim of one piece; piece, n: thickness, m: line below
	kindFace                 // a commander's face; piece
	kindCount                // number on a run; piece, n: number, m: height of the run in pixels
	kindNumbers              // numbers of jumps or plies; ink; n: bit i for number i; flagHead: makes way for an arrow head
	kindCross                // captures; n: how many, flags: alone
	kindTag                  // height of a column; piece, n: pieces on top of its prisoners or 0, m: height
	kindResult               // plate; n: result
)

// ink is the colour of an overlay.
type ink uint8

const (
	inkLast ink = iota
	inkLastTint
	inkSel
	inkMust
	inkHint
	inkReply // for a ply of the other side in a forced line: inkHint with its tones swapped
)

// style is how a path is drawn.
type style uint8

const (
	styleLast style = iota
	stylePrevious
	stylePartial
	styleHint
	styleLine
	numStyles
)

// dir is the direction of a leg in the picture.
type dir uint8

const (
	downRight dir = iota
	downLeft
	upLeft
	upRight
)

// vector returns the direction as steps in squares; y points down.
func (d dir) vector() (x, y int) {
	switch d {
	case downRight:
		return 1, 1
	case downLeft:
		return -1, 1
	case upLeft:
		return -1, -1
	}
	return 1, -1
}

// opposite returns the opposite direction.
func (d dir) opposite() dir { return d ^ 2 }

// right returns where the right hand of d points, seen along the direction e: 1
// forwards, -1 backwards, 0 to a side.
func (d dir) right(e dir) int16 {
	dx, dy := d.vector()
	ex, ey := e.vector()
	return int16(-dy*ex+dx*ey) / 2
}

// Flags of a part.
const (
	flagLong    uint8 = 1 << iota // a leg of two squares
	flagHead                      // the leg ends in an arrow head
	flagShifted                   // the leg is moved to its right
	flagDashed
	flagAlone // the captured piece stood alone: the cross is in the middle of the square
)

// The line below a piece.
const (
	lineNone   int16 = iota // the piece stands on the board
	lineGroove              // on a piece of the same colour
	lineChange              // on a piece of the other colour
)

// part is something that is drawn in one go and always looks the same. It is the
// key of a sprite. The kind determines which fields it uses.
type part struct {
	kind  kind
	ink   ink
	style style
	pass  uint8
	dir   dir
	flags uint8
	piece engine.Piece
	n, m  int16
}

// placed is a part at a place: the upper left corner of a square, or the centre
// line of a piece's foot for the parts of columns.
type placed struct {
	part
	x, y int
}
