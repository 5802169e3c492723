package pyrat

import (
	"fmt"
	"math"
	"slices"
)

// generate makes the maze of a seed: connected, symmetric under half a turn
// where the plan says so, the rat in the lower left corner and the python in
// the upper right one.
//
// Its steps are a contract, for seeds must keep their mazes: the passages, in
// order of cell and then right before up, each with its mirror image, are
// tried as walls; walls in random order are opened where they part cells;
// open passages, in the first order, get mud; cheese takes cells in random
// order.
func (p plan) generate(seed uint64, rules Rules) (*position, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("cheese %w", err)
	}
	m, err := newMaze(p.width, p.height)
	if err != nil {
		return nil, err
	}
	r := &random{state: seed}
	orbits := p.orbits(m)
	closed := p.raise(m, r, orbits)
	for i, orbit := range orbits {
		for _, w := range orbit {
			if closed[i] {
				if err := m.wall(w.a, w.b); err != nil {
					return nil, err
				}
			}
		}
	}
	millionths := int(math.Round(p.mud * 1e6))
	for i, orbit := range orbits {
		if closed[i] || millionths == 0 || !r.chance(millionths) {
			continue
		}
		value := p.mudMin + r.below(p.mudMax-p.mudMin+1)
		for _, w := range orbit {
			if err := m.spread(w.a, w.b, value); err != nil {
				return nil, err
			}
		}
	}
	byCells := func(v, w passage) int { return (int(v.a)-int(w.a))*maxSide*maxSide + int(v.b) - int(w.b) }
	slices.SortFunc(m.walls, byCells)
	slices.SortFunc(m.muds, byCells)
	last := int16(m.cells() - 1)
	pos := &position{
		board:  &board{maze: m, order: p.place(m, r), maxTurns: int32(p.turns), rules: rules},
		cheese: newCheeses(m.cells()),
	}
	if rules.MaxTurns > 0 {
		pos.board.maxTurns = int32(rules.MaxTurns)
	}
	pos.at = [2]int16{0, last}
	pos.dest = pos.at
	pos.left = int32(len(pos.board.order))
	pos.board.total = 2 * pos.left
	for _, cell := range pos.board.order {
		pos.cheese.add(cell)
	}
	return pos, nil
}

// orbits lists all passages, with their mirror images where the plan is
// symmetric.
func (p plan) orbits(m *maze) [][]passage {
	last := int16(m.cells() - 1)
	var out [][]passage
	for a := range int16(m.cells()) {
		for _, move := range [2]int{right, up} {
			b := m.next[int(a)*moves+move]
			if b < 0 {
				continue
			}
			orbit := []passage{{a: a, b: b}}
			if mirror := (passage{a: last - b, b: last - a}); p.symmetric && mirror != orbit[0] {
				if mirror.a < a || mirror.a == a && mirror.b < b {
					continue // listed with its image
				}
				orbit = append(orbit, mirror)
			}
			out = append(out, orbit)
		}
	}
	return out
}

// raise says which orbits are walls so that all cells stay connected.
func (p plan) raise(m *maze, r *random, orbits [][]passage) []bool {
	millionths := int(math.Round(p.walls * 1e6))
	closed := make([]bool, len(orbits))
	root := make([]int16, m.cells())
	for i := range root {
		root[i] = int16(i)
	}
	find := func(c int16) int16 {
		for root[c] != c {
			root[c] = root[root[c]]
			c = root[c]
		}
		return c
	}
	var order []int
	for i, orbit := range orbits {
		if millionths > 0 && r.chance(millionths) {
			closed[i] = true
			order = append(order, i)
			continue
		}
		for _, w := range orbit {
			root[find(w.a)] = find(w.b)
		}
	}
	shuffle(r, order)
	for _, i := range order {
		for _, w := range orbits[i] {
			if a, b := find(w.a), find(w.b); a != b {
				closed[i] = false
				root[a] = b
			}
		}
	}
	return closed
}

// place chooses the cells of the cheese, none on a start.
func (p plan) place(m *maze, r *random) []int16 {
	last := int16(m.cells() - 1)
	var cells, out []int16
	for c := range last {
		if c == 0 || p.symmetric && c >= last-c {
			continue
		}
		cells = append(cells, c)
	}
	shuffle(r, cells)
	if !p.symmetric {
		out = cells[:p.cheese]
	} else {
		if p.cheese%2 == 1 {
			out = append(out, last/2) // the centre
		}
		for _, c := range cells[:p.cheese/2] {
			out = append(out, c, last-c)
		}
	}
	slices.Sort(out)
	return out
}
