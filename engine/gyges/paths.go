package gyges

// A fan holds all ways of exactly `value` steps from one square that use no
// edge twice, for any board: which way is open depends on the squares between.
// A way may end in a goal, from the home row beside it; none passes through.
type fan struct {
	ways [64]way // fewer are used; 64 spares the bounds check
	all  uint64  // set of ways
	zone uint64  // every square and goal on a way: no other matters

	between [64]uint64 // the squares crossed, for those who ask

	// The ways left open by the pieces beside the square, and by those two
	// steps from it below and above, by the indices that surround makes.
	near, below, above [16]uint64
}

// way is one path: the edges used, of the board's 60, and the square or goal
// where it ends, as a set.
type way struct{ edges, end uint64 }

// fans are indexed by value and square; they are constants in effect.
var fans = buildFans()

var (
	nearOffsets  = [4]int{-6, -1, 1, 6}
	belowOffsets = [4]int{-12, -7, -5, -2}
	aboveOffsets = [4]int{2, 5, 7, 12}
)

// open is the set of ways whose squares between are empty. The occupied set
// is moved so that the square itself is bit 12; each index packs four squares
// around it in the order of the offsets.
func (f *fan) open(sq int, occupied uint64) uint64 {
	w := occupied << 12 >> (uint(sq) & 63)
	near := w>>6&1 | w>>10&2 | w>>11&4 | w>>15&8
	below := w&1 | w>>4&2 | w>>5&4 | w>>7&8
	above := w>>14&1 | w>>16&2 | w>>17&4 | w>>21&8
	return f.near[near] & f.below[below] & f.above[above]
}

// They are made at every start of the program: this must take no time.
func buildFans() *[4][squares]fan {
	all := new([4][squares]fan)
	edges := numberEdges()
	for value := 1; value <= 3; value++ {
		for sq := range squares {
			b := fanBuilder{fan: &all[value][sq], edges: edges}
			b.walk(sq, value, 0, 0)
			b.index(sq)
		}
	}
	return all
}

// edge leads to a neighbour; its bit is its own, the same both ways.
type edge struct {
	bit uint64
	to  int
}

// numberEdges lists the edges of each square.
func numberEdges() *[squares][]edge {
	var edges [squares][]edge
	bit := uint64(1)
	for sq := range squares {
		for _, other := range neighbours(sq) {
			if other > sq {
				edges[sq], edges[other] = append(edges[sq], edge{bit, other}), append(edges[other], edge{bit, sq})
				bit <<= 1
			}
		}
	}
	return &edges
}

// neighbours are the squares beside sq.
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
	edges *[squares][]edge
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
		b.add(goal1, used, between)
	}
	if steps == 1 && at >= squares-6 {
		b.add(goal2, used, between)
	}
}

func (b *fanBuilder) add(end int, used, between uint64) {
	b.fan.ways[b.n] = way{used, 1 << end}
	b.fan.between[b.n] = between
	b.fan.zone |= between | 1<<end
	b.fan.all |= 1 << b.n
	b.n++
}

// index fills the open ways for every pattern of pieces around sq.
func (b *fanBuilder) index(sq int) {
	fill := func(table *[16]uint64, offsets [4]int) {
		table[0] = b.fan.all
		for i, offset := range offsets {
			open, at := b.fan.all, sq+offset
			if at >= 0 && at < squares && steps(sq, at) <= 2 {
				for n, between := range b.fan.between[:b.n] {
					if between>>at&1 != 0 {
						open &^= 1 << n
					}
				}
			}
			for pattern := range 1 << i { // those without it are there
				table[1<<i|pattern] = table[pattern] & open
			}
		}
	}
	fill(&b.fan.near, nearOffsets)
	fill(&b.fan.below, belowOffsets)
	fill(&b.fan.above, aboveOffsets)
}

// steps is the distance between two squares; an offset that wraps round the
// board's side is far away.
func steps(a, b int) int {
	return max(a/6-b/6, b/6-a/6) + max(a%6-b%6, b%6-a%6)
}
