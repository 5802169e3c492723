package gyges

// A fan holds all ways of exactly `value` steps from one square that use no
// edge twice, for any board: which way is open depends on the squares between.
// A way may end in a goal, from the home row beside it; none passes through.
type fan struct {
	edges [maxWays]uint64 // the edges used, of the board's 60
	end   [maxWays]uint8  // square or goal
	all   uint64          // set of ways

	// The ways left open by the pieces beside the square and at two steps from
	// it, by the index that near and far make of them.
	near [16]uint64
	far  [256]uint64
}

const maxWays = 36

// fans are indexed by value and square; they are constants in effect.
var fans = buildFans()

// near packs the four squares beside a square into an index. w is the
// occupied set moved so that the square itself is bit 12.
func near(w uint64) uint64 {
	return w>>6&1 | w>>10&2 | w>>11&4 | w>>15&8
}

// far packs the eight squares two steps away into an index.
func far(w uint64) uint64 {
	return w&1 | w>>4&2 | w>>5&4 | w>>7&8 | w>>10&16 | w>>12&32 | w>>13&64 | w>>17&128
}

var (
	nearOffsets = [4]int{-6, -1, 1, 6}
	farOffsets  = [8]int{-12, -7, -5, -2, 2, 5, 7, 12}
)

// open is the set of ways whose squares between are empty.
func (f *fan) open(sq int, occupied uint64) uint64 {
	w := occupied << 12 >> sq
	return f.near[near(w)] & f.far[far(w)]
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
	fan     *fan
	edges   map[[2]int]uint64
	between [maxWays]uint64
	n       int
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
	b.fan.end[b.n], b.fan.edges[b.n] = uint8(end), used
	for _, sq := range between {
		b.between[b.n] |= 1 << sq
	}
	b.fan.all |= 1 << b.n
	b.n++
}

// index fills the open ways for every pattern of pieces around sq.
func (b *fanBuilder) index(sq int) {
	openWays := func(offsets []int, pattern int) uint64 {
		var blocked uint64
		for i, offset := range offsets {
			if at := sq + offset; pattern>>i&1 != 0 && at >= 0 && at < squares && steps(sq, at) <= 2 {
				blocked |= 1 << at
			}
		}
		var open uint64
		for i := range b.n {
			if b.between[i]&blocked == 0 {
				open |= 1 << i
			}
		}
		return open
	}
	for pattern := range b.fan.near {
		b.fan.near[pattern] = openWays(nearOffsets[:], pattern)
	}
	for pattern := range b.fan.far {
		b.fan.far[pattern] = openWays(farOffsets[:], pattern)
	}
}

// steps is the distance between two squares; an offset that wraps round the
// board's side is far away.
func steps(a, b int) int {
	return max(a/6-b/6, b/6-a/6) + max(a%6-b%6, b%6-a%6)
}
