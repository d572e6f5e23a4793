package pgstore_test

import (
	"testing"

	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// TestContractBehindPgBouncer: connections are shared between transactions.
func TestContractBehindPgBouncer(t *testing.T) {
	storagetest.Run(t, opener(func(url string) string { return pgtest.NewBouncer(t, url) }))
}
