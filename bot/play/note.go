package play

import (
	"context"
	"encoding/json"
	"fmt"
)

// Note reads what [Service.SaveNote] has noted under a key for the next run of
// the program, and leaves v alone when nothing was.
func (s *Service) Note(ctx context.Context, key string, v any) error {
	text, err := s.opt.Store.State(ctx, key)
	if err == nil && text != nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("read the note %q: %w", key, err)
	}
	return nil
}

// SaveNote notes a value under a key, as JSON of at most storage.MaxState bytes;
// nil removes the note.
func (s *Service) SaveNote(ctx context.Context, key string, v any) (err error) {
	var text []byte
	if v != nil {
		if text, err = json.Marshal(v); err != nil {
			return fmt.Errorf("write the note %q: %w", key, err)
		}
	}
	return s.opt.Store.SaveState(ctx, key, text)
}
