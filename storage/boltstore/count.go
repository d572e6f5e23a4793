package boltstore

import (
	"context"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
)

var _ storage.Counter = (*Store)(nil)

// Count implements [storage.Counter]. It goes by the indexes, which are small beside the
// games: some 60 bytes for each.
func (s *Store) Count(ctx context.Context) (c storage.Counts, err error) {
	err = s.view(ctx, func(tx *bolt.Tx) error {
		count := func(name []byte) int { return tx.Bucket(name).Stats().KeyN }
		c.Proposed = count(dueBucket(storage.DueExpiry))
		c.Running = count(channelBucket) - c.Proposed // which has what is not finished
		c.Finished = count(dueBucket(storage.DueRemoval))
		return nil
	})
	return c, err
}
