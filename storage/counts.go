package storage

import "context"

// Counts says how many games a store holds, by their phase.
type Counts struct {
	Running  int `json:"running"`
	Proposed int `json:"proposed"` // challenges that nobody has answered yet
	Finished int `json:"finished"`
}

// Counter is a [Store] that counts its games without reading them, for whoever watches
// the program.
type Counter interface {
	// Count counts the games, damaged ones too. Its errors are those of every method of
	// [Store] that changes nothing.
	Count(ctx context.Context) (Counts, error)
}
