package memstore_test

import (
	"testing"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
	"github.com/lascabot/lascabot/storage/storagetest"
)

func TestContract(t *testing.T) {
	storagetest.Run(t, func(testing.TB, string) storage.Store { return memstore.New() })
}

func TestFleetContract(t *testing.T) {
	storagetest.RunFleet(t, func(testing.TB) storage.Fleet { return memstore.New() })
}
