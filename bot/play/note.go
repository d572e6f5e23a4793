package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/storage"
)

// Note reads what [Service.SaveNote] has noted under a key for the next run of
// the program, and leaves v alone when nothing was.
func (s *Service) Note(ctx context.Context, key string, v any) error {
	_, err := s.readNote(ctx, key, v)
	return err
}

// readNote is [Service.Note], and returns the note as it is stored.
func (s *Service) readNote(ctx context.Context, key string, v any) ([]byte, error) {
	text, err := s.opt.Store.State(ctx, key)
	if err == nil && text != nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return text, fmt.Errorf("read the note %q: %w", key, err)
	}
	return text, nil
}

// SaveNote notes a value under a key, as JSON of at most storage.MaxState bytes;
// nil removes the note. What it depends on may be given; the error wraps
// storage.ErrConflict when that holds no more.
func (s *Service) SaveNote(ctx context.Context, key string, v any, on ...storage.Basis) (err error) {
	var text []byte
	if v != nil {
		if text, err = json.Marshal(v); err != nil {
			return fmt.Errorf("write the note %q: %w", key, err)
		}
	}
	return s.opt.Store.SaveState(ctx, key, text, on...)
}

// revise changes a note that other processes may change too. f returns the note as it
// is to be, nil for none, and false where it stays; it is called again when another
// process was faster.
func revise[T any](ctx context.Context, s *Service, key string, f func(T) (next any, changed bool)) error {
	for {
		var v T
		text, err := s.readNote(ctx, key, &v)
		if err != nil {
			return err
		}
		next, changed := f(v)
		if !changed {
			return nil
		}
		err = s.SaveNote(ctx, key, next, storage.Basis{Notes: map[string][]byte{key: text}})
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}
