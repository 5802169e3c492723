package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// The first byte of the column plies of the table records is its version. Then
// come, for every move that was asked for: a byte of flags (1: the second seat;
// 2: there is a score; 4: there are details), and as varints wall time and CPU
// time in nanoseconds, depth, nodes and, if flagged, the score; then, if flagged,
// the details (see said.go).
//
// Version 1 has no flag 4. Games without details are still written in it, so
// that older programs can read them.
const (
	pliesForm     = 1
	pliesFormSaid = 2
)

const (
	flagSecond = 1 << iota
	flagScored
	flagSaid
)

func packPlies(plies []arena.Ply) []byte {
	if len(plies) == 0 {
		return []byte{}
	}
	b := make([]byte, 1, 1+16*len(plies))
	b[0] = pliesForm
	for i := range plies {
		p := &plies[i]
		var flags byte
		if p.Seat == game.Second {
			flags |= flagSecond
		}
		if p.Scored {
			flags |= flagScored
		}
		if p.Said != nil {
			flags |= flagSaid
			b[0] = pliesFormSaid
		}
		b = append(b, flags)
		b = binary.AppendVarint(b, int64(p.Wall))
		b = binary.AppendVarint(b, int64(p.CPU))
		b = binary.AppendVarint(b, int64(p.Depth))
		b = binary.AppendVarint(b, p.Nodes)
		if p.Scored {
			b = binary.AppendVarint(b, int64(p.Score))
		}
		if p.Said != nil {
			b = appendSaid(b, p.Said)
		}
	}
	return b
}

var errPlies = errors.New("its list of moves is truncated")

func unpackPlies(b []byte) ([]arena.Ply, error) {
	if len(b) == 0 {
		return nil, nil
	}
	form := b[0]
	if form != pliesForm && form != pliesFormSaid {
		return nil, fmt.Errorf("its list of moves has the unknown version %d", form)
	}
	b = b[1:]
	plies := make([]arena.Ply, 0, len(b)/10+1)
	for len(b) > 0 {
		flags := b[0]
		b = b[1:]
		var v [5]int64
		n := 4
		if flags&flagScored != 0 {
			n = 5
		}
		for i := range n {
			x, size := binary.Varint(b)
			if size <= 0 {
				return nil, errPlies
			}
			v[i], b = x, b[size:]
		}
		p := arena.Ply{
			Seat: game.First, Wall: time.Duration(v[0]), CPU: time.Duration(v[1]),
			Depth: int(v[2]), Nodes: v[3], Score: int(v[4]), Scored: n == 5,
		}
		if flags&flagSecond != 0 {
			p.Seat = game.Second
		}
		if form == pliesFormSaid && flags&flagSaid != 0 {
			var err error
			if p.Said, b, err = takeSaid(b); err != nil {
				return nil, err
			}
		}
		plies = append(plies, p)
	}
	return plies, nil
}
