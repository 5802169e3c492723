package mill

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A table file holds one pair of numbers of men: a header, the values of both
// spaces (one where the numbers are equal), and the SHA-256 of all before it.
// Little endian.
const (
	tableMagic   = "THERAMIL"
	tableVersion = 1
	headerSize   = 8 + 4 + 4 + 8 // magic; version; men, men, flying, 0; length of the values
)

// TableName is the file of a pair.
func TableName(a, b int, flying bool) string {
	name := fmt.Sprintf("mill-%d-%d", max(a, b), min(a, b))
	if !flying {
		name += "-noflying"
	}
	return name + ".tbl"
}

func (t *Tables) pair(a, b int) []*space {
	if a == b {
		return []*space{t.spaces[a][b]}
	}
	return []*space{t.spaces[a][b], t.spaces[b][a]}
}

// Save writes the table of a pair to folder, whole or not at all.
func (t *Tables) Save(folder string, a, b int) (path string, err error) {
	if !t.Has(a, b) {
		return "", fmt.Errorf("table %d-%d is not solved", a, b)
	}
	a, b = max(a, b), min(a, b)
	text := make([]byte, headerSize)
	copy(text, tableMagic)
	binary.LittleEndian.PutUint32(text[8:], tableVersion)
	text[12], text[13], text[14] = byte(a), byte(b), byte(b2i(t.flying))
	for _, s := range t.pair(a, b) {
		for _, v := range s.values {
			text = append(text, byte(v))
		}
	}
	binary.LittleEndian.PutUint64(text[16:], uint64(len(text)-headerSize))
	sum := sha256.Sum256(text)
	text = append(text, sum[:]...)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(folder, TableName(a, b, t.flying))
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return "", err
	}
	return path, os.Rename(path+".new", path)
}

// Load reads the table of a pair from folder.
func (t *Tables) Load(folder string, a, b int) error {
	a, b = max(a, b), min(a, b)
	if b < 3 || a > maxTableMen {
		return fmt.Errorf("men %d-%d: want 3 to %d a side", a, b, maxTableMen)
	}
	path := filepath.Join(folder, TableName(a, b, t.flying))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	spaces := []*space{newSpace(t.ranking(a), t.ranking(b))}
	if a != b {
		spaces = append(spaces, newSpace(t.ranking(b), t.ranking(a)))
	}
	want := 0
	for _, s := range spaces {
		want += s.size()
	}
	if err := checkTable(text, a, b, t.flying, want); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	body := text[headerSize:]
	for _, s := range spaces {
		s.values = make([]value, s.size())
		for i := range s.values {
			s.values[i] = value(body[i])
		}
		body = body[len(s.values):]
		t.spaces[s.mover.men][s.other.men] = s
	}
	return nil
}

// checkTable says what is wrong with a file.
func checkTable(text []byte, a, b int, flying bool, want int) error {
	if len(text) < headerSize+sha256.Size || !bytes.HasPrefix(text, []byte(tableMagic)) {
		return errors.New("not a mill endgame table")
	}
	if v := binary.LittleEndian.Uint32(text[8:]); v != tableVersion {
		return fmt.Errorf("table version %d, want %d: make it anew with `thera tables mill`", v, tableVersion)
	}
	if int(text[12]) != a || int(text[13]) != b || text[14] != byte(b2i(flying)) {
		return fmt.Errorf("holds %d-%d with flying %v, want %d-%d with flying %v", text[12], text[13], text[14] == 1, a, b, flying)
	}
	n := binary.LittleEndian.Uint64(text[16:])
	if n != uint64(want) || len(text) != headerSize+want+sha256.Size {
		return fmt.Errorf("%d bytes with %d values, want %d values: cut off or damaged", len(text), n, want)
	}
	body := text[:headerSize+want]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], text[len(body):]) {
		return errors.New("checksum does not fit: the file is damaged")
	}
	return nil
}

// LoadTables reads all tables in folder. A folder without any is an error.
func LoadTables(folder string, flying bool) (*Tables, error) {
	t := NewTables(flying)
	t.folder = folder
	found := 0
	for a := 3; a <= maxTableMen; a++ {
		for b := 3; b <= a; b++ {
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
		return nil, fmt.Errorf("no table such as %s in %q: make them with `thera tables mill`", TableName(3, 3, flying), folder)
	}
	return t, nil
}

// from reports whether the tables were read from folder for that rule.
func (t *Tables) from(folder string, flying bool) bool {
	return t != nil && t.folder == folder && t.flying == flying
}
