// Package files knows the files of engines: which are in the hash of one, what was hashed
// when a run began, and whether that is still there. It reads a file again only if its
// size, times or inode are not what they were.
package files

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// File is a file of an engine that is in its hash.
type File struct {
	Name string `json:"name"`   // of one beside: relative to the engine's folder, with slashes
	Sum  string `json:"sha256"` // when the run began
	// The command does not name it: it is a source beside the script, or one that the key files names.
	Beside bool   `json:"beside,omitempty"`
	Path   string `json:"-"` // "" on another machine
	Stamp  string `json:"-"` // of one that nobody has read: it has no hash
}

// ChangedError is a file of an engine that changed after it was hashed.
type ChangedError struct{ text string }

func (e *ChangedError) Error() string { return e.text }

// Program is the file of this program, which is known by something else than its hash. It is not
// read. On Linux this program runs on when its file is replaced; elsewhere the file may not change.
func Program(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	return File{Name: path, Path: path, Stamp: stampOf(info).String()}, nil
}

// Unchanged returns a *ChangedError if a file of an engine is not what it was. It
// costs a look at each file. An engine can give its files any size: one that has another size
// than when it was read is not read again.
func Unchanged(engine string, list []File) error {
	for _, f := range list {
		if f.Path == "" {
			continue
		}
		if f.Stamp != "" {
			if runtime.GOOS == "linux" {
				continue
			}
			if info, err := os.Stat(f.Path); err != nil || stampOf(info).String() != f.Stamp {
				return &ChangedError{fmt.Sprintf("engines.%s.binary: %s has changed", engine, f.Path)}
			}
			continue
		}
		is := "gone"
		was, ok := known.Load(f.Path)
		if info, err := os.Stat(f.Path); ok && err == nil && info.Size() != was.(read).stamp.size {
			is = "of another size"
		} else if sum, err := Sum(f.Path); err == nil {
			if sum == f.Sum {
				continue
			}
			is = sum[:8]
		}
		return &ChangedError{fmt.Sprintf("engines.%s.binary: %s was %.8s, is %s", engine, f.Path, f.Sum, is)}
	}
	return nil
}

// Differ names the files that differ between two lists of an engine, "" if that is not
// known.
func Differ(was, is []File) string {
	if len(was) == 0 || len(is) == 0 {
		return ""
	}
	sums := map[string]string{}
	for _, f := range was {
		sums[f.Name] = f.Sum
	}
	var words []string
	for _, f := range is {
		if sum, known := sums[f.Name]; !known {
			words = append(words, f.Name+" is new")
		} else if sum != f.Sum {
			words = append(words, f.Name+" has changed")
		}
		delete(sums, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		words = append(words, name+" is gone")
	}
	if n := len(words) - 3; n > 0 {
		words = append(words[:3], fmt.Sprintf("%d more", n))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// stamp changes when a file does.
type stamp struct {
	size          int64
	changed       time.Time // its content
	touched       int64     // its inode, in nanoseconds; 0 where the system does not say
	device, inode uint64
}

func (s stamp) String() string {
	return fmt.Sprint(s.size, s.changed.UnixNano(), s.touched, s.device, s.inode)
}

// settled reports whether a change after now would change the stamp: the clocks of
// file systems are coarse.
func (s *stamp) settled(now time.Time) bool {
	const coarse = 100 * time.Millisecond
	return now.Sub(s.changed) > coarse && now.Sub(time.Unix(0, s.touched)) > coarse
}

// known has what was read, by path, and what is settled also by its stamp: a file may have several
// paths.
var known sync.Map

type read struct {
	stamp   stamp
	settled bool // any change since then changes the stamp
	sum     string
}

// mostBytes bounds a file of an engine: reading takes ten seconds.
const mostBytes = 16 << 30

// Sum is the SHA-256 of a file, as long as it says it is: a file of the kernel, which says that
// it is empty, is not read.
func Sum(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	is := stampOf(info)
	if was, ok := known.Load(path); ok && was.(read).settled && was.(read).stamp == is {
		return was.(read).sum, nil
	}
	if was, ok := known.Load(is); ok && is.inode != 0 {
		known.Store(path, was)
		return was.(read).sum, nil
	}
	f, info, err := Open(path)
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	defer f.Close()
	if info.Size() > mostBytes {
		return "", fmt.Errorf("cannot be read: it has %d GiB, and %d are the most", info.Size()>>30, mostBytes>>30)
	}
	now, hash := time.Now(), sha256.New()
	if _, err := io.CopyN(hash, f, info.Size()); err != nil {
		return "", fmt.Errorf("cannot be read: %w", err)
	}
	r := read{stamp: stampOf(info), sum: hex.EncodeToString(hash.Sum(nil))}
	r.settled = r.stamp.settled(now)
	known.Store(path, r)
	if r.settled {
		known.Store(r.stamp, r)
	}
	return r.sum, nil
}

// Read returns the content of a regular file of at most most bytes.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text []byte
	if info.Size() <= most {
		text, err = io.ReadAll(io.LimitReader(f, most+1))
	}
	if err == nil && max(info.Size(), int64(len(text))) > most { // the file may have grown
		return nil, fmt.Errorf("%s is larger than %d MiB, the largest size allowed", path, most>>20)
	}
	return text, err
}

// Create writes a file that is not there, completely or not at all.
func Create(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// Replace writes a file, in place of one that may be there, completely or not at all.
func Replace(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, cause(err, ""))
	}
	out := bufio.NewWriter(f)
	err = cmp.Or(write(out), out.Flush(), f.Chmod(0o644), f.Sync(), f.Close()) // all are called
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		err = fmt.Errorf("writing %s: %w", path, cause(err, f.Name()))
	}
	return err
}

// cause is an error without the name of a temporary file, "" if it has none yet.
func cause(err error, temporary string) error {
	if at, ok := errors.AsType[*os.LinkError](err); ok && at.Old == temporary {
		return at.Err
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok && (temporary == "" || at.Path == temporary) {
		return at.Err
	}
	return err
}

// Size is that of all regular files below a folder, which may come and go meanwhile.
func Size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

// Open opens a regular file, which unlike a device or a pipe has an end and can be read
// twice. It does not wait for the writer of a pipe.
func Open(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder, expected a file", path)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is a device or a pipe, expected a regular file", path)
	default:
		return f, info, nil
	}
	return nil, nil, errors.Join(err, f.Close())
}
