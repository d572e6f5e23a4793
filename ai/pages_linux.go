package ai

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// wantHugePages asks the system to keep the table in large pages. A search reads
// the table at random: with pages of 4 KiB, the processor has to find the page
// first for nearly every read. The system may refuse; that changes only the
// speed.
func wantHugePages(b []bucket) {
	const page = 2 << 20
	size := len(b) * int(unsafe.Sizeof(bucket{}))
	if size < 2*page {
		return
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	// The kernel wants whole pages. Slices this large start at a page.
	_ = unix.Madvise(unsafe.Slice((*byte)(start), size&^(unix.Getpagesize()-1)), unix.MADV_HUGEPAGE)
}
