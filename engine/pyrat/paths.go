package pyrat

import "slices"

// paths knows the shortest ways from every cell to every cheese of a board,
// mud counted with its turns.
type paths struct {
	*maze
	order []int16 // cheese by number
	index []int16 // by cell: its cheese's number, -1 for none
	dist  []int32 // by cheese*cells+cell, in turns
	way   []uint8 // likewise: the first move of a shortest way
	near  []int16 // by cell*cheese+k: the k-th nearest cheese's number
}

// far is the distance of what cannot be reached.
const far = 1 << 20

func newPaths(b *board) *paths {
	cells := b.cells()
	p := &paths{
		maze: b.maze, order: b.order,
		index: make([]int16, cells),
		dist:  make([]int32, len(b.order)*cells),
		way:   make([]uint8, len(b.order)*cells),
		near:  make([]int16, len(b.order)*cells),
	}
	for i := range p.index {
		p.index[i] = -1
	}
	var buckets [][]int16
	for k, cell := range b.order {
		p.index[cell] = int16(k)
		buckets = p.spread(k, buckets)
	}
	for cell := range cells {
		row := p.near[cell*len(b.order) : (cell+1)*len(b.order)]
		for k := range row {
			row[k] = int16(k)
		}
		slices.SortFunc(row, func(i, j int16) int {
			if d := p.dist[int(i)*cells+cell] - p.dist[int(j)*cells+cell]; d != 0 {
				return int(d)
			}
			return int(i - j)
		})
	}
	return p
}

// spread fills the distances to cheese k: Dijkstra with a bucket a distance.
func (p *paths) spread(k int, buckets [][]int16) [][]int16 {
	cells := p.cells()
	dist, way := p.dist[k*cells:(k+1)*cells], p.way[k*cells:(k+1)*cells]
	for i := range dist {
		dist[i], way[i] = far, stay
	}
	put := func(d int32, cell int16) {
		for int(d) >= len(buckets) {
			buckets = append(buckets, nil)
		}
		buckets[d] = append(buckets[d], cell)
	}
	dist[p.order[k]] = 0
	put(0, p.order[k])
	for d := int32(0); int(d) < len(buckets); d++ {
		for i := 0; i < len(buckets[d]); i++ {
			cell := buckets[d][i]
			if dist[cell] != d {
				continue
			}
			for move := range moves {
				at := int(cell)*moves + move
				n := p.next[at]
				if n < 0 {
					continue
				}
				cost := d + 1 + int32(p.mud[at])
				if cost < dist[n] {
					dist[n], way[n] = cost, uint8(opposite(move))
					put(cost, n)
				}
			}
		}
		buckets[d] = buckets[d][:0]
	}
	return buckets
}

// to is the first move of a shortest way from cell to cheese k.
func (p *paths) to(k int16, cell int16) uint8 { return p.way[int(k)*p.cells()+int(cell)] }

// turns is the length of that way.
func (p *paths) turns(k int16, cell int16) int32 { return p.dist[int(k)*p.cells()+int(cell)] }

// numbers is a set of cheese by number.
type numbers []uint64

func (s numbers) has(k int16) bool { return s[k>>6]>>(uint(k)&63)&1 != 0 }

func (s numbers) add(k int16) { s[k>>6] |= 1 << (uint(k) & 63) }

func (s numbers) remove(k int16) { s[k>>6] &^= 1 << (uint(k) & 63) }

func (s numbers) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// left is the set of the position's cheese.
func (p *paths) left(pos *position) numbers {
	s := make(numbers, (len(p.order)+63)/64)
	for k, cell := range p.order {
		if pos.cheese.has(cell) {
			s.add(int16(k))
		}
	}
	return s
}

// nearest is the cheese of the set that is nearest to cell, -1 for none.
func (p *paths) nearest(s numbers, cell int16) int16 {
	n := len(p.order)
	for _, k := range p.near[int(cell)*n : int(cell)*n+n] {
		if s.has(k) {
			return k
		}
	}
	return -1
}
