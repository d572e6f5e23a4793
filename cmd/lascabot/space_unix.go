//go:build linux || darwin

package main

import "syscall"

// freeSpace returns how many bytes this user can still write into a folder.
func freeSpace(folder string) (bytes uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
