package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/files"
)

// Bounds of an engine that is shipped.
const (
	mostShipped = 256 << 20 // bytes of its files
	mostFiles   = 64
)

// Shipment are the paths of all files of the engines that other machines do not have by
// themselves, by their SHA-256.
func Shipment(engines []arena.EngineSpec) (map[string]string, error) {
	paths := map[string]string{}
	for i := range engines {
		e := &engines[i]
		if e.Builtin {
			continue
		}
		if err := shippable(e); err != nil {
			return nil, fmt.Errorf("engine %s cannot be shipped: %w", e.Name, err)
		}
		for _, f := range e.Hashed {
			paths[f.Sum] = f.Path
		}
	}
	return paths, nil
}

func shippable(e *arena.EngineSpec) error {
	if e.Git != "" {
		return errors.New("it is built from git: its files have no hash that other machines know")
	}
	if _, err := flat(e); err != nil {
		return err
	}
	size := int64(0)
	for _, f := range e.Hashed {
		info, err := os.Stat(f.Path)
		if err != nil {
			return err
		}
		size += info.Size()
	}
	if size > mostShipped {
		return fmt.Errorf("it has %d bytes, expected at most %d MiB", size, mostShipped>>20)
	}
	return files.Unchanged(e.Name, e.Hashed)
}

// flat are the files of an engine as they lie in one folder. What is no engine with its
// hash is refused, before any file is read.
func flat(e *arena.EngineSpec) ([]files.File, error) {
	if len(e.Hashed) == 0 || len(e.Hashed) > mostFiles {
		return nil, fmt.Errorf("it has %d files, expected 1 to %d", len(e.Hashed), mostFiles)
	}
	names := map[string]bool{}
	var list []files.File
	for _, f := range e.Hashed {
		if !f.Beside {
			f.Name = path.Base(f.Name)
		}
		switch {
		case f.Beside && strings.Contains(f.Name, "/"):
			return nil, fmt.Errorf("its file %.200q is in another folder, and all files of a shipped engine are in one", f.Name)
		case f.Name == "" || strings.HasPrefix(f.Name, ".") || len(f.Name) > 200 ||
			strings.ContainsAny(f.Name, "/\\:\x00"):
			return nil, fmt.Errorf("a file cannot be called %.200q", f.Name)
		case names[f.Name]:
			return nil, fmt.Errorf("two files are called %s", f.Name)
		case !isSum(f.Sum):
			return nil, fmt.Errorf("%.100q is no SHA-256", f.Sum)
		}
		names[f.Name] = true
		list = append(list, f)
	}
	if got := files.Digest(list); got != e.Binary {
		return nil, fmt.Errorf("its files have SHA-256 %s, and it is %.64q", arena.Short(got), e.Binary)
	}
	return list, nil
}

// isSum reports whether text is a SHA-256 as thera writes it.
func isSum(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// shipped finds an engine in the cache, or fetches it. Its command must not name what is on this
// machine: a sandbox lets an engine read what its command and its variables name.
func (s *Shelf) shipped(e *arena.EngineSpec, list []files.File, fetch Fetch) error {
	if e.Network {
		return errors.New("shipped engines get no network")
	}
	own := map[string]bool{} // they are replaced by the paths here
	for _, f := range list {
		own[f.Name] = true
	}
	for i, word := range append(slices.Clone(e.Command[1:]), e.Env...) {
		if strings.ContainsAny(word, `/\`) && (i >= len(e.Command)-1 || !own[filepath.Base(word)]) {
			return fmt.Errorf("%.100q may name a file of this machine, and a shipped engine has only its own", word)
		}
	}
	place := filepath.Join(s.Cache, e.Binary)
	if !kept(place, list) {
		if err := s.receive(place, list, fetch); err != nil {
			return err
		}
	}
	if err := lookUp(e, place); err != nil {
		return err
	}
	e.Dir = place
	return nil
}

// receive fetches the files of an engine into a new folder, which then gets its name.
func (s *Shelf) receive(place string, list []files.File, fetch Fetch) error {
	if err := os.MkdirAll(s.Cache, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.Cache, "new-") // its mode is 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	left := int64(mostShipped)
	for i, f := range list {
		mode := os.FileMode(0o600)
		if i == 0 {
			mode = 0o700
		}
		if err := receiveFile(filepath.Join(dir, f.Name), mode, f, &left, fetch); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(place); err != nil { // one that was changed
		return err
	}
	if err := os.Rename(dir, place); err != nil && !kept(place, list) { // or another worker was first
		return err
	}
	return nil
}

// kept reports whether a folder has these files as they should be.
func kept(place string, list []files.File) bool {
	for _, f := range list {
		if sum, err := files.Sum(filepath.Join(place, f.Name)); err != nil || sum != f.Sum {
			return false
		}
	}
	return true
}

// receiveFile fetches one file of at most left bytes and checks its hash while it is
// written.
func receiveFile(name string, mode os.FileMode, f files.File, left *int64, fetch Fetch) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	sum := sha256.New()
	if err = fetch(f.Sum, &bounded{w: io.MultiWriter(out, sum), left: left}); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.Sum {
		return fmt.Errorf("what came as %s has SHA-256 %s, expected %s", f.Name, arena.Short(got), arena.Short(f.Sum))
	}
	return nil
}

// bounded refuses what is over the bytes that are left.
type bounded struct {
	w    io.Writer
	left *int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if *b.left -= int64(len(p)); *b.left < 0 {
		return 0, fmt.Errorf("over %d MiB come", mostShipped>>20)
	}
	return b.w.Write(p)
}
