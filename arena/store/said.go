package store

import (
	"encoding/binary"
	"math"
	"time"

	"thera/engine/game"
)

// The details that an engine reported about a move are stored as the time and
// the bits of the score, both varints, and then as texts, each a length and the
// bytes: current move, current line, best line, target, and the free remarks
// after their number.

func appendSaid(b []byte, s *game.Details) []byte {
	b = binary.AppendVarint(b, int64(s.Time))
	b = binary.AppendUvarint(b, math.Float64bits(s.Score))
	for _, text := range [...]string{s.CurrMove, s.CurrLine, s.PV, s.Target} {
		b = appendText(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(s.Texts)))
	for _, text := range s.Texts {
		b = appendText(b, text)
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// takeSaid reads what appendSaid wrote and returns the bytes after it.
func takeSaid(b []byte) (*game.Details, []byte, error) {
	r := &reader{rest: b}
	s := &game.Details{Time: time.Duration(r.varint()), Score: math.Float64frombits(r.uvarint())}
	for _, text := range []*string{&s.CurrMove, &s.CurrLine, &s.PV, &s.Target} {
		*text = r.text()
	}
	for n := r.uvarint(); n > 0 && !r.torn; n-- {
		s.Texts = append(s.Texts, r.text())
	}
	if r.torn {
		return nil, nil, errPlies
	}
	return s, r.rest, nil
}

// reader reads values from the front of rest. torn is set if rest was too short.
type reader struct {
	rest []byte
	torn bool
}

func (r *reader) varint() int64 {
	v, size := binary.Varint(r.rest)
	r.skip(size)
	return v
}

func (r *reader) uvarint() uint64 {
	v, size := binary.Uvarint(r.rest)
	r.skip(size)
	return v
}

func (r *reader) text() string { return string(r.bytes()) }

// bytes reads a length and that many bytes, which are not copied.
func (r *reader) bytes() []byte { return r.take(r.uvarint()) }

func (r *reader) byte() byte {
	if b := r.take(1); !r.torn {
		return b[0]
	}
	return 0
}

func (r *reader) fixed32() uint32 {
	if b := r.take(4); !r.torn {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) fixed64() uint64 {
	if b := r.take(8); !r.torn {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) take(n uint64) []byte {
	if r.torn || n > uint64(len(r.rest)) {
		r.torn = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) skip(size int) {
	if size <= 0 {
		r.torn, r.rest = true, nil
		return
	}
	r.rest = r.rest[size:]
}
