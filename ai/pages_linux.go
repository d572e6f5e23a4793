package ai

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// wantHugePages asks the system to hold the table in large pages. A search
// reads it at random: with pages of 4 KiB nearly every look waits for the
// processor to find the page first. It is a wish: whether it is granted changes
// the speed only.
func wantHugePages(b []bucket) {
	const page = 2 << 20
	size := len(b) * int(unsafe.Sizeof(bucket{}))
	if size < 2*page {
		return
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	// The kernel wants whole pages of its own; slices this large begin with one.
	_ = unix.Madvise(unsafe.Slice((*byte)(start), size&^(unix.Getpagesize()-1)), unix.MADV_HUGEPAGE)
}
