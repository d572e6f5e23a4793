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
// which the elements point, one after the other, then zeros.
const (
	headerLen  = 16
	elementLen = 16
	branchPage = 1
	leafPage   = 2
	metaPage   = 4
	freePage   = 16
	bucketFlag = 1  // in an element of a leaf: the value is a bucket
	bucketLen  = 16 // of a bucket's header: the number of its root page, and a sequence number, which we do not use
)

var order = binary.NativeEndian

// scan walks the tree of pages in a file without trusting it. bbolt does trust it and
// follows a page that points to itself forever. After a scan without an error, every
// page belongs to exactly one place, all keys are in order, and the elements of a
// page fill it without gaps, so that none can have got lost.
type scan struct {
	file     io.ReaderAt
	pageSize int
	pages    uint64 // the number of pages in the file
	// strict refuses whatever bbolt would not have written, also where it does not
	// matter to bbolt, so that no byte of a page in use can change unnoticed.
	strict bool
	// item is called for every key and value of every bucket; first of them is the
	// bucket that comes first. nil is for no calls.
	item  func(bucket, key, value []byte) error
	first []byte

	seen    map[uint64]bool // the pages that have been reached
	free    []uint64        // the pages that are not in use
	buckets []bucketValue   // those that the root page holds
}

// bucketValue is a bucket as its parent holds it.
type bucketValue struct{ name, value []byte }

// all reads everything that the root of a file holds.
func (s *scan) all(m meta) error {
	s.seen = map[uint64]bool{}
	if err := s.tree(m.root, nil, nil, nil); err != nil {
		return err
	}
	for _, first := range []bool{true, false} {
		for _, b := range s.buckets {
			if bytes.Equal(b.name, s.first) != first {
				continue
			}
			if err := s.bucket(b); err != nil {
				return fmt.Errorf("bucket %q: %w", b.name, err)
			}
		}
	}
	if err := s.freeList(m.free); err != nil {
		return fmt.Errorf("page %d (the free list): %w", m.free, err)
	}
	for id := uint64(2); id < s.pages; id++ {
		if !s.seen[id] {
			return fmt.Errorf("page %d: nothing points to it", id)
		}
	}
	return nil
}

// reach notes that n pages have been reached. It fails when one was before.
func (s *scan) reach(id, n uint64) error {
	if id < 2 || id >= s.pages { // the first two hold the roots
		return errors.New("it does not exist")
	}
	if n > s.pages-id {
		return fmt.Errorf("it overflows by %d pages", n-1)
	}
	for i := range n {
		if s.seen[id+i] {
			return errors.New("two places point to it")
		}
		s.seen[id+i] = true
	}
	return nil
}

