package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The parts of bbolt's file format that the scan reads, in the byte order of the
// machine. A page has a header of 16 bytes (its number, kind, count of elements,
// count of overflow pages), elements of 16 bytes, and behind them the keys and
// values that the elements point to. The first two pages have the numbers below
// in place of elements.
const (
	headerLen  = 16
	elementLen = 16
	branchPage = 1
	leafPage   = 2
	freePage   = 16
	bucketFlag = 1 // of a leaf's element: the value is a bucket

	metaRoot = headerLen + 16 // the number of the tree's first page
	metaFree = headerLen + 32 // the number of the page of free pages
	metaTxid = headerLen + 48
	metaLen  = headerLen + 64
)

var order = binary.NativeEndian

// scan walks the tree of pages in a file without trusting it. bbolt trusts it:
// it follows a page that points to itself for ever. After a scan without error
// every page that can be reached is reached once and points inside itself, so
// that bbolt can walk the tree.
type scan struct {
	file     io.ReaderAt
	pageSize int
	pages    uint64 // in the file
	seen     map[uint64]bool
}

// all reads the tree of a transaction and the list of free pages.
func (s *scan) all(txid, root uint64) error {
	if err := s.tree(root); err != nil {
		return err
	}
	// Two pages hold the roots of the newest transaction and of the one before.
	head := make([]byte, metaLen)
	for i := range int64(2) {
		if _, err := s.file.ReadAt(head, i*int64(s.pageSize)); err != nil {
			return err
		}
		if order.Uint64(head[metaTxid:]) == txid && order.Uint64(head[metaRoot:]) == root {
			return s.free(order.Uint64(head[metaFree:]))
		}
	}
	return errors.New("the roots have changed")
}

// read returns a page with its overflow. Each page belongs to one place.
func (s *scan) read(id uint64) ([]byte, error) {
	if id < 2 || id >= s.pages { // the first two hold the roots
		return nil, errors.New("there is none")
	}
	if s.seen[id] {
		return nil, errors.New("two others point to it")
	}
	s.seen[id] = true
	data := make([]byte, s.pageSize)
	at := int64(id) * int64(s.pageSize)
	if _, err := s.file.ReadAt(data, at); err != nil {
		return nil, err
	}
	if got := order.Uint64(data); got != id {
		return nil, fmt.Errorf("it says that it is page %d", got)
	}
	if n := uint64(order.Uint32(data[12:])); n > 0 {
		if n >= s.pages-id {
			return nil, fmt.Errorf("it goes on for %d pages", n)
		}
		data = make([]byte, (int(n)+1)*s.pageSize)
		if _, err := s.file.ReadAt(data, at); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// tree checks a page and what is below it.
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

// free checks the page that lists the free pages: that it is one, and that the
// list lies inside it.
func (s *scan) free(id uint64) error {
	data, err := s.read(id)
	if err != nil {
		return fmt.Errorf("page %d, of free pages: %w", id, err)
	}
	kind, count, rest := order.Uint16(data[8:]), uint64(order.Uint16(data[10:])), data[headerLen:]
	if count == 0xffff { // then the count stands in front of the list
		count, rest = order.Uint64(rest), rest[8:]
	}
	if kind != freePage || count > uint64(len(rest)/8) {
		return fmt.Errorf("page %d, of free pages: kind %d with %d numbers", id, kind, count)
	}
	for i := range count {
		if n := order.Uint64(rest[8*i:]); n < 2 || n >= s.pages {
			return fmt.Errorf("page %d, of free pages: there is no page %d", id, n)
		}
	}
	return nil
}

// elements checks the elements of a page and what they point to.
func (s *scan) elements(data []byte) error {
	kind, count := order.Uint16(data[8:]), int(order.Uint16(data[10:]))
	if kind != branchPage && kind != leafPage || kind == branchPage && count == 0 {
		return fmt.Errorf("kind %d with %d elements", kind, count)
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
			return fmt.Errorf("element %d ends outside", i)
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

// bucket checks the value that is a bucket: the number of its first page and a
// sequence number; a small bucket has no page and stands behind them.
func (s *scan) bucket(value []byte) error {
	if len(value) < 16 {
		return errors.New("a bucket without its head")
	}
	if root := order.Uint64(value); root != 0 {
		return s.tree(root)
	}
	if value = value[16:]; len(value) < headerLen || order.Uint16(value[8:]) != leafPage {
		return errors.New("a small bucket without its page")
	}
	return s.elements(value)
}
