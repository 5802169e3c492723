package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// pliesForm is the first byte of the records' column plies. Then, for every
// asked move: a byte of flags (1: the second seat; 2: has a score), and as
// varints wall time and CPU time in nanoseconds, depth, nodes and, where
// flagged, the score.
const pliesForm = 1

const (
	flagSecond = 1 << iota
	flagScored
)

func packPlies(plies []arena.Ply) []byte {
	if len(plies) == 0 {
		return []byte{}
	}
	b := make([]byte, 1, 1+16*len(plies))
	b[0] = pliesForm
	for _, p := range plies {
		var flags byte
		if p.Seat == game.Second {
			flags |= flagSecond
		}
		if p.Scored {
			flags |= flagScored
		}
		b = append(b, flags)
		b = binary.AppendVarint(b, int64(p.Wall))
		b = binary.AppendVarint(b, int64(p.CPU))
		b = binary.AppendVarint(b, int64(p.Depth))
		b = binary.AppendVarint(b, p.Nodes)
		if p.Scored {
			b = binary.AppendVarint(b, int64(p.Score))
		}
	}
	return b
}

var errPlies = errors.New("the record of moves' times ends early")

func unpackPlies(b []byte) ([]arena.Ply, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if b[0] != pliesForm {
		return nil, fmt.Errorf("the record of moves' times has the unknown form %d", b[0])
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
		plies = append(plies, p)
	}
	return plies, nil
}