// read returns a page with its overflow pages.
func (s *scan) read(id uint64) ([]byte, error) {
	if err := s.reach(id, 1); err != nil {
		return nil, err
	}
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
		if err := s.reach(id+1, n); err != nil {
			return nil, fmt.Errorf("it overflows by %d pages: %w", n, err)
		}
		data = make([]byte, (int(n)+1)*s.pageSize)
		if _, err := s.file.ReadAt(data, at); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// tree checks a page and all pages below it. The page belongs to a bucket, or to the
// root of the file when that is nil. Its keys are at least low and below high; nil is
// no limit.
func (s *scan) tree(id uint64, bucket, low, high []byte) error {
	data, err := s.read(id)
	if err == nil {
		var end int
		if end, err = s.elements(data, bucket, low, high); err == nil && s.strict {
			err = s.tail(data, end)
		}
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

// tail checks the rest of a page after the last of its values, which bbolt leaves
// empty and never reads.
func (s *scan) tail(data []byte, end int) error {
	if end+s.pageSize <= len(data) {
		return errors.New("it has more pages than it needs")
	}
	if !empty(data[end:]) {
		return errors.New("there is something behind its last value")
	}
	return nil
}

// empty reports whether all bytes are 0.
func empty(data []byte) bool {
	return len(bytes.TrimLeft(data, "\x00")) == 0
}

// freeList checks the page that lists the free pages: that the list lies inside it
// and names pages that nothing else uses.
func (s *scan) freeList(id uint64) error {
	data, err := s.read(id)
	if err != nil {
		return err
	}
	list, rest, err := freePages(data)
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := s.reach(n, 1); err != nil {
			return fmt.Errorf("page %d, which should be free: %w", n, err)
		}
	}
	if s.strict && !empty(rest) {
		return errors.New("there is something behind the list")
	}
	s.free = list
	return nil
}

// freePages returns the numbers in a page that lists free pages, and what follows
// them.
func freePages(data []byte) (list []uint64, rest []byte, err error) {
	kind, count, rest := order.Uint16(data[8:]), uint64(order.Uint16(data[10:])), data[headerLen:]
	if count == 0xffff { // the real count precedes the list
		count, rest = order.Uint64(rest), rest[8:]
	}
	if kind != freePage || count > uint64(len(rest)/8) {
		return nil, nil, fmt.Errorf("it has kind %d and %d numbers", kind, count)
	}
	for range count {
		list, rest = append(list, order.Uint64(rest)), rest[8:]
	}
	return list, rest, nil
}

// elements checks the elements of a page and everything that they point to. It
// returns where the last value ends.
func (s *scan) elements(data, bucket, low, high []byte) (end int, err error) {
	kind, count := order.Uint16(data[8:]), int(order.Uint16(data[10:]))
	if kind != branchPage && kind != leafPage || kind == branchPage && count == 0 {
		return 0, fmt.Errorf("it has kind %d and %d elements", kind, count)
	}
	if end = headerLen + count*elementLen; end > len(data) {
		return 0, fmt.Errorf("%d elements do not fit", count)
	}
	var below []byte // the branch before, whose keys end where the next begins
	var child uint64
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
		if begin != uint64(end) || keyLen == 0 || begin+keyLen+valueLen > uint64(len(data)) {
			return 0, fmt.Errorf("element %d is not where it should be", i)
		}
		key, value := data[begin:begin+keyLen], data[begin+keyLen:begin+keyLen+valueLen]
		end += int(keyLen + valueLen)
		if i == 0 && (bytes.Compare(key, low) < 0 || s.strict && low != nil && !bytes.Equal(key, low)) {
			return 0, errors.New("its first key is not the one that points to it")
		}
		if i > 0 && bytes.Compare(low, key) >= 0 || high != nil && bytes.Compare(key, high) >= 0 {
			return 0, fmt.Errorf("element %d is out of order", i)
		}
		low = key
		if kind == leafPage {
			err = s.leaf(order.Uint32(e), bucket, key, value)
		} else {
			if i > 0 {
				err = s.tree(child, bucket, below, key)
			}
			below, child = key, order.Uint64(e[8:])
		}
		if err != nil {
			return 0, err
		}
	}
	if kind == branchPage {
		err = s.tree(child, bucket, below, high)
	}
	return end, err
}

// leaf checks an element of a leaf.
func (s *scan) leaf(flags uint32, bucket, key, value []byte) error {
	isBucket := flags&bucketFlag != 0
	switch {
	case s.strict && (isBucket != (bucket == nil) || flags&^bucketFlag != 0):
		return fmt.Errorf("the element %q has the flags %d", key, flags)
	case isBucket && bucket == nil:
		s.buckets = append(s.buckets, bucketValue{key, value})
	case isBucket:
		return s.bucket(bucketValue{key, value})
	case bucket != nil && s.item != nil:
		return s.item(bucket, key, value)
	}
	return nil
}

// bucket checks a bucket. A small one has no page of its own: it follows its header.
func (s *scan) bucket(b bucketValue) error {
	if len(b.value) < bucketLen {
		return errors.New("a bucket has no header")
	}
	if s.strict && order.Uint64(b.value[8:]) != 0 {
		return errors.New("a bucket has a sequence number")
	}
	if root := order.Uint64(b.value); root != 0 {
		if s.strict && len(b.value) != bucketLen {
			return errors.New("a bucket has two places")
		}
		return s.tree(root, b.name, nil, nil)
	}
	data := b.value[bucketLen:]
	if len(data) < headerLen || order.Uint16(data[8:]) != leafPage {
		return errors.New("a small bucket has no page")
	}
	if s.strict && (order.Uint64(data) != 0 || order.Uint32(data[12:]) != 0) {
		return errors.New("a small bucket has the page of a large one")
	}
	end, err := s.elements(data, b.name, nil, nil)
	if err == nil && s.strict && end != len(data) {
		err = errors.New("a small bucket has something behind its last value")
	}
	return err
}
