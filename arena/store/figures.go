package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// The column figures of the table games holds an arena.Finished with its pairing
// sorted by name. The first byte is the version. Then come, as varints unless a
// size is given:
//
//	place        round, place in job order, pair, leg
//	engines      the numbers of a and b in the table engines
//	result       winner and engine at fault: 0 is a, 1 is b, -1 neither
//	size         turns
//	hashes       of the start and of the whole game, 8 bytes each
//	seconds      8 bytes
//	record       checksum of the game's row in the table records, 4 bytes
//	texts        source, reason, kind of end in tables, roles by seat, each a length and the bytes
//	warnings     their number, then the texts
//	points       one byte: whether there are any; then 8 bytes for each engine
//	efforts      of a and of b: moves, wall, CPU, depth, depths, nodes, idle, failed
//
// The last four bytes are the CRC-32C of the run, the identity, the number of
// the void attempt, and all bytes before. It detects every burst of up to 32 bits.
const figuresForm = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// packFigures packs a game whose pairing is sorted by name.
func packFigures(rec *arena.Record, engines [2]int64, run int64, record uint32) []byte {
	f := rec.Finished()
	blamed := -1
	if rec.Blamed != game.None {
		blamed = b2i(rec.Seat(1) == rec.Blamed)
	}
	b := make([]byte, 1, 160)
	b[0] = figuresForm
	for _, v := range [...]int64{
		int64(f.Round), int64(f.Index), int64(f.Pair), int64(f.Leg), engines[0], engines[1], int64(f.Winner), int64(blamed), int64(f.Plies),
	} {
		b = binary.AppendVarint(b, v)
	}
	b = binary.LittleEndian.AppendUint64(b, f.Opening)
	b = binary.LittleEndian.AppendUint64(b, f.Sameness)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Seconds))
	b = binary.LittleEndian.AppendUint32(b, record)
	for _, text := range [...]string{string(f.Source), f.Reason, f.End, f.Roles[0], f.Roles[1]} {
		b = appendText(b, text)
	}
	b = binary.AppendUvarint(b, uint64(len(f.Warnings)))
	for _, text := range f.Warnings {
		b = appendText(b, text)
	}
	if f.Points == ([2]float64{}) {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		for _, points := range f.Points {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(points))
		}
	}
	for _, e := range f.Sides {
		for _, v := range [...]int64{int64(e.Moves), int64(e.Wall), int64(e.CPU), e.Depth, e.Depths, e.Nodes, int64(e.Idle), int64(e.Failed)} {
			b = binary.AppendVarint(b, v)
		}
	}
	sum := figuresSum(b, run, []byte(f.ID), rec.Void)
	return binary.LittleEndian.AppendUint32(b, sum)
}

func figuresSum(b []byte, run int64, identity []byte, void int) uint32 {
	var room [64]byte
	head := binary.AppendVarint(room[:0], run)
	head = binary.AppendUvarint(head, uint64(void))
	head = append(head, identity...)
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, b)
}

// figures is a game as stored in the table games.
type figures struct {
	arena.Finished
	engines [2]int64
	record  uint32 // checksum of its row in records
}

// unpacker reads figures of one run.
type unpacker struct {
	run   int64
	names map[int64]placed
	texts map[string]string // one copy of each text, since many games share few texts
}

// unpack overwrites f with the figures in b, with the pairing in the plan's order.
func (u *unpacker) unpack(f *figures, identity []byte, void int, b []byte) error {
	if len(b) < 5 || b[0] != figuresForm {
		return errors.New("it has no figures")
	}
	b, tail := b[:len(b)-4], b[len(b)-4:]
	if figuresSum(b, u.run, identity, void) != binary.LittleEndian.Uint32(tail) {
		return errChecksum
	}
	r := reader{rest: b[1:]}
	*f = figures{Finished: arena.Finished{ID: string(identity), Void: void}}
	for _, v := range [...]*int{&f.Round, &f.Index, &f.Pair, &f.Leg} {
		*v = int(r.varint())
	}
	f.engines[0], f.engines[1] = r.varint(), r.varint()
	for _, v := range [...]*int{&f.Winner, &f.Blamed, &f.Plies} {
		*v = int(r.varint())
	}
	f.Opening, f.Sameness, f.Seconds = r.fixed64(), r.fixed64(), math.Float64frombits(r.fixed64())
	f.record = r.fixed32()
	f.Source = arena.Source(u.text(&r))
	f.Reason, f.End = u.text(&r), u.text(&r)
	f.Roles[0], f.Roles[1] = u.text(&r), u.text(&r)
	for n := r.uvarint(); n > 0 && !r.torn; n-- {
		f.Warnings = append(f.Warnings, r.text())
	}
	if r.byte() == 1 {
		f.Points[0], f.Points[1] = math.Float64frombits(r.fixed64()), math.Float64frombits(r.fixed64())
	}
	for i := range f.Sides {
		e := &f.Sides[i]
		e.Moves = r.varint()
		e.Wall, e.CPU = time.Duration(r.varint()), time.Duration(r.varint())
		e.Depth, e.Depths, e.Nodes = r.varint(), r.varint(), r.varint()
		e.Idle = time.Duration(r.varint())
		e.Failed = int(r.varint())
	}
	if r.torn || len(r.rest) > 0 {
		return errors.New("its figures have a wrong length")
	}
	return u.orient(f)
}

// orient names the engines and puts them in the plan's order.
func (u *unpacker) orient(f *figures) error {
	a, okA := u.names[f.engines[0]]
	b, okB := u.names[f.engines[1]]
	if !okA || !okB {
		return fmt.Errorf("its engines %v do not belong to its run", f.engines)
	}
	f.Pairing = [2]string{a.name, b.name}
	if a.place <= b.place {
		return nil
	}
	f.Pairing = [2]string{b.name, a.name}
	f.Leg, f.Winner, f.Blamed = 1-f.Leg, otherPlace(f.Winner), otherPlace(f.Blamed)
	f.Points[0], f.Points[1] = f.Points[1], f.Points[0]
	f.Sides[0], f.Sides[1] = f.Sides[1], f.Sides[0]
	return nil
}

func (u *unpacker) text(r *reader) string {
	b := r.bytes()
	if t, ok := u.texts[string(b)]; ok {
		return t
	}
	t := string(b)
	u.texts[t] = t
	return t
}
