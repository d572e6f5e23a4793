//go:build !amd64

package ai

// prefetch does nothing on processors other than amd64.
func prefetch(*bucket) {}
