package boltstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	// stallTime is how long a copy waits for its writer without any progress.
	stallTime = 10 * time.Second
	// backupTime is how long a copy may take in all. Meanwhile the space of old
	// versions is not used again, so the file grows.
	backupTime = 10 * time.Minute
)

// ErrStalled means that a copy was given up because its writer did not take it in
// time: no part of it for ten seconds, or not all of it in ten minutes.
var ErrStalled = errors.New("the copy is not being taken any more, or too slowly")

// Backup writes a copy of the file in its present state to w. The copy can be opened
// as it is; pages that are not in use are empty in it, so what was deleted is not in
// the copy. Games go on while it is written, however slow w is. When w makes no
// progress, Backup returns [ErrStalled] although a call of w.Write may still be under
// way; when ctx ends, it stops with its error. The copy is then useless.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithTimeoutCause(ctx, backupTime, ErrStalled)
	defer cancel()
	p := startPump(ctx, w)
	err := s.view(ctx, func(tx *bolt.Tx) error {
		out := &copier{file: s.file, pump: p, pageSize: int(s.pageSize)}
		_, err := tx.WriteTo(out)
		return cmp.Or(out.err, err) // bbolt does not always wrap the writer's error
	})
	if err == nil {
		if err = p.finish(); err == nil { // what remains is in memory; the transaction has ended
			return nil
		}
	} else {
		close(p.full)
	}
	// A writer that has made no progress is not waited for again.
	hangs := errors.Is(err, ErrStalled) && ctx.Err() == nil
	cancel()
	p.abandon(hangs)
	return err
}

// BackupFile writes a copy, as [Store.Backup] does, to a new file, as [WriteNew]
// does.
func (s *Store) BackupFile(ctx context.Context, path string) error {
	return WriteNew(path, func(f *os.File) error { return s.Backup(ctx, f) })
}

// copier hands the bytes of a file to a pump, except that pages that are not in use
// are emptied.
type copier struct {
	file     io.ReaderAt
	pump     *pump
	pageSize int
	at       int64  // the number of bytes so far
	head     []byte // the first page
	free     map[uint64]bool
	buf      []byte
	err      error // the first error
}

func (c *copier) Write(b []byte) (n int, err error) {
	defer func() { c.err = cmp.Or(c.err, err) }()
	for n < len(b) {
		if c.buf == nil {
			if c.buf, err = c.pump.buffer(); err != nil {
				return n, err
			}
		}
		page, in := c.at/int64(c.pageSize), int(c.at%int64(c.pageSize))
		part := b[n:min(len(b), n+c.pageSize-in, n+cap(c.buf)-len(c.buf))]
		if c.free[uint64(page)] {
			c.buf = append(c.buf, make([]byte, len(part))...)
		} else {
			c.buf = append(c.buf, part...)
		}
		n += len(part)
		c.at += int64(len(part))
		if page == 0 {
			if c.head = append(c.head, part...); len(c.head) == c.pageSize {
				if err := c.readFree(); err != nil {
					return n, err
				}
			}
		}
		if len(c.buf) == cap(c.buf) {
			c.pump.send(c.buf)
			c.buf = nil
		}
	}
	if len(c.buf) > 0 {
		c.pump.send(c.buf)
		c.buf = nil
	}
	return n, nil
}

// readFree reads which pages are not in use. The transaction that is being copied
// keeps the page that lists them.
func (c *copier) readFree() error {
	m, err := readMeta(bytes.NewReader(c.head), 0)
	if err != nil {
		return broken(fmt.Errorf("the root of the copy: %w", err))
	}
	s := scan{file: c.file, pageSize: c.pageSize, pages: m.pages, seen: map[uint64]bool{}}
	if err := s.freeList(m.free); err != nil {
		return broken(fmt.Errorf("the free list: %w", err))
	}
	c.free = map[uint64]bool{}
	for _, id := range s.free {
		c.free[id] = true
	}
	return nil
}

// pump writes to a writer in a goroutine of its own, so that a writer that hangs does
// not hold up whoever has something to write.
type pump struct {
	ctx  context.Context
	full chan []byte
	free chan []byte
	done chan struct{} // closed when nothing is written any more
	err  error         // why; done guards it
}

const (
	pumpBuffers = 16
	pumpSize    = 32 << 10
)

func startPump(ctx context.Context, w io.Writer) *pump {
	p := &pump{ctx: ctx, full: make(chan []byte, pumpBuffers), free: make(chan []byte, pumpBuffers), done: make(chan struct{})}
	for range pumpBuffers {
		p.free <- make([]byte, 0, pumpSize)
	}
	go func() {
		defer close(p.done)
		for b := range p.full {
			if p.err = context.Cause(ctx); p.err != nil {
				return
			}
			if _, p.err = w.Write(b); p.err != nil {
				return
			}
			p.free <- b[:0]
		}
	}()
	return p
}

// buffer returns an empty buffer. It waits until the writer has taken one.
func (p *pump) buffer() ([]byte, error) {
	stalled := time.NewTimer(stallTime)
	defer stalled.Stop()
	select {
	case b := <-p.free:
		return b, nil
	default:
	}
	select {
	case b := <-p.free:
		return b, nil
	case <-p.done:
		return nil, p.err
	case <-p.ctx.Done():
		return nil, context.Cause(p.ctx)
	case <-stalled.C:
		return nil, ErrStalled
	}
}

// send hands a buffer over, which never waits.
func (p *pump) send(b []byte) { p.full <- b }

// finish waits until everything is written.
func (p *pump) finish() error {
	close(p.full)
	for {
		select {
		case <-p.done:
			return p.err
		default:
		}
		if _, err := p.buffer(); err != nil {
			return err
		}
	}
}

// abandon waits for the goroutine after an error, but not long, and not at all when the
// writer is known to hang.
func (p *pump) abandon(hangs bool) {
	if hangs {
		return
	}
	stalled := time.NewTimer(stallTime)
	defer stalled.Stop()
	select {
	case <-p.done:
	case <-stalled.C:
	}
}
