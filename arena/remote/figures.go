package remote

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// figured is a record on its way to the host. Its lists are one text each: as JSON, with a
// name for each figure, reading them takes five times as long.
type figured struct {
	*arena.Record
	Moves string                `json:"Moves,omitempty"` // in lines
	Plies []byte                `json:"Plies,omitempty"` // seven varints for each move, see figures
	Said  map[int]*game.Details `json:",omitempty"`      // by move
}

// figures are the numbers that are known of a move, times in nanoseconds.
func figures(p *arena.Ply) [7]int64 {
	scored := int64(0)
	if p.Scored {
		scored = 1
	}
	return [...]int64{int64(p.Seat), int64(p.Wall), int64(p.CPU), int64(p.Depth), p.Nodes, int64(p.Score), scored}
}

func figure(rec *arena.Record) figured {
	f := figured{Record: rec, Moves: strings.Join(rec.Moves, "\n")}
	for i := range rec.Plies {
		for _, n := range figures(&rec.Plies[i]) {
			f.Plies = binary.AppendVarint(f.Plies, n)
		}
		if said := rec.Plies[i].Said; said != nil {
			if f.Said == nil {
				f.Said = map[int]*game.Details{}
			}
			f.Said[i] = said
		}
	}
	return f
}

// record is what figure was given, or anything else that has its form.
func (f *figured) record() (*arena.Record, error) {
	rec := f.Record
	if rec == nil {
		return nil, errors.New("a game that is null")
	}
	rec.Moves, rec.Plies = nil, nil
	if f.Moves != "" {
		rec.Moves = strings.Split(f.Moves, "\n")
	}
	for rest := f.Plies; len(rest) > 0; {
		var row [7]int64
		for i := range row {
			n, size := binary.Varint(rest)
			if size <= 0 {
				return nil, errors.New("its figures of moves are torn")
			}
			row[i], rest = n, rest[size:]
		}
		rec.Plies = append(rec.Plies, arena.Ply{
			Seat: game.Seat(row[0]), Wall: time.Duration(row[1]), CPU: time.Duration(row[2]),
			Depth: int(row[3]), Nodes: row[4], Score: int(row[5]), Scored: row[6] != 0, Said: f.Said[len(rec.Plies)],
		})
	}
	return rec, nil
}
