package selfplay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"thera/engine/santorini/rules"
)

// Header says how the games of a stream were played. Two streams with equal headers
// hold the same games.
type Header struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Engine  int64             `json:"engine"` // the signature of the player
	Options map[string]string `json:"options,omitempty"`
	Nodes   int64             `json:"nodes"` // a move
	Plies   int               `json:"plies"` // random ones before the first move, at least
	Seed    uint64            `json:"seed"`
	Gods    []string          `json:"gods"`
}

const (
	formatName    = "thera-santorini-selfplay"
	formatVersion = 1
	maxHeader     = 1 << 16
	maxPayload    = 1 << 20
	blockHead     = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// line is the header as it is written.
func (h Header) line() ([]byte, error) {
	h.Format, h.Version = formatName, formatVersion
	line, err := json.Marshal(h)
	return append(line, '\n'), err
}

// checksum is that of a game of the stream with this header line.
func checksum(line []byte, number int64, payload []byte) uint32 {
	sum := crc32.Update(0, castagnoli, line)
	sum = crc32.Update(sum, castagnoli, binary.LittleEndian.AppendUint64(nil, uint64(number)))
	return crc32.Update(sum, castagnoli, payload)
}

// Writer appends games to a stream. Each game is one call of Write below it.
type Writer struct {
	out    io.Writer
	line   []byte
	index  map[rules.God]int // in Header.Gods
	number int64
	block  []byte
}

// NewWriter returns a writer that continues a stream. If the stream has not begun, it
// writes the header first.
func NewWriter(out io.Writer, h Header, begun bool, games int64) (*Writer, error) {
	line, err := h.line()
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, line: line, index: map[rules.God]int{}, number: games}
	gods, err := rules.ParseGods(h.Gods)
	if err != nil {
		return nil, err
	}
	for i, god := range gods {
		w.index[god] = i
	}
	if !begun {
		_, err = out.Write(line)
	}
	return w, err
}

// Write appends a game.
func (w *Writer) Write(g *Game) error {
	w.block = appendGame(append(w.block[:0], make([]byte, blockHead)...), w.index, g)
	payload := w.block[blockHead:]
	binary.LittleEndian.PutUint32(w.block, uint32(len(payload)))
	binary.LittleEndian.PutUint32(w.block[4:], checksum(w.line, w.number, payload))
	_, err := w.out.Write(w.block)
	w.number++
	return err
}

// Reader reads a stream.
type Reader struct {
	Header Header
	Games  int64 // read so far
	Offset int64 // the end of the last game read, or of the header

	in   *bufio.Reader
	line []byte
	gods []rules.God
	data []byte
}

// ErrIncomplete is the end of a stream within a header or a game: its writer was
// killed. The stream up to Reader.Offset is sound.
var ErrIncomplete = errors.New("the last game is incomplete")

// NewReader reads the header of a stream.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, maxHeader)}
	line, err := r.in.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF) && bytes.HasPrefix([]byte(`{"format":"`+formatName), line[:min(len(line), len(formatName)+11)]):
		return nil, ErrIncomplete
	case err != nil:
		return nil, fmt.Errorf("not a stream of self-play: no header line")
	}
	r.line, r.Offset = bytes.Clone(line), int64(len(line))
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r.Header); err != nil || r.Header.Format != formatName {
		return nil, fmt.Errorf("not a stream of self-play: header %.60q", line)
	}
	if r.Header.Version != formatVersion {
		return nil, fmt.Errorf("version %d of the format, want %d", r.Header.Version, formatVersion)
	}
	if r.gods, err = rules.ParseGods(r.Header.Gods); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return r, nil
}

// Next reads a game into g, whose memory it uses again. At the end it returns io.EOF
// or ErrIncomplete. All other errors mean damage.
func (r *Reader) Next(g *Game) error {
	var head [blockHead]byte
	switch _, err := io.ReadFull(r.in, head[:]); {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrIncomplete
	case err != nil:
		return err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxPayload {
		return r.damage(fmt.Errorf("a payload of %d bytes", n))
	}
	if cap(r.data) < int(n) {
		r.data = make([]byte, n)
	}
	r.data = r.data[:n]
	switch _, err := io.ReadFull(r.in, r.data); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrIncomplete
	case err != nil:
		return err
	}
	if sum := binary.LittleEndian.Uint32(head[4:]); sum != checksum(r.line, r.Games, r.data) {
		return r.damage(errors.New("the checksum differs"))
	}
	if err := unpackGame(r.data, r.gods, g); err != nil {
		return r.damage(err)
	}
	r.Games++
	r.Offset += blockHead + int64(n)
	return nil
}

func (r *Reader) damage(err error) error {
	return fmt.Errorf("game %d at byte %d is damaged: %w", r.Games, r.Offset, err)
}

// SameGames returns an error that names the first setting in which two headers differ.
func SameGames(have, want Header) error {
	a, errA := want.line()
	b, errB := have.line()
	if err := errors.Join(errA, errB); err != nil || bytes.Equal(a, b) {
		return err
	}
	return fmt.Errorf("it holds games of other settings:\n  %s  these are\n  %s", b, bytes.TrimSpace(a))
}
