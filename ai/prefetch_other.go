//go:build !amd64

package ai

// prefetch does nothing where the processor is not known.
func prefetch(*bucket) {}
