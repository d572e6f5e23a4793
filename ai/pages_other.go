//go:build !linux

package ai

func wantHugePages([]bucket) {}
