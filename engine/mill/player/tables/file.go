package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A file holds the table of one pair of numbers of men: a header, the values of both spaces
// (of the one space if the numbers are equal), and the SHA-256 of everything before it.
// Integers are little endian.
const (
	magic      = "THERAMIL"
	version    = 1
	headerSize = 8 + 4 + 4 + 8 // magic; version; men, men, flying, 0; number of values
)

// fileName returns the name of the file of a pair.
func fileName(a, b int, flying bool) string {
	name := fmt.Sprintf("mill-%d-%d", max(a, b), min(a, b))
	if !flying {
		name += "-noflying"
	}
	return name + ".tbl"
}

// Save writes the table of a pair to folder. It writes the whole file or none.
func (t *Tables) Save(folder string, a, b int) (path string, err error) {
	if !t.Has(a, b) {
		return "", fmt.Errorf("table %d-%d is not solved", a, b)
	}
	a, b = max(a, b), min(a, b)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(folder, fileName(a, b, t.flying))
	file, err := os.Create(path + ".new")
	if err != nil {
		return "", err
	}
	if err := errors.Join(t.write(file, a, b), file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path+".new"))
	}
	return path, os.Rename(path+".new", path)
}

// write writes the file of a pair.
func (t *Tables) write(file io.Writer, a, b int) error {
	head, size := make([]byte, headerSize), 0
	for _, s := range t.pair(a, b) {
		size += len(s.values)
	}
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], version)
	head[12], head[13], head[14] = byte(a), byte(b), flag(t.flying)
	binary.LittleEndian.PutUint64(head[16:], uint64(size))
	sum := sha256.New()
	both := io.MultiWriter(file, sum)
	_, err := both.Write(head)
	for _, s := range t.pair(a, b) {
		if err == nil {
			_, err = both.Write(s.values)
		}
	}
	if err == nil {
		_, err = file.Write(sum.Sum(nil))
	}
	return err
}

// Load reads the table of a pair from folder.
func (t *Tables) Load(folder string, a, b int) error {
	a, b = max(a, b), min(a, b)
	if _, err := Needs(a, b); err != nil {
		return err
	}
	path := filepath.Join(folder, fileName(a, b, t.flying))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	pair, want := t.newPair(a, b), 0
	for _, s := range pair {
		want += s.size()
	}
	if err := check(text, a, b, t.flying, want); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	body := text[headerSize:]
	for _, s := range pair {
		s.values, body = body[:s.size()], body[s.size():]
		t.spaces[s.mover.men][s.other.men] = s
	}
	return nil
}

// check returns an error if text is not a whole file of the pair, with want values.
func check(text []byte, a, b int, flying bool, want int) error {
	if len(text) < headerSize+sha256.Size || !bytes.HasPrefix(text, []byte(magic)) {
		return errors.New("not a mill endgame table")
	}
	if v := binary.LittleEndian.Uint32(text[8:]); v != version {
		return fmt.Errorf("table version %d, want %d: solve it again with `thera engine mill tables`", v, version)
	}
	if int(text[12]) != a || int(text[13]) != b || text[14] != flag(flying) {
		return fmt.Errorf("holds %d-%d with flying %v, want %d-%d with flying %v", text[12], text[13], text[14] == 1, a, b, flying)
	}
	n := binary.LittleEndian.Uint64(text[16:])
	if n != uint64(want) || len(text) != headerSize+want+sha256.Size {
		return fmt.Errorf("%d bytes for %d values, want %d values: the file is cut off or damaged", len(text), n, want)
	}
	body := text[:headerSize+want]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], text[len(body):]) {
		return errors.New("wrong checksum: the file is damaged")
	}
	return nil
}

// LoadAll reads all tables in folder. It returns an error if there is none.
func LoadAll(folder string, flying bool) (*Tables, error) {
	t := New(flying)
	found := 0
	for a := minMen; a <= maxMen; a++ {
		for b := minMen; b <= a; b++ {
			err := t.Load(folder, a, b)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			found++
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("no table such as %s in %q: make them with `thera engine mill tables`", fileName(minMen, minMen, flying), folder)
	}
	return t, nil
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
