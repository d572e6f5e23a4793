package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The parts of bbolt's file format that the scan reads, in the machine's byte order.
// A page has a header of 16 bytes (its number, its kind, the number of elements, the
// number of overflow pages), then elements of 16 bytes, then the keys and values to
// which the elements point. The first two pages have the meta fields below instead
// of elements.
const (
	headerLen  = 16
	elementLen = 16
	branchPage = 1
	leafPage   = 2
	freePage   = 16
	bucketFlag = 1 // in an element of a leaf: the value is a bucket

	metaRoot = headerLen + 16 // the number of the tree's root page
	metaFree = headerLen + 32 // the number of the page that lists the free pages
	metaTxid = headerLen + 48
	metaLen  = headerLen + 64
)

var order = binary.NativeEndian

// scan walks the tree of pages in a file without trusting it. bbolt does trust it and
// follows a page that points to itself forever. After a scan without an error, every
// reachable page is reached once and its elements lie inside it, so bbolt can walk
// the tree.
type scan struct {
	file     io.ReaderAt
	pageSize int
	pages    uint64 // the number of pages in the file
	seen     map[uint64]bool
}

// all reads the tree of a transaction and the list of free pages.
func (s *scan) all(txid, root uint64) error {
	if err := s.tree(root); err != nil {
		return err
	}
	// Two pages hold the roots of the latest transaction and of the one before.
	head := make([]byte, metaLen)
	for i := range int64(2) {
		if _, err := s.file.ReadAt(head, i*int64(s.pageSize)); err != nil {
			return err
		}
		if order.Uint64(head[metaTxid:]) == txid && order.Uint64(head[metaRoot:]) == root {
			return s.free(order.Uint64(head[metaFree:]))
		}
	}
	return errors.New("the root pages have changed")
}

// read returns a page with its overflow pages. It fails when a page is reached twice.
func (s *scan) read(id uint64) ([]byte, error) {
	if id < 2 || id >= s.pages { // the first two hold the roots
		return nil, errors.New("it does not exist")
	}
	if s.seen[id] {
		return nil, errors.New("two places point to it")
	}
	s.seen[id] = true
	data := make([]byte, s.pageSize)
	at := int64(id) * int64(s.pageSize)
	if _, err := s.file.ReadAt(data, at); err != nil {
		return nil, err
	}
	if got := order.Uint64(data); got != id {
		return nil, fmt.Errorf("its header says that it is page %d", got)
	}
	if n := uint64(order.Uint32(data[12:])); n > 0 {
		if n >= s.pages-id {
			return nil, fmt.Errorf("it overflows by %d pages", n)
		}
		data = make([]byte, (int(n)+1)*s.pageSize)
		if _, err := s.file.ReadAt(data, at); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// tree checks a page and all pages below it.
func (s *scan) tree(id uint64) error {
	data, err := s.read(id)
	if err == nil {
		err = s.elements(data)
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

// free checks the page that lists the free pages: its kind, and that the list lies
// inside it and names pages of the file.
func (s *scan) free(id uint64) error {
	data, err := s.read(id)
	if err != nil {
		return fmt.Errorf("page %d (the free list): %w", id, err)
	}
	kind, count, rest := order.Uint16(data[8:]), uint64(order.Uint16(data[10:])), data[headerLen:]
	if count == 0xffff { // the real count precedes the list
		count, rest = order.Uint64(rest), rest[8:]
	}
	if kind != freePage || count > uint64(len(rest)/8) {
		return fmt.Errorf("page %d (the free list): it has kind %d and %d numbers", id, kind, count)
	}
	for i := range count {
		if n := order.Uint64(rest[8*i:]); n < 2 || n >= s.pages {
			return fmt.Errorf("page %d (the free list): page %d does not exist", id, n)
		}
	}
	return nil
}

// elements checks the elements of a page and everything that they point to.
func (s *scan) elements(data []byte) error {
	kind, count := order.Uint16(data[8:]), int(order.Uint16(data[10:]))
	if kind != branchPage && kind != leafPage || kind == branchPage && count == 0 {
		return fmt.Errorf("it has kind %d and %d elements", kind, count)
	}
	if headerLen+count*elementLen > len(data) {
		return fmt.Errorf("%d elements do not fit", count)
	}
	var last []byte
	for i := range count {
		at := headerLen + i*elementLen
		e := data[at : at+elementLen]
		var pos, keyLen, valueLen uint64
		if kind == branchPage {
			pos, keyLen = uint64(order.Uint32(e)), uint64(order.Uint32(e[4:]))
		} else {
			pos, keyLen, valueLen = uint64(order.Uint32(e[4:])), uint64(order.Uint32(e[8:])), uint64(order.Uint32(e[12:]))
		}
		begin := uint64(at) + pos
		if begin+keyLen+valueLen > uint64(len(data)) {
			return fmt.Errorf("element %d ends outside the page", i)
		}
		key, value := data[begin:begin+keyLen], data[begin+keyLen:begin+keyLen+valueLen]
		if i > 0 && bytes.Compare(last, key) >= 0 {
			return fmt.Errorf("element %d is out of order", i)
		}
		last = key
		var err error
		switch {
		case kind == branchPage:
			err = s.tree(order.Uint64(e[8:]))
		case order.Uint32(e)&bucketFlag != 0:
			err = s.bucket(value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bucket checks a value that is a bucket: the number of its root page and a sequence
// number. A small bucket has no page of its own and follows them.
func (s *scan) bucket(value []byte) error {
	if len(value) < 16 {
		return errors.New("a bucket has no header")
	}
	if root := order.Uint64(value); root != 0 {
		return s.tree(root)
	}
	if value = value[16:]; len(value) < headerLen || order.Uint16(value[8:]) != leafPage {
		return errors.New("a small bucket has no page")
	}
	return s.elements(value)
}
