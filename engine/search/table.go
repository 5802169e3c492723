package search

import (
	"math/bits"
	"sync/atomic"
)

// bound is the kind of a stored score.
type bound uint8

const (
	boundNone  bound = iota
	boundLower       // the value is at least this
	boundUpper       // the value is at most this
	boundExact
)

// slot is the entry of one position: the packed data, and the key xor the data.
// When two threads write at once, the pair matches no key: a torn entry is never
// used, and no lock is needed.
type slot struct{ check, data atomic.Uint64 }

const bucketSize = 4 // slots, one cache line

type bucket [bucketSize]slot

const bucketBytes = bucketSize * 16

// table is a transposition table of a fixed size in bytes. It allocates on
// first use.
type table struct {
	buckets    []bucket
	generation uint8 // 6 bits

	// touched lists the buckets written since the last clear, so that clear is
	// cheap after a short game. It is nil when there are too many of them or
	// when several threads write.
	touched []uint32
}

// fewTouched is the capacity of touched.
const fewTouched = 1 << 15

// entry is a probed slot, unpacked.
type entry struct {
	tag   uint32
	score int
	depth int
	bound bound
}

func pack(e entry, generation uint8) uint64 {
	return uint64(e.tag) | uint64(uint16(int16(e.score)))<<32 | uint64(uint8(e.depth))<<48 |
		uint64(e.bound)<<56 | uint64(generation&63)<<58
}

func unpack(data uint64) entry {
	return entry{
		tag: uint32(data), score: int(int16(data >> 32)),
		depth: int(uint8(data >> 48)), bound: bound(data >> 56 & 3),
	}
}

func depthOf(data uint64) int        { return int(uint8(data >> 48)) }
func generationOf(data uint64) uint8 { return uint8(data >> 58) }

// resize sets the size in bytes. If it changes, all entries are dropped.
func (t *table) resize(size int64) {
	n := max(1, size/bucketBytes)
	if int64(len(t.buckets)) != n {
		t.buckets = make([]bucket, n)
		t.generation = 0
		t.touched = make([]uint32, 0, fewTouched)
	}
}

// share stops recording writes, because several threads will write.
func (t *table) share() { t.touched = nil }

// clear makes the table equal to a new one.
func (t *table) clear() {
	if t.touched != nil {
		for _, i := range t.touched {
			t.buckets[i] = bucket{}
		}
		t.touched = t.touched[:0]
	} else {
		clear(t.buckets)
		t.touched = make([]uint32, 0, fewTouched)
	}
	t.generation = 0
}

// age starts a new generation. Entries of older ones are replaced first.
func (t *table) age() { t.generation = (t.generation + 1) & 63 }

func (t *table) index(key uint64) uint64 {
	high, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return high
}

func (t *table) probe(key uint64) (entry, bool) {
	b := &t.buckets[t.index(key)]
	for i := range b {
		if data := b[i].data.Load(); b[i].check.Load()^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return entry{}, false
}

// store writes e to its bucket: to the slot of the same key, else over the
// least valuable entry, preferring old generations and shallow depths.
func (t *table) store(key uint64, e entry) {
	at := t.index(key)
	switch {
	case t.touched == nil:
	case len(t.touched) == cap(t.touched):
		t.touched = nil
	default:
		t.touched = append(t.touched, uint32(at))
	}
	b := &t.buckets[at]
	worst, worth := &b[0], 1<<30
	for i := range b {
		data := b[i].data.Load()
		if data != 0 && b[i].check.Load()^data == key {
			worst = &b[i]
			if e.tag == 0 { // without a best move, keep the older one
				e.tag = uint32(data)
			}
			break
		}
		value := -1
		if data != 0 {
			value = depthOf(data) - 8*int((t.generation-generationOf(data))&63) + 1000
		}
		if value < worth {
			worst, worth = &b[i], value
		}
	}
	data := pack(e, t.generation)
	worst.data.Store(data)
	worst.check.Store(key ^ data)
}

// full is the share of the table used by the current generation, in permille of
// a sample.
func (t *table) full() int {
	n := min(len(t.buckets), 250)
	used := 0
	for i := range n {
		for j := range t.buckets[i] {
			if data := t.buckets[i][j].data.Load(); data != 0 && generationOf(data) == t.generation {
				used++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return used * 1000 / (n * bucketSize)
}
