package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
		err := flat(e)
		if e.Git != "" {
			err = errors.New("it is built from git: its files have no hash that other machines know")
		}
		if err == nil {
			err = files.Unchanged(e.Name, e.Hashed)
		}
		if err != nil {
			return nil, fmt.Errorf("engine %s cannot be shipped: %w", e.Name, err)
		}
		for _, f := range e.Hashed {
			paths[f.Sum] = f.Path
		}
	}
	return paths, nil
}

// flat refuses an engine whose files cannot lie in one folder.
func flat(e *arena.EngineSpec) error {
	if len(e.Hashed) > mostFiles {
		return fmt.Errorf("it has %d files, expected at most %d", len(e.Hashed), mostFiles)
	}
	names := map[string]bool{}
	for _, f := range e.Hashed {
		name := inFolder(f)
		switch {
		case f.Beside && strings.Contains(f.Name, "/"):
			return fmt.Errorf("its file %.200q is in another folder, and all files of a shipped engine are in one", f.Name)
		case name == "" || strings.HasPrefix(name, ".") || len(name) > 200 || strings.ContainsAny(name, "/\\:\x00"):
			return fmt.Errorf("a file cannot be called %.200q", name)
		case names[name]:
			return fmt.Errorf("two files are called %s", name)
		case len(f.Sum) != 2*sha256.Size || strings.Trim(f.Sum, "0123456789abcdef") != "":
			return fmt.Errorf("%.100q is no SHA-256", f.Sum)
		}
		names[name] = true
	}
	return nil
}

// shipped finds an engine in the cache, or fetches it, where it is not elsewhere. Its command must not
// name what is on this machine: a sandbox lets an engine read what its command and its variables name.
func (s *Shelf) shipped(e *arena.EngineSpec, fetch Fetch, elsewhere error) error {
	if err := flat(e); err != nil {
		return errors.Join(elsewhere, fmt.Errorf("it is not taken from its host: %w", err))
	}
	dir := filepath.Join(s.Cache, e.Binary)
	own := map[string]bool{} // they are replaced by the paths here
	for _, f := range e.Hashed {
		own[inFolder(f)] = true
	}
	if e.Network {
		return errors.New("shipped engines get no network")
	}
	for i, word := range append(e.Command[1:len(e.Command):len(e.Command)], e.Env...) {
		if strings.ContainsAny(word, `/\`) && (i >= len(e.Command)-1 || !own[filepath.Base(word)]) {
			return fmt.Errorf("%.100q may name a file of this machine, and a shipped engine has only its own", word)
		}
	}
	e.Dir = dir
	err := use(e, dir)
	if err == nil || fetch == nil {
		return err
	}
	if err := s.receive(dir, e.Hashed, fetch); err != nil {
		return err
	}
	return use(e, dir)
}

// receive fetches the files of an engine into a new folder, which then gets its name.
func (s *Shelf) receive(to string, list []files.File, fetch Fetch) error {
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
		if err := receiveFile(filepath.Join(dir, inFolder(f)), mode, f.Sum, &left, fetch); err != nil {
			return fmt.Errorf("%s: %w", inFolder(f), err)
		}
	}
	if err := os.RemoveAll(to); err != nil { // one that was changed
		return err
	}
	_ = os.Rename(dir, to) // or another worker was first
	return nil
}

// receiveFile fetches one file of at most left bytes and checks its hash while it is
// written.
func receiveFile(name string, mode os.FileMode, sum string, left *int64, fetch Fetch) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	is := sha256.New()
	if err = fetch(sum, &bounded{w: io.MultiWriter(out, is), left: left}); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(is.Sum(nil)); got != sum {
		return fmt.Errorf("what came has SHA-256 %s, expected %s", arena.Short(got), arena.Short(sum))
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
