//go:build unix

package boltstore

import (
	"os"
	"path/filepath"
	"syscall"
)

// giveToOwner gives a new file to the owner of its folder if root created it.
func giveToOwner(f *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(f.Name()))
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
