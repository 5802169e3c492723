package remote

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"thera/arena"
)

// The most that the games of a pair have.
const (
	mostUnpacked = 16 << 20      // bytes
	mostObjects  = 5 * mostPlies // moves that were asked, and what engines said about them
	mostValues   = 50 * mostPlies
)

// Pack writes the games of a pair as a worker sends them, in at most so many bytes: JSON,
// compressed. What engines said is left out where it does not fit.
func Pack(games []*arena.Game, most int64) ([]byte, error) {
	data, err := pack(games, most)
	if err != nil {
		mute(games, err.Error())
		data, err = pack(games, most)
	}
	return data, err
}

func pack(games []*arena.Game, most int64) ([]byte, error) {
	var lines []*arena.GameLine
	for _, rec := range games {
		lines = append(lines, rec.Line(""))
	}
	text, err := json.Marshal(lines)
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	if err = errors.Join(err, w.Close()); err == nil && (len(text) > mostUnpacked || int64(out.Len()) > most) {
		err = fmt.Errorf("its pair has %d bytes, or %d packed, and %d or %d are the most",
			len(text), out.Len(), mostUnpacked, most)
	}
	return out.Bytes(), err
}

// unpack reads what Pack wrote, or anything else.
func unpack(data []byte) ([]*arena.Game, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	case len(text) > mostUnpacked:
		return nil, fmt.Errorf("games of over %d MiB", mostUnpacked>>20)
	case bytes.Count(text, []byte("{")) > mostObjects || bytes.Count(text, []byte(",")) > mostValues:
		return nil, errors.New("games of more figures or turns than any game has") // few bytes name much
	}
	var lines [3]*arena.GameLine // what follows is skipped
	if err := json.Unmarshal(text, &lines); err != nil {
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	}
	if lines[0] == nil || lines[2] != nil {
		return nil, errors.New("games that cannot be read: expected those of a pair")
	}
	var games []*arena.Game
	for _, line := range lines[:2] {
		if line == nil {
			break
		}
		rec, err := line.Checked()
		if err != nil {
			return nil, fmt.Errorf("games that cannot be read: %w", err)
		}
		games = append(games, rec)
	}
	if len(text) > mostSaid {
		mute(games, fmt.Sprintf("its pair has %d bytes", len(text)))
	}
	return games, nil
}
