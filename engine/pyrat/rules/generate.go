package rules

import (
	"fmt"
	"math"
	"slices"
)

// Plan says how mazes are made.
type Plan struct {
	Width, Height, Cheese int
	MaxTurns              int     // where the settings give none
	Walls                 float64 // share of all passages that are tried as walls
	Mud                   float64 // share of the open passages that get mud
	MudMin, MudMax        int     // values of mud
	Symmetric             bool    // the maze is equal to itself after half a turn
}

var presets = []struct {
	name string
	Plan
}{
	{"tiny", Plan{11, 9, 13, 150, 0.7, 0.1, 2, 3, true}},
	{"small", Plan{15, 13, 21, 200, 0.7, 0.1, 2, 3, true}},
	{"medium", Plan{21, 15, 41, 300, 0.7, 0.1, 2, 3, true}},
	{"large", Plan{31, 21, 85, 400, 0.7, 0.1, 2, 3, true}},
	{"huge", Plan{41, 31, 165, 500, 0.7, 0.1, 2, 3, true}},
	{"open", Plan{21, 15, 41, 300, 0, 0, 2, 3, true}},
	{"asymmetric", Plan{21, 15, 41, 300, 0.7, 0.1, 2, 3, false}},
}

// Preset returns the plan of that name.
func Preset(name string) (Plan, bool) {
	for _, preset := range presets {
		if preset.name == name {
			return preset.Plan, true
		}
	}
	return Plan{}, false
}

// Presets lists the names of all presets.
func Presets() []string {
	var names []string
	for _, preset := range presets {
		names = append(names, preset.name)
	}
	return names
}

// Check reports whether the cheese fits on the board. The other fields must be
// in range.
func (p Plan) Check() error {
	most := p.Width*p.Height - 2 // none on the starts
	if p.Cheese < 1 || p.Cheese > most {
		return fmt.Errorf("%d: want 1 to %d on a board of %d x %d", p.Cheese, most, p.Width, p.Height)
	}
	if odd := p.Width%2 == 1 && p.Height%2 == 1; p.Symmetric && p.Cheese%2 == 1 && !odd {
		return fmt.Errorf("%d: an odd number cannot be symmetric on a board of %d x %d", p.Cheese, p.Width, p.Height)
	}
	return nil
}

// Generate makes the maze of a seed: all cells are connected, the rat is in
// the lower left corner and the python in the upper right one.
//
// Stored seeds must keep their mazes, so the steps are fixed. The passages, in
// order of cell and then right before up, each with its mirror image, are
// tried as walls. Walls that cut cells off are opened again, in random order.
// Open passages, in the first order, get mud. The cheese takes cells in random
// order.
func (p Plan) Generate(seed uint64, settings Settings) (*Position, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("cheese %w", err)
	}
	m, err := newMaze(p.Width, p.Height)
	if err != nil {
		return nil, err
	}
	r := &random{state: seed}
	orbits := p.orbits(m)
	closed := p.closeWalls(m, r, orbits)
	for i, orbit := range orbits {
		for _, w := range orbit {
			if closed[i] {
				if err := m.addWall(w.a, w.b); err != nil {
					return nil, err
				}
			}
		}
	}
	millionths := int(math.Round(p.Mud * 1e6))
	for i, orbit := range orbits {
		if closed[i] || millionths == 0 || !r.chance(millionths) {
			continue
		}
		value := p.MudMin + r.below(p.MudMax-p.MudMin+1)
		for _, w := range orbit {
			if err := m.addMud(w.a, w.b, value); err != nil {
				return nil, err
			}
		}
	}
	byCells := func(v, w passage) int { return (int(v.a)-int(w.a))*MaxSide*MaxSide + int(v.b) - int(w.b) }
	slices.SortFunc(m.walls, byCells)
	slices.SortFunc(m.muds, byCells)
	maxTurns := p.MaxTurns
	if settings.MaxTurns > 0 {
		maxTurns = settings.MaxTurns
	}
	corners := [2]Cell{0, Cell(m.Cells() - 1)}
	return newPosition(m, p.placeCheese(m, r), maxTurns, settings, State{At: corners, Dest: corners}), nil
}

// orbits lists all passages, with their mirror images where the plan is
// symmetric.
func (p Plan) orbits(m *Maze) [][]passage {
	last := Cell(m.Cells() - 1)
	var out [][]passage
	for a := range Cell(m.Cells()) {
		for _, move := range [2]Move{Right, Up} {
			b, _ := m.Next(a, move)
			if b < 0 {
				continue
			}
			orbit := []passage{{a: a, b: b}}
			if mirror := (passage{a: last - b, b: last - a}); p.Symmetric && mirror != orbit[0] {
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

// closeWalls chooses the orbits that become walls so that all cells stay
// connected.
func (p Plan) closeWalls(m *Maze, r *random, orbits [][]passage) []bool {
	millionths := int(math.Round(p.Walls * 1e6))
	closed := make([]bool, len(orbits))
	root := make([]Cell, m.Cells())
	for i := range root {
		root[i] = Cell(i)
	}
	find := func(c Cell) Cell {
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

// placeCheese chooses the cells of the cheese, none on a start.
func (p Plan) placeCheese(m *Maze, r *random) []Cell {
	last := Cell(m.Cells() - 1)
	var cells, out []Cell
	for c := range last {
		if c == 0 || p.Symmetric && c >= last-c {
			continue
		}
		cells = append(cells, c)
	}
	shuffle(r, cells)
	if !p.Symmetric {
		out = cells[:p.Cheese]
	} else {
		if p.Cheese%2 == 1 {
			out = append(out, last/2) // the centre
		}
		for _, c := range cells[:p.Cheese/2] {
			out = append(out, c, last-c)
		}
	}
	slices.Sort(out)
	return out
}
