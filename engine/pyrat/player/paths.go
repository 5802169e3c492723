package player

import (
	"slices"

	"thera/engine/pyrat/rules"
)

// paths holds the shortest ways from every cell to every piece of cheese of a
// board. Mud counts with its turns. Cheese is known by its index on the board.
type paths struct {
	board *rules.Board
	cells int          // of the board
	index []int16      // by cell: its cheese, -1 for none
	dist  []int32      // by cheese*cells+cell, in turns
	first []rules.Move // likewise: the first move of a shortest way
	near  []int16      // by cell*cheese+k: the k-th nearest cheese
}

// far is the distance of cheese that cannot be reached.
const far = 1 << 20

func newPaths(b *rules.Board) *paths {
	cells, n := b.Cells(), len(b.Cheese)
	p := &paths{
		board: b,
		cells: cells,
		index: make([]int16, cells),
		dist:  make([]int32, n*cells),
		first: make([]rules.Move, n*cells),
		near:  make([]int16, n*cells),
	}
	for i := range p.index {
		p.index[i] = -1
	}
	var buckets [][]rules.Cell
	for k, cell := range b.Cheese {
		p.index[cell] = int16(k)
		buckets = p.fill(k, buckets)
	}
	for cell := range cells {
		row := p.nearest(rules.Cell(cell))
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

// fill computes the ways to cheese k: Dijkstra with a bucket a distance. It
// uses the buckets, which are empty, and returns them for the next cheese.
func (p *paths) fill(k int, buckets [][]rules.Cell) [][]rules.Cell {
	dist, first := p.dist[k*p.cells:(k+1)*p.cells], p.first[k*p.cells:(k+1)*p.cells]
	for i := range dist {
		dist[i], first[i] = far, rules.Stay
	}
	put := func(d int32, cell rules.Cell) {
		for int(d) >= len(buckets) {
			buckets = append(buckets, nil)
		}
		buckets[d] = append(buckets[d], cell)
	}
	maze, cheese := p.board.Maze, p.board.Cheese[k]
	dist[cheese] = 0
	put(0, cheese)
	for d := int32(0); int(d) < len(buckets); d++ {
		for i := 0; i < len(buckets[d]); i++ {
			cell := buckets[d][i]
			if dist[cell] != d {
				continue
			}
			for move := range rules.Move(rules.NumMoves) {
				n, mud := maze.Next(cell, move)
				if n < 0 {
					continue
				}
				if cost := d + 1 + int32(mud); cost < dist[n] {
					dist[n], first[n] = cost, move.Opposite()
					put(cost, n)
				}
			}
		}
		buckets[d] = buckets[d][:0]
	}
	return buckets
}

// to returns the first move of a shortest way from a cell to cheese k.
func (p *paths) to(k int16, from rules.Cell) rules.Move { return p.first[int(k)*p.cells+int(from)] }

// turns returns the length of that way.
func (p *paths) turns(k int16, from rules.Cell) int32 { return p.dist[int(k)*p.cells+int(from)] }

// nearest lists all cheese, the nearest to the cell first.
func (p *paths) nearest(from rules.Cell) []int16 {
	n := len(p.board.Cheese)
	return p.near[int(from)*n : int(from)*n+n]
}

// left returns the cheese of a position.
func (p *paths) left(pos *rules.Position) rules.Set {
	s := rules.NewSet(len(p.board.Cheese))
	for k, cell := range p.board.Cheese {
		if pos.Cheese().Has(int(cell)) {
			s.Add(k)
		}
	}
	return s
}

// nearestOf returns the cheese of the set that is nearest to the cell, -1 for
// none.
func (p *paths) nearestOf(s rules.Set, from rules.Cell) int16 {
	for _, k := range p.nearest(from) {
		if s.Has(int(k)) {
			return k
		}
	}
	return -1
}
