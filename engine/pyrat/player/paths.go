package player

import (
	"math/bits"
	"slices"

	"thera/engine/pyrat/rules"
)

// paths holds the shortest ways from every cell to every piece of cheese of a
// board. Mud counts with its turns. Cheese is known by its index on the board.
type paths struct {
	board  *rules.Board
	cheese int          // pieces on the board
	dist   []int32      // by cell*cheese+k for cheese k, in turns
	first  []rules.Move // likewise: the first move of a shortest way
	near   []int16      // by cell*cheese+k: the k-th nearest cheese
}

// far is the distance of cheese that cannot be reached.
const far = 1 << 20

func newPaths(b *rules.Board) *paths {
	cells, n := b.Cells(), len(b.Cheese)
	p := &paths{
		board:  b,
		cheese: n,
		dist:   make([]int32, n*cells),
		first:  make([]rules.Move, n*cells),
		near:   make([]int16, n*cells),
	}
	var buckets [][]rules.Cell
	for k := range b.Cheese {
		buckets = p.fill(k, buckets)
	}
	for cell := range cells {
		row, dist := p.nearest(rules.Cell(cell)), p.row(rules.Cell(cell))
		for k := range row {
			row[k] = int16(k)
		}
		slices.SortFunc(row, func(i, j int16) int {
			if d := dist[i] - dist[j]; d != 0 {
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
	dist, first := p.dist[k:], p.first[k:]
	for i := range p.board.Cells() {
		dist[i*p.cheese], first[i*p.cheese] = far, rules.Stay
	}
	put := func(d int32, cell rules.Cell) {
		for int(d) >= len(buckets) {
			buckets = append(buckets, nil)
		}
		buckets[d] = append(buckets[d], cell)
	}
	maze, target := p.board.Maze, p.board.Cheese[k]
	dist[int(target)*p.cheese] = 0
	put(0, target)
	for d := int32(0); int(d) < len(buckets); d++ {
		for i := 0; i < len(buckets[d]); i++ {
			cell := buckets[d][i]
			if dist[int(cell)*p.cheese] != d {
				continue
			}
			for move := range rules.Move(rules.NumMoves) {
				next, mud := maze.Next(cell, move)
				if next < 0 {
					continue
				}
				if cost := d + 1 + int32(mud); cost < dist[int(next)*p.cheese] {
					dist[int(next)*p.cheese], first[int(next)*p.cheese] = cost, move.Opposite()
					put(cost, next)
				}
			}
		}
		buckets[d] = buckets[d][:0]
	}
	return buckets
}

// to returns the first move of a shortest way from a cell to cheese k.
func (p *paths) to(k int16, from rules.Cell) rules.Move { return p.first[int(from)*p.cheese+int(k)] }

// turns returns the length of that way.
func (p *paths) turns(k int16, from rules.Cell) int32 { return p.dist[int(from)*p.cheese+int(k)] }

// row lists the distances of all cheese.
func (p *paths) row(from rules.Cell) []int32 {
	return p.dist[int(from)*p.cheese : int(from)*p.cheese+p.cheese]
}

// nearest lists all cheese, the nearest to the cell first.
func (p *paths) nearest(from rules.Cell) []int16 {
	return p.near[int(from)*p.cheese : int(from)*p.cheese+p.cheese]
}

// left returns the cheese of a position.
func (p *paths) left(pos *rules.Position) rules.Set {
	s := rules.NewSet(p.cheese)
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
	return p.nearestBut(s, from, -1)
}

// nearestBut is nearestOf without one piece of cheese.
func (p *paths) nearestBut(s rules.Set, from rules.Cell, but int16) int16 {
	for _, k := range p.nearest(from) {
		if k != but && s.Has(int(k)) {
			return k
		}
	}
	return -1
}

// nearestOfFew is nearestBut for a set that is nearly empty.
func (p *paths) nearestOfFew(s rules.Set, from rules.Cell, but int16) int16 {
	row := p.row(from)
	best, least := int16(-1), int32(far+1)
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			k := w<<6 + bits.TrailingZeros64(word)
			if d := row[k]; d < least && int16(k) != but {
				best, least = int16(k), d
			}
		}
	}
	return best
}
