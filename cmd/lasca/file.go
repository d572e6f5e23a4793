package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// replacement is a file being written. Once complete, it takes its name, and the
// place of an older file, in one step. If it is never completed, nothing is left
// behind.
type replacement struct {
	io.Writer
	file *os.File // nil for standard output
	name string   // as it will be called; "" if file is not a regular file
}

// toOutput reports whether -o asks for standard output.
func toOutput(name string) bool { return name == "-" }

// replaceOr opens a replacement for a file, or for "-" one that writes to standard
// output.
func replaceOr(stdout io.Writer, name string) (*replacement, error) {
	if toOutput(name) {
		return &replacement{Writer: stdout}, nil
	}
	return replace(name)
}

// replace opens a replacement for a file, whether it exists or not. If it exists
// but is not a regular file, such as a device or a pipe, the replacement writes
// to it directly. The caller closes the replacement with keep or drop.
func replace(name string) (*replacement, error) {
	mode := fs.FileMode(0o666)
	switch info, err := os.Stat(name); {
	case err != nil: // if it cannot exist, creating it fails with a better error
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a file", name)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &replacement{Writer: f, file: f}, err
	default:
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
	}
	// Beside the file, since a rename only works within one file system.
	f, err := os.OpenFile(name+"."+rand.Text()[:8]+".tmp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	return &replacement{f, f, name}, nil
}

// keep turns what was written into the file.
func (r *replacement) keep() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	if r.name == "" {
		return err
	}
	if err == nil {
		err = os.Rename(r.file.Name(), r.name)
	}
	if err != nil {
		os.Remove(r.file.Name())
	}
	return err
}

// drop discards what was written.
func (r *replacement) drop() {
	if r.file == nil {
		return
	}
	r.file.Close()
	if r.name != "" {
		os.Remove(r.file.Name())
	}
}

// writeFile replaces a file, or writes to standard output for "-".
func writeFile(stdout io.Writer, name string, data []byte) error {
	f, err := replaceOr(stdout, name)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.drop()
		return err
	}
	return f.keep()
}
