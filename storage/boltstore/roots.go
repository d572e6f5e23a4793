package boltstore

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// The first two pages of a file are its roots: of the latest transaction, and of the
// one before, in either order. What follows their header, in the machine's byte
// order; bbolt gives it a checksum.
const (
	metaSize  = headerLen + 8  // the size of a page
	metaRoot  = headerLen + 16 // the number of the tree's root page
	metaFree  = headerLen + 32 // the number of the page that lists the free pages
	metaPages = headerLen + 40 // the number of pages
	metaTxid  = headerLen + 48 // the transaction
	metaSum   = headerLen + 56
	metaLen   = headerLen + 64

	metaMagic   = 0xED0CDAED
	metaVersion = 2

	minPageSize, maxPageSize = 1 << 10, 1 << 24 // of those that bbolt looks for
)

// meta is what a root page says.
type meta struct {
	pageSize                uint32
	root, free, pages, txid uint64
}

// readMeta reads the root page at an offset.
func readMeta(file io.ReaderAt, at int64) (m meta, err error) {
	head := make([]byte, metaLen)
	if _, err := file.ReadAt(head, at); err != nil {
		return m, err
	}
	sum := fnv.New64a()
	sum.Write(head[headerLen:metaSum])
	if order.Uint32(head[headerLen:]) != metaMagic || order.Uint32(head[headerLen+4:]) != metaVersion || order.Uint64(head[metaSum:]) != sum.Sum64() {
		return m, errors.New("it is damaged")
	}
	m = meta{
		pageSize: order.Uint32(head[metaSize:]), root: order.Uint64(head[metaRoot:]), free: order.Uint64(head[metaFree:]),
		pages: order.Uint64(head[metaPages:]), txid: order.Uint64(head[metaTxid:]),
	}
	if m.pageSize < minPageSize || m.pageSize > maxPageSize {
		return m, fmt.Errorf("it says that pages have %d bytes", m.pageSize)
	}
	return m, nil
}

// roots are the root pages of a file.
type roots struct {
	meta   [2]meta
	faults [2]error // why the one or the other cannot be read
}

// readRoots reads both root pages. The error says that neither can be read.
func readRoots(file io.ReaderAt) (r roots, err error) {
	r.meta[0], r.faults[0] = readMeta(file, 0)
	size := int64(r.meta[0].pageSize)
	if r.faults[0] != nil {
		// Only the second root says how far away it is.
		for size = minPageSize; size <= maxPageSize; size *= 2 {
			if m, err := readMeta(file, size); err == nil && int64(m.pageSize) == size {
				break
			}
		}
	}
	r.meta[1], r.faults[1] = readMeta(file, size)
	if r.faults[0] != nil && r.faults[1] != nil {
		return r, errors.New("its first pages are not those of a file of games")
	}
	return r, nil
}

// latest returns the root of the latest transaction.
func (r roots) latest() meta {
	if r.faults[0] != nil || r.faults[1] == nil && r.meta[1].txid > r.meta[0].txid {
		return r.meta[1]
	}
	return r.meta[0]
}

// fault says which root page cannot be read, nil when both can. bbolt goes on with
// the other one, from which the latest transaction may be missing.
func (r roots) fault() error {
	for i, err := range r.faults {
		if err != nil {
			return fmt.Errorf("page %d (a root): %w; the latest change may be missing", i, err)
		}
	}
	return nil
}

// strict checks the bytes of the root pages that have no checksum.
func (r roots) strict(file io.ReaderAt) error {
	if err := r.fault(); err != nil {
		return err
	}
	size := int(r.meta[0].pageSize)
	page := make([]byte, size)
	for i := range r.meta {
		if _, err := file.ReadAt(page, int64(i*size)); err != nil {
			return err
		}
		if int(r.meta[i].pageSize) != size || order.Uint64(page) != uint64(i) || order.Uint16(page[8:]) != metaPage ||
			order.Uint16(page[10:]) != 0 || order.Uint32(page[12:]) != 0 || !empty(page[metaLen:]) {
			return fmt.Errorf("page %d (a root): it has something besides its checksum's", i)
		}
	}
	return nil
}

// copied reports whether a file is a copy that nobody has written to: bbolt gives
// both its roots the same content.
func (r roots) copied() bool {
	a, b := r.meta[0], r.meta[1]
	b.txid = a.txid
	return r.fault() == nil && a == b
}
