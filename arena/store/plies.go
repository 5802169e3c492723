package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// The first byte of the records' column plies is its form. Then, for every
// asked move: a byte of flags (1: the second seat; 2: has a score; 4: said
// more), and as varints wall time and CPU time in nanoseconds, depth, nodes
// and, where flagged, the score; then, where flagged, what was said (said.go).
//
// Form 1 is the one without flag 4: games in which nothing more was said keep
// it, so that programs older than form 2 still read them.
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

var errPlies = errors.New("the record of moves' times ends early")

func unpackPlies(b []byte) ([]arena.Ply, error) {
	if len(b) == 0 {
		return nil, nil
	}
	form := b[0]
	if form != pliesForm && form != pliesFormSaid {
		return nil, fmt.Errorf("the record of moves' times has the unknown form %d", form)
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
