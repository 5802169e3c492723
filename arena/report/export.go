package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"thera/arena"
)

// exportVersion is the version of exported files.
const exportVersion = 2

// ExportHead is the first line of an exported file.
type ExportHead struct {
	Thera int `json:"thera"` // exportVersion
	arena.RunInfo
	Engines []arena.EngineSpec `json:"engines"`
}

// ExportEnd is the last line of an exported file. A file without it is
// truncated.
type ExportEnd struct {
	End     bool   `json:"end"`               // true
	Games   int    `json:"games"`             // lines between the first and this one
	Damaged int    `json:"damaged,omitempty"` // games of the run that could not be read
	SHA256  string `json:"sha256"`            // of all lines before it, with their line feeds
}

// endMark is the beginning of the closing line and of no other line.
var endMark = []byte(`{"end":`)

// Exporter writes an exported file.
type Exporter struct {
	enc *json.Encoder
	sum hash.Hash
	run string
	end ExportEnd
}

// NewExporter writes the head, and sets its version.
func NewExporter(w io.Writer, head ExportHead) (*Exporter, error) {
	e := &Exporter{sum: sha256.New(), run: head.Name, end: ExportEnd{End: true}}
	e.enc = NewJSON(io.MultiWriter(w, e.sum))
	head.Thera = exportVersion
	return e, e.enc.Encode(head)
}

// Game writes one game.
func (e *Exporter) Game(rec *arena.Game) error {
	e.end.Games++
	return e.enc.Encode(rec.Line(e.run))
}

// Close writes the closing line. damaged is the number of games that could not
// be read and are missing.
func (e *Exporter) Close(damaged int) error {
	e.end.Damaged, e.end.SHA256 = damaged, hex.EncodeToString(e.sum.Sum(nil))
	return e.enc.Encode(e.end)
}

// ReadExport reads an exported file: it calls head once and then each for every
// game. Lines have at most maxLine bytes; name is for errors. After an error, do not
// trust what was read before it.
func ReadExport(
	name string, r io.Reader, maxLine int, head func(ExportHead) error, each func(*arena.Game) error,
) (end *ExportEnd, err error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 1<<16), maxLine)
	sum := sha256.New()
	n, games := 0, 0
	for scan.Scan() {
		n++
		text := scan.Bytes()
		switch {
		case n == 1:
			err = readHead(text, head)
		case len(bytes.TrimSpace(text)) == 0:
		case end != nil:
			err = errors.New("a line after the closing line")
		case bytes.HasPrefix(text, endMark):
			end, err = readEnd(text, games, hex.EncodeToString(sum.Sum(nil)))
		default:
			games++
			err = readLine(text, each)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		sum.Write(text)
		sum.Write([]byte{'\n'})
	}
	switch {
	case scan.Err() != nil:
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, scan.Err())
	case n == 0:
		return nil, fmt.Errorf("%s: empty, want the output of thera export", name)
	case end == nil:
		return nil, fmt.Errorf("%s:%d: the file ends after %d games, without its closing line: it is truncated", name, n, games)
	}
	return end, nil
}

func readHead(text []byte, head func(ExportHead) error) error {
	var h ExportHead
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("not the head of an exported run: %w", err)
	}
	switch {
	case h.Thera == 0:
		return errors.New(`not the head of an exported run: no "thera"`)
	case h.Thera != exportVersion:
		return fmt.Errorf("version %d of exported runs, this program reads %d", h.Thera, exportVersion)
	case h.Name == "" || len(h.Engines) == 0:
		return errors.New("the head has no run or no engines")
	}
	return head(h)
}

func readEnd(text []byte, games int, sum string) (*ExportEnd, error) {
	var end ExportEnd
	if err := json.Unmarshal(text, &end); err != nil {
		return nil, fmt.Errorf("closing line: %w", err)
	}
	switch {
	case end.Games != games:
		return nil, fmt.Errorf("the closing line counts %d games, the file has %d", end.Games, games)
	case end.SHA256 != sum:
		return nil, errors.New("the lines were changed: the checksum in the closing line differs")
	}
	return &end, nil
}

func readLine(text []byte, each func(*arena.Game) error) error {
	var line arena.GameLine
	if err := json.Unmarshal(text, &line); err != nil {
		return fmt.Errorf("not a game: %w", err)
	}
	rec, err := line.Checked()
	if err != nil {
		return err
	}
	return each(rec)
}
