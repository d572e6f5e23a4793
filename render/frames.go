package render

import (
	"fmt"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// How long the frames of an animation are shown.
const (
	beforeDelay  = 900 * time.Millisecond  // the position before a move
	stepDelay    = 800 * time.Millisecond  // a quiet move of a game
	jumpDelay    = 900 * time.Millisecond  // a jump, or a capture of a game
	extraDelay   = 250 * time.Millisecond  // added for each further jump of a game's capture
	holdDelay    = 3 * time.Second         // the last frame of a move
	holdEndDelay = 5 * time.Second         // the last frame of a game
	longestDelay = 5500 * time.Millisecond // limit for captures of a game
)

// Frame is one picture of an animation and how long it is shown.
type Frame struct {
	Scene Scene
	Delay time.Duration // rounded down to 10 ms
}

// MoveFrames returns the frames of one move: the position before it, each jump,
// and the position after it, which is held. Only theme, width and bottom side of
// look count. If the move is illegal, the error wraps [engine.ErrIllegalMove].
func MoveFrames(look Scene, before engine.Position, m engine.Move) ([]Frame, error) {
	after, err := before.Play(m)
	if err != nil {
		return nil, fmt.Errorf("animating %v: %w", m, err)
	}
	scene := Scene{Theme: look.Theme, Edge: look.Edge, Bottom: look.Bottom, Board: before.Setup()}
	frames := []Frame{{scene, beforeDelay}}
	path := m.Path()
	for i := 1; i < m.Jumps(); i++ {
		part, err := engine.NewMove(path[:i+1]...)
		if err != nil {
			return nil, fmt.Errorf("animating %v: %w", m, err)
		}
		scene.Board = before.Setup()
		scene.Board.Jump(part)
		scene.Last = part
		frames = append(frames, Frame{scene, jumpDelay})
	}
	scene.Board, scene.Last = after.Setup(), m
	return append(frames, Frame{scene, holdDelay}), nil
}

// GameFrames returns the frames of a game: the start, then the position after each
// ply with the ply marked. The last one also shows the result and is held. Only
// theme, width and bottom side of look count. If a move is illegal, the error
// wraps [engine.ErrIllegalMove] and names the ply.
func GameFrames(look Scene, start engine.Position, moves []engine.Move, result engine.Result) ([]Frame, error) {
	scene := Scene{Theme: look.Theme, Edge: look.Edge, Bottom: look.Bottom, Board: start.Setup()}
	frames := []Frame{{scene, beforeDelay}}
	pos := start
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return nil, fmt.Errorf("animating ply %d: %w", i+1, err)
		}
		pos = next
		scene.Board, scene.Last = pos.Setup(), m
		delay := stepDelay
		if n := m.Jumps(); n > 0 {
			delay = min(longestDelay, jumpDelay+time.Duration(n-1)*extraDelay)
		}
		frames = append(frames, Frame{scene, delay})
	}
	last := &frames[len(frames)-1]
	last.Scene.Result = result
	last.Delay = holdEndDelay
	return frames, nil
}
