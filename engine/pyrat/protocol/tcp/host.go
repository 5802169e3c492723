package tcp

import (
	"fmt"
	"math"
	"slices"

	flatbuffers "github.com/google/flatbuffers/go"

	"thera/engine/game"
	"thera/engine/pyrat/rules"
)

// The messages of the host.
const (
	welcome uint8 = iota + 1
	configure
	goPreprocess
	advance
	goThink
	goState // not sent
	stop
	gameOver
	fullState
)

// writer makes one FlatBuffer.
type writer struct{ *flatbuffers.Builder }

// offset is where something is that was written before.
type offset = flatbuffers.UOffsetT

// vec2 is a cell, as a struct of two bytes.
type vec2 struct{ x, y uint8 }

// hostMessage is a message of the host, with the fields that body writes, in order.
func hostMessage(kind uint8, body func(w writer) []any) []byte {
	w := writer{flatbuffers.NewBuilder(256)}
	w.Finish(w.table(kind, w.table(body(w)...)))
	return w.FinishedBytes()
}

// values are the fields of a message that needs nothing else to be written before.
func values(fields ...any) func(writer) []any {
	return func(writer) []any { return fields }
}

// table writes a table with these fields. Zeros are left out, and what is nil.
func (w writer) table(fields ...any) offset {
	w.StartObject(len(fields))
	for id, field := range fields {
		switch x := field.(type) {
		case uint8:
			w.PrependUint8Slot(id, x, 0)
		case uint16:
			w.PrependUint16Slot(id, x, 0)
		case uint32:
			w.PrependUint32Slot(id, x, 0)
		case uint64:
			w.PrependUint64Slot(id, x, 0)
		case float32:
			w.PrependFloat32Slot(id, x, 0)
		case vec2:
			w.PrependStructSlot(id, w.vec2(x), 0)
		case offset:
			w.PrependUOffsetTSlot(id, x, 0)
		}
	}
	return w.EndObject()
}

func (w writer) vec2(v vec2) offset {
	w.Prep(1, 2)
	w.PrependUint8(v.y)
	w.PrependUint8(v.x)
	return w.Offset()
}

func (w writer) cells(list []vec2) offset {
	w.StartVector(2, len(list), 1)
	for _, cell := range slices.Backward(list) {
		w.vec2(cell)
	}
	return w.EndVector(len(list))
}

// times are those that a bot is told, in milliseconds.
type times struct{ move, preprocessing uint32 }

// configured is the message with the options and the maze.
func configured(p *rules.Position, t times, options []game.Option) []byte {
	return hostMessage(configure, func(w writer) []any {
		var list []offset
		for _, o := range options {
			list = append(list, w.table(w.CreateString(o.Name), w.CreateString(o.Value)))
		}
		return []any{w.CreateVectorOfTables(list), w.config(p, t)}
	})
}

// config writes the maze, with the players and the cheese where they are.
func (w writer) config(p *rules.Position, t times) offset {
	b, at := p.Board(), p.State().At
	var walls, muds []offset
	for ends, mud := range b.Passages {
		if mud == 0 {
			walls = append(walls, w.table(cell(b, ends[0]), cell(b, ends[1])))
		} else {
			muds = append(muds, w.table(cell(b, ends[0]), cell(b, ends[1]), uint8(mud)))
		}
	}
	wallList, mudList, cheese := w.CreateVectorOfTables(walls), w.CreateVectorOfTables(muds), w.cells(left(p))
	const wait = uint8(0) // both are waited for
	return w.table(uint8(b.Width), uint8(b.Height), uint16(b.MaxTurns), wallList, mudList, cheese,
		cell(b, at[0]), cell(b, at[1]), wait, t.move, t.preprocessing)
}

func cell(b *rules.Board, c rules.Cell) vec2 {
	x, y := b.XY(c)
	return vec2{uint8(x), uint8(y)}
}

// left are the cells with cheese.
func left(p *rules.Position) (cells []vec2) {
	for _, c := range p.Board().Cheese {
		if p.Cheese().Has(int(c)) {
			cells = append(cells, cell(p.Board(), c))
		}
	}
	return cells
}

// state is the message with all of a position. A player in mud is where the mud ends.
func state(p *rules.Position, t times) []byte {
	return hostMessage(fullState, func(w writer) []any {
		b, s := p.Board(), p.State()
		config, cheese := w.config(p, t), w.cells(left(p))
		const stay = uint8(4)
		return []any{config, w.table(uint16(s.Turn), cell(b, s.Dest[0]), cell(b, s.Dest[1]), points(s.Score[0]), points(s.Score[1]),
			uint8(s.Timer[0]), uint8(s.Timer[1]), cheese, stay, stay)}
	})
}

func points(p rules.Points) float32 { return float32(p) / 2 }

// wire is the number of a move.
func wire(m rules.Move) uint8 { return uint8(slices.Index(directions[:], m)) }

// fits returns why the protocol cannot tell a position, or nil.
func fits(p *rules.Position) error {
	const mostMud, mostTurns = math.MaxUint8, math.MaxUint16
	if turns := p.Board().MaxTurns; turns > mostTurns {
		return fmt.Errorf("a game of %d turns: this protocol has at most %d", turns, mostTurns)
	}
	for _, mud := range p.Board().Passages {
		if mud > mostMud {
			return fmt.Errorf("mud of %d turns: this protocol has at most %d", mud, mostMud)
		}
	}
	return nil
}
