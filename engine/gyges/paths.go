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

func buildFans() *[4][squares]fan {
	all := new([4][squares]fan)
	edges := numberEdges()
	for value := 1; value <= 3; value++ {
		for sq := range squares {
			b := fanBuilder{fan: &all[value][sq], edges: edges}
			b.walk(sq, value, 0, nil)
			b.index(sq)
		}
	}
	return all
}

// numberEdges gives each pair of neighbours a bit of its own, both ways.
func numberEdges() map[[2]int]uint64 {
	edges := make(map[[2]int]uint64, 120)
	bit := uint64(1)
	for sq := range squares {
		for _, other := range neighbours(sq) {
			if other > sq {
				edges[[2]int{sq, other}], edges[[2]int{other, sq}] = bit, bit
				bit <<= 1
			}
		}
	}
	return edges
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
	edges map[[2]int]uint64
	n     int
}

func (b *fanBuilder) walk(at, steps int, used uint64, between []int) {
	if steps == 0 {
		b.add(at, used, between)
		return
	}
	for _, next := range neighbours(at) {
		edge := b.edges[[2]int{at, next}]
		if used&edge != 0 {
			continue
		}
		inner := between
		if steps > 1 {
			inner = append(between[:len(between):len(between)], next)
		}
		b.walk(next, steps-1, used|edge, inner)
	}
	if steps == 1 && at < 6 {
		b.add(goal1, used, between)
	}
	if steps == 1 && at >= squares-6 {
		b.add(goal2, used, between)
	}
}

func (b *fanBuilder) add(end int, used uint64, between []int) {
	b.fan.ways[b.n] = way{used, 1 << end}
	for _, sq := range between {
		b.fan.between[b.n] |= 1 << sq
	}
	b.fan.zone |= b.fan.between[b.n] | 1<<end
	b.fan.all |= 1 << b.n
	b.n++
}

// index fills the open ways for every pattern of pieces around sq.
func (b *fanBuilder) index(sq int) {
	fill := func(table *[16]uint64, offsets [4]int) {
		for pattern := range table {
			var blocked uint64
			for i, offset := range offsets {
				if at := sq + offset; pattern>>i&1 != 0 && at >= 0 && at < squares && steps(sq, at) <= 2 {
					blocked |= 1 << at
				}
			}
			for i := range b.n {
				if b.fan.between[i]&blocked == 0 {
					table[pattern] |= 1 << i
				}
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
