package keys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// write writes a file with mode 0600: whatever happens, it is the old one or the new one.
func write(name string, data []byte) error { return place(name, data, os.Rename) }

// create writes a file that is not there. The error is fs.ErrExist if it is.
func create(name string, data []byte) error {
	return place(name, data, func(temp, name string) error {
		err := os.Link(temp, name)
		if _, missing := os.Lstat(name); err == nil || missing == nil {
			return err
		}
		return os.Rename(temp, name) // a file system without links
	})
}

// place writes a file under another name and has it moved.
func place(name string, data []byte, move func(temp, name string) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // its mode is 0600
	if err == nil {
		defer os.Remove(f.Name())
		_, err = f.Write(data)
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err == nil {
		err = move(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
