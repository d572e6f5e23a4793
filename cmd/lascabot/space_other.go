//go:build !linux && !darwin

package main

// freeSpace cannot tell here.
func freeSpace(string) (bytes uint64, ok bool) { return 0, false }
