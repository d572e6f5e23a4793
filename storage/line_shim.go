package storage

import "github.com/lascabot/lascabot/engine"

const MaxLines = 32

// Line shim.
type Line struct {
	Ply   int           `json:"ply"`
	Moves []engine.Move `json:"moves"`
}
