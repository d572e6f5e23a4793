//go:build !linux

package ai

// wantHugePages does nothing on systems other than Linux.
func wantHugePages([]bucket) {}
