package config

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

// ShippedFile is a file of an engine on its way to another machine.
type ShippedFile struct {
	Engine string `json:"engine"`           // Binary of its engine
	Name   string `json:"name"`             // without a folder; the program is the first file of its engine
	Sum    string `json:"sum"`              // SHA-256
	Size   int64  `json:"size"`             // in bytes
	Beside bool   `json:"beside,omitempty"` // the command does not name it

	Path string `json:"-"` // here
}

// Shipment are the files of a plan's engines that other machines do not have by
// themselves: the program of each, the files that its command names and those beside it.
func Shipment(engines []arena.EngineSpec, dir string) ([]ShippedFile, error) {
	var all []ShippedFile
	done := map[string]bool{}
	for i := range engines {
		e := &engines[i]
		if e.Builtin || len(e.Command) == 0 || done[e.Binary] {
			continue
		}
		done[e.Binary] = true
		files, err := shipmentOf(e, dir)
		if err != nil {
			return nil, fmt.Errorf("engine %s cannot be shipped: %w", e.Name, err)
		}
		all = append(all, files...)
	}
	return all, nil
}

func shipmentOf(e *arena.EngineSpec, dir string) ([]ShippedFile, error) {
	if e.Git != "" {
		return nil, errors.New("it is built from git: its files have no hash that other machines know")
	}
	hashed, err := Hashed(e, dir)
	if err != nil {
		return nil, err
	}
	var list []ShippedFile
	for _, f := range hashed {
		info, err := os.Stat(f.Path)
		if err != nil {
			return nil, err
		}
		name := f.Name
		if !f.Beside {
			name = filepath.Base(f.Path)
		}
		list = append(list, ShippedFile{Engine: e.Binary, Name: name, Sum: f.Sum, Size: info.Size(), Beside: f.Beside, Path: f.Path})
	}
	return list, checkShipment(e.Binary, list)
}

// checkShipment refuses files that are no engine with this hash, before any of them is
// read.
func checkShipment(binary string, list []ShippedFile) error {
	names, size := map[string]bool{}, int64(0)
	var hashed []files.File
	for _, f := range list {
		switch {
		case f.Beside && strings.Contains(f.Name, "/"):
			return fmt.Errorf("its file %.200q is in another folder, and all files of a shipped engine are in one", f.Name)
		case f.Name == "" || strings.HasPrefix(f.Name, ".") || len(f.Name) > 200 || strings.ContainsAny(f.Name, "/\\:\x00"):
			return fmt.Errorf("a file cannot be called %.200q", f.Name)
		case names[f.Name]:
			return fmt.Errorf("two files are called %s", f.Name)
		case !isSum(f.Sum):
			return fmt.Errorf("%.100q is no SHA-256", f.Sum)
		case f.Size < 0 || f.Size > mostShipped:
			return fmt.Errorf("%s has %d bytes, expected at most %d MiB", f.Name, f.Size, mostShipped>>20)
		}
		names[f.Name] = true
		size += f.Size
		hashed = append(hashed, files.File{Name: f.Name, Sum: f.Sum, Beside: f.Beside})
	}
	if len(list) == 0 || len(list) > mostFiles || size > mostShipped {
		return fmt.Errorf("it has %d files and %d bytes, expected 1 to %d files and at most %d MiB", len(list), size, mostFiles, mostShipped>>20)
	}
	if got := digest(hashed); got != binary {
		return fmt.Errorf("its files have SHA-256 %s, and it is %.64q", arena.Short(got), binary)
	}
	return nil
}

// Receive fetches engines that this machine does not have into the cache. A file that
// is not what it says is never kept.
func (s *Shelf) Receive(files []ShippedFile, fetch func(f ShippedFile, to io.Writer) error) error {
	of := map[string][]ShippedFile{}
	var order []string
	for _, f := range files {
		if of[f.Engine] == nil {
			order = append(order, f.Engine)
		}
		of[f.Engine] = append(of[f.Engine], f)
	}
	for _, binary := range order {
		if err := checkShipment(binary, of[binary]); err != nil {
			return fmt.Errorf("a shipped engine is refused: %w", err)
		}
		if err := s.receive(binary, of[binary], fetch); err != nil {
			return fmt.Errorf("shipped engine %s: %w", of[binary][0].Name, err)
		}
	}
	return nil
}

func (s *Shelf) receive(binary string, files []ShippedFile, fetch func(f ShippedFile, to io.Writer) error) error {
	place := filepath.Join(s.Cache, binary)
	if s.kept(place, files) {
		return nil
	}
	if err := os.MkdirAll(s.Cache, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.Cache, "new-") // its mode is 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i, f := range files {
		mode := os.FileMode(0o600)
		if i == 0 {
			mode = 0o700
		}
		if err := receiveFile(filepath.Join(dir, f.Name), mode, f, fetch); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(place); err != nil { // one that was changed
		return err
	}
	if err := os.Rename(dir, place); err != nil && !s.kept(place, files) { // or another worker was first
		return err
	}
	return nil
}

// kept reports whether the cache has these files as they should be.
func (s *Shelf) kept(place string, list []ShippedFile) bool {
	for _, f := range list {
		if sum, err := files.Sum(filepath.Join(place, f.Name)); err != nil || sum != f.Sum {
			return false
		}
	}
	return true
}

// receiveFile fetches one file and checks its hash while it is written.
func receiveFile(name string, mode os.FileMode, f ShippedFile, fetch func(f ShippedFile, to io.Writer) error) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	sum := sha256.New()
	to := &bounded{w: io.MultiWriter(out, sum), left: f.Size}
	if err = fetch(f, to); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.Sum {
		return fmt.Errorf("what came as %s has SHA-256 %s, expected %s", f.Name, arena.Short(got), arena.Short(f.Sum))
	}
	return nil
}

// bounded refuses what is more than it was said to be.
type bounded struct {
	w    io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, errors.New("more bytes came than were announced")
	}
	b.left -= int64(len(p))
	return b.w.Write(p)
}

// shipped finds an engine in the cache. Its command must not name what is on this
// machine: a sandbox lets an engine read what its command and its variables name.
func (s *Shelf) shipped(e *arena.EngineSpec) error {
	if e.Network {
		return errors.New("shipped engines get no network")
	}
	for i, word := range append(append([]string{}, e.Env...), e.Command[1:]...) {
		own := i >= len(e.Env) && s.inCache(e.Binary, filepath.Base(word)) // it is replaced by the path here
		if strings.ContainsAny(word, `/\`) && !own {
			return fmt.Errorf("%.100q may name a file of this machine, and a shipped engine has only its own", word)
		}
	}
	place := filepath.Join(s.Cache, e.Binary)
	spec := *e
	spec.Command = append([]string{}, e.Command...)
	if err := s.lookUp(&spec, place); err != nil {
		return err
	}
	spec.Dir = place
	*e = spec
	return nil
}

func (s *Shelf) inCache(binary, name string) bool {
	info, err := os.Stat(filepath.Join(s.Cache, binary, name))
	return err == nil && info.Mode().IsRegular()
}
