package remote

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"thera/arena"
)

// The most that the games of a pair have.
const (
	mostUnpacked = 16 << 20      // bytes
	mostObjects  = 5 * mostPlies // moves that were asked, and what engines said about them
	mostValues   = 50 * mostPlies
)

// Pack writes the games of a pair as a worker sends them: JSON, compressed.
func Pack(games []*arena.Record) ([]byte, error) {
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	var lines []*arena.GameLine
	for _, rec := range games {
		lines = append(lines, rec.Line(""))
	}
	if err := json.NewEncoder(w).Encode(lines); err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	err := w.Close()
	return out.Bytes(), err
}

// packers and unpackers are used again: they have windows of 32 KiB and more.
var (
	packers = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			panic(err) // there is no such level
		}
		return w
	}}
	unpackers = sync.Pool{New: func() any { return &unpacker{flate: flate.NewReader(nil)} }}
)

// unpacker reads the games of one pair at a time.
type unpacker struct {
	flate io.ReadCloser
	text  bytes.Buffer
}

// inflate returns what was compressed, until the next time. It waits for room before it makes more
// than a large pair.
func (u *unpacker) inflate(data []byte, room func()) ([]byte, error) {
	if err := u.flate.(flate.Resetter).Reset(bytes.NewReader(data), nil); err != nil {
		return nil, err
	}
	u.text.Reset()
	_, err := u.text.ReadFrom(io.LimitReader(u.flate, largePair))
	if err == nil && u.text.Len() == largePair {
		room()
		_, err = u.text.ReadFrom(io.LimitReader(u.flate, mostUnpacked-largePair+1))
	}
	text := u.text.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	case len(text) > mostUnpacked:
		return nil, fmt.Errorf("games of over %d MiB", mostUnpacked>>20)
	case bytes.Count(text, []byte("{")) > mostObjects || bytes.Count(text, []byte(",")) > mostValues:
		return nil, errors.New("games of more figures or turns than any game has") // few bytes name much
	}
	return text, nil
}

// unpack reads what Pack wrote, or anything else.
func (h *Host) unpack(data []byte) ([]*arena.Record, error) {
	u, large := unpackers.Get().(*unpacker), false
	defer func() {
		if large {
			<-h.large
		}
	}()
	text, err := u.inflate(data, func() {
		h.large <- struct{}{}
		large = true
	})
	if u.text.Cap() <= 1<<20 {
		defer unpackers.Put(u)
	}
	if err != nil {
		return nil, err
	}
	var lines [3]*arena.GameLine // what follows is skipped
	if err := json.Unmarshal(text, &lines); err != nil {
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	}
	if lines[0] == nil || lines[2] != nil {
		return nil, errors.New("games that cannot be read: expected those of a pair")
	}
	var games []*arena.Record
	for _, line := range lines {
		if line == nil {
			break
		}
		rec, err := line.Record()
		if err != nil {
			return nil, fmt.Errorf("games that cannot be read: %w", err)
		}
		games = append(games, rec)
	}
	return games, nil
}
