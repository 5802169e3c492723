package keys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replace writes a file with mode 0600. Whatever happens, the file is the old one or
// the new one.
func replace(name string, data []byte) error {
	temp, err := temporary(name, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(temp))
	}
	return syncDir(name)
}

// create writes a file that is not there. The error is fs.ErrExist if it is.
func create(name string, data []byte) error {
	temp, err := temporary(name, data)
	if err != nil {
		return err
	}
	err = os.Link(temp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, missing := os.Lstat(name); missing == nil {
			err = fs.ErrExist
		} else if err = os.Rename(temp, name); err == nil {
			return syncDir(name)
		}
	}
	if err != nil {
		err = fmt.Errorf("writing %s: %w", name, err)
	}
	if err = errors.Join(err, os.Remove(temp)); err != nil {
		return err
	}
	return syncDir(name)
}

// temporary writes a file in the folder of name.
func temporary(name string, data []byte) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // its mode is 0600
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// syncDir makes the names in a folder durable, where folders can be synced.
func syncDir(name string) error {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	_ = dir.Sync() // not on every system
	return dir.Close()
}
