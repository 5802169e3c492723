package selfplay

import (
	"encoding/binary"
	"errors"
	"fmt"

	"thera/engine/santorini/rules"
)

// Game is one game of self-play.
type Game struct {
	Gods    rules.Matchup
	Winner  int // the seat, 1 or 2; 0 if the game was ended undecided
	Plies   int // of the game, random ones included
	Samples []Sample
}

// Sample is a quiet position of a game: nobody has won or could win with one turn.
type Sample struct {
	State rules.State
	Score int  // of the search, for the side to move; see search.Proven
	Aside bool // not a position of the game but the one after a random turn from there
}

const (
	lowSquares = 21 // squares whose heights are in the first word of a record
	heightBits = 3
	recordSize = 18 // without the states of the gods
)

// appendGame appends the payload of g. index is the number of each god.
func appendGame(out []byte, index map[rules.God]int, g *Game) []byte {
	for _, n := range []int{index[g.Gods[0]], index[g.Gods[1]], g.Winner, g.Plies, len(g.Samples)} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for i := range g.Samples {
		p := &g.Samples[i].State
		var low, high uint64
		for s := range rules.Squares {
			if h := uint64(p.Height(s)); s < lowSquares {
				low |= h << (s * heightBits)
			} else {
				high |= h << ((s - lowSquares) * heightBits)
			}
		}
		high |= uint64(p.Workers[0])<<12 | uint64(p.Workers[1])<<37 | uint64(p.Mover&1)<<62
		if g.Samples[i].Aside {
			high |= 1 << 63
		}
		out = binary.LittleEndian.AppendUint64(out, low)
		out = binary.LittleEndian.AppendUint64(out, high)
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(g.Samples[i].Score)))
		out = binary.AppendUvarint(out, uint64(p.GodState[0]))
		out = binary.AppendUvarint(out, uint64(p.GodState[1]))
	}
	return out
}

var errPayload = errors.New("the payload ends within a number or has an impossible one")

// unpackGame reads a payload. It uses the memory of g.Samples again.
func unpackGame(data []byte, gods []rules.God, g *Game) error {
	var head [5]uint64
	limits := [5]uint64{uint64(len(gods)), uint64(len(gods)), 3, 1 << 16, uint64(len(data)) / recordSize}
	for i := range head {
		n, used := binary.Uvarint(data)
		if used <= 0 || i < 4 && n >= limits[i] || n > limits[i] {
			return errPayload
		}
		head[i], data = n, data[used:]
	}
	g.Gods = rules.Matchup{gods[head[0]], gods[head[1]]}
	g.Winner, g.Plies, g.Samples = int(head[2]), int(head[3]), g.Samples[:0]
	for range head[4] {
		s := Sample{State: rules.State{Gods: g.Gods}}
		var err error
		if data, err = unpackSample(data, &s); err != nil {
			return err
		}
		g.Samples = append(g.Samples, s)
	}
	if len(data) > 0 {
		return fmt.Errorf("%d bytes follow the last record", len(data))
	}
	return nil
}

func unpackSample(data []byte, s *Sample) (rest []byte, err error) {
	if len(data) < recordSize {
		return nil, errPayload
	}
	low, high := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
	s.Score = int(int16(binary.LittleEndian.Uint16(data[16:])))
	data = data[recordSize:]
	p := &s.State
	for square := range rules.Squares {
		h := low >> (square * heightBits) & 7
		if square >= lowSquares {
			h = high >> ((square - lowSquares) * heightBits) & 7
		}
		if h > 4 {
			return nil, errPayload
		}
		for k := range h {
			p.Above[k] |= rules.Bit(square)
		}
	}
	p.Workers = [2]uint32{uint32(high>>12) & rules.Board, uint32(high>>37) & rules.Board}
	p.Mover, s.Aside = uint8(high>>62&1), high>>63 != 0
	for side := range p.GodState {
		n, used := binary.Uvarint(data)
		if used <= 0 || n > 1<<32-1 {
			return nil, errPayload
		}
		p.GodState[side], data = uint32(n), data[used:]
	}
	return data, nil
}
