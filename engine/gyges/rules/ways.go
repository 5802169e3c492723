package rules

import "sync"

// A fan holds all ways of `value` steps from one square that use no edge twice.
// It is the same for all boards; a way is open if the squares between are empty.
// A way may end in a goal, from the home row next to it; none passes through one.
type fan struct {
	ways [64]way // fewer are used; 64 avoids the bounds check
	all  uint64  // set of ways

	between [64]uint64 // the squares crossed by each way

	// The ways left open by the pieces next to the square, and by those two
	// steps below and above it, by the indices that open computes.
	near, below, above [16]uint64
}

// way is one path: the edges used, of the board's 60, and the square or goal
// where it ends, as a set.
type way struct{ edges, end uint64 }

// fans are indexed by value and square and never change. They are built when a generator is
// first needed: all processes of the program would pay for them.
var fans = sync.OnceValue(buildFans)

var (
	nearOffsets  = [4]int{-6, -1, 1, 6}
	belowOffsets = [4]int{-12, -7, -5, -2}
	aboveOffsets = [4]int{2, 5, 7, 12}
)

// open is the set of ways that no piece blocks. The occupied set is shifted so
// that the square itself is bit 12; each index packs four squares around it in
// the order of the offsets.
func (f *fan) open(sq int, occupied uint64) uint64 {
	w := occupied << 12 >> (uint(sq) & 63)
	near := w>>6&1 | w>>10&2 | w>>11&4 | w>>15&8
	below := w&1 | w>>4&2 | w>>5&4 | w>>7&8
	above := w>>14&1 | w>>16&2 | w>>17&4 | w>>21&8
	return f.near[near] & f.below[below] & f.above[above]
}

// buildFans runs at the start of each Gyges engine, so it must be fast.
func buildFans() *[4][Squares]fan {
	all := new([4][Squares]fan)
	edges := numberEdges()
	for value := 1; value <= 3; value++ {
		for sq := range Squares {
			b := fanBuilder{fan: &all[value][sq], edges: edges}
			b.walk(sq, value, 0, 0)
			b.index(sq)
		}
	}
	return all
}

// edge leads to a neighbour. Its bit is unique and equal in both directions.
type edge struct {
	bit uint64
	to  int
}

// numberEdges lists the edges of each square.
func numberEdges() *[Squares][]edge {
	var edges [Squares][]edge
	bit := uint64(1)
	for sq := range Squares {
		for _, other := range neighbours(sq) {
			if other > sq {
				edges[sq], edges[other] = append(edges[sq], edge{bit, other}), append(edges[other], edge{bit, sq})
				bit <<= 1
			}
		}
	}
	return &edges
}

// neighbours are the squares next to sq.
func neighbours(sq int) []int {
	var list []int
	r, c := sq/6, sq%6
	for _, d := range [4][2]int{{-1, 0}, {0, -1}, {0, 1}, {1, 0}} {
		if r, c := r+d[0], c+d[1]; r >= 0 && r < 6 && c >= 0 && c < 6 {
			list = append(list, 6*r+c)
		}
	}
	return list
}

type fanBuilder struct {
	fan   *fan
	edges *[Squares][]edge
	n     int
}

func (b *fanBuilder) walk(at, steps int, used, between uint64) {
	if steps == 0 {
		b.add(at, used, between)
		return
	}
	for _, e := range b.edges[at] {
		if used&e.bit != 0 {
			continue
		}
		inner := between
		if steps > 1 {
			inner |= 1 << e.to
		}
		b.walk(e.to, steps-1, used|e.bit, inner)
	}
	if steps == 1 && at < 6 {
		b.add(Goal1, used, between)
	}
	if steps == 1 && at >= Squares-6 {
		b.add(Goal2, used, between)
	}
}

func (b *fanBuilder) add(end int, used, between uint64) {
	b.fan.ways[b.n] = way{used, 1 << end}
	b.fan.between[b.n] = between
	b.fan.all |= 1 << b.n
	b.n++
}

// index fills the open ways for every pattern of pieces around sq.
func (b *fanBuilder) index(sq int) {
	fill := func(table *[16]uint64, offsets [4]int) {
		table[0] = b.fan.all
		for i, offset := range offsets {
			open, at := b.fan.all, sq+offset
			if at >= 0 && at < Squares && steps(sq, at) <= 2 {
				for n, between := range b.fan.between[:b.n] {
					if between>>at&1 != 0 {
						open &^= 1 << n
					}
				}
			}
			for pattern := range 1 << i { // patterns without this square are filled
				table[1<<i|pattern] = table[pattern] & open
			}
		}
	}
	fill(&b.fan.near, nearOffsets)
	fill(&b.fan.below, belowOffsets)
	fill(&b.fan.above, aboveOffsets)
}

// steps is the distance between two squares. A square that an offset reaches
// across the side of the board is far away.
func steps(a, b int) int {
	return max(a/6-b/6, b/6-a/6) + max(a%6-b%6, b%6-a%6)
}
