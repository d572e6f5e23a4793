package pgstore_test

import (
	"errors"
	"testing"

	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// TestContractBehindAPgBouncer: nothing relies on a connection from one transaction to the
// next.
func TestContractBehindAPgBouncer(t *testing.T) {
	t.Setenv(pgtest.Variable, pgtest.Bounce(t, pgtest.Server(t), "transaction"))
	storagetest.Run(t, opener())
}

// TestExamineKnowsAPgBouncer and says when its mode does not do.
func TestExamineKnowsAPgBouncer(t *testing.T) {
	url := pgtest.New(t)
	if st, err := pgstore.Examine(t.Context(), url); err != nil || st.Pooler || st.Limit <= 0 {
		t.Errorf("directly: %+v, %v", st, err)
	}
	if st, err := pgstore.Examine(t.Context(), pgtest.Bounce(t, url, "transaction")); err != nil || !st.Pooler {
		t.Errorf("in transaction mode: %+v, %v", st, err)
	}
	if _, err := pgstore.Examine(t.Context(), pgtest.Bounce(t, url, "statement")); !errors.Is(err, pgstore.ErrStatementMode) {
		t.Errorf("in statement mode: %v", err)
	}
}
