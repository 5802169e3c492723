// Package connect finds virtual connections of Hex: how a colour joins its edges whatever the other side does, by
// Anshelevich's rules, on a board in which cells whose colour is settled are filled in. What it finds is certain, and it
// does not find everything.
package connect

import "thera/engine/hex/rules"

// Result is what a Finder found for a colour.
type Result struct {
	Second bool // the colour joins its edges even if the other side moves
	First  bool // it joins them if it moves, on Key
	Key    int
	Win    Set // the cells that it needs for that
	Must   Set // the other side loses if it moves anywhere else
	Work   int // pairs of connections that were tried
}

// The most connections kept of two points, and the most semi-connections that make a full one.
const (
	mostFull = 5
	mostSemi = 12
	mostJoin = 4
)

// links are the connections of two points, those that need the fewest cells first. A full connection holds if the other
// side moves, a semi-connection if the colour does.
type links struct {
	full  [mostFull]connection
	semi  [mostSemi]connection
	fulls int
	semis int
}

// connection is the set of empty cells that a connection needs.
type connection struct {
	need Set
	key  int16 // of a semi-connection: the cell that the colour takes
}

// link is a full connection whose consequences are not drawn yet.
type link struct {
	x, y int16
	need Set
}

// local is a connection of two empty cells: they are neighbours, or have two in common.
type local struct {
	to  int
	via Set
}

// Finder finds the connections of boards of one size. Points are the chains of the colour, of which the first two are
// its edges, and then the empty cells. One end of each connection is a chain.
type Finder struct {
	size   int
	filler *filler
	board  []rules.Colour // filled in
	near   [][]int
	local  [][]local
	chains int
	cells  []int // the cell of a point, 0 for a chain
	points []int // the point of a cell, -1 for a stone of the other side
	free   Set
	links  []links
	queue  [][]link // by the number of cells needed: the least come first
	least  int      // of the queue
	work   int      // pairs of connections that may still be tried
	must   Set
	stack  []int
	found  []Set
}

// New returns a finder for boards of at most MaxSize cells a side.
func New(size int) *Finder {
	n := size * size
	f := &Finder{
		size: size, filler: newFiller(size), board: make([]rules.Colour, n), near: make([][]int, n), local: make([][]local, n),
		points: make([]int, n), queue: make([][]link, n+1),
	}
	sets := make([]Set, n)
	for cell := range n {
		rules.Neighbours(cell, size, func(other int) {
			f.near[cell] = append(f.near[cell], other)
			sets[cell].Add(other)
		})
	}
	for cell := range n {
		for to := range n {
			if sets[cell].Has(to) {
				f.local[cell] = append(f.local[cell], local{to: to})
			} else if via := sets[cell].common(&sets[to]); to != cell && via.Count() == 2 {
				f.local[cell] = append(f.local[cell], local{to, via})
			}
		}
	}
	return f
}

// Find finds how c joins its edges, on a board on which nobody has. It stops after about work pairs of connections,
// and after the first way if c moves.
func (f *Finder) Find(board []rules.Colour, c rules.Colour, moves bool, work int) Result {
	f.work, f.must = work, Set{^uint64(0), ^uint64(0), ^uint64(0)}
	copy(f.board, board)
	captured := f.filler.fill(f.board, f.size, c)
	if f.gather(f.board, c) {
		return Result{Second: true, Win: captured}
	}
	goal := f.pair(0, 1)
	for f.work > 0 && goal.fulls == 0 && (goal.semis == 0 || !moves) {
		for f.least < len(f.queue) && len(f.queue[f.least]) == 0 {
			f.least++
		}
		if f.least == len(f.queue) {
			break
		}
		waiting := f.queue[f.least]
		next := waiting[len(waiting)-1]
		f.queue[f.least] = waiting[:len(waiting)-1]
		f.spread(&next)
	}
	r := Result{Second: goal.fulls > 0, First: goal.semis > 0, Must: f.must, Work: work - f.work}
	switch {
	case r.Second:
		r.Win = goal.full[0].need
	case r.First:
		r.Win, r.Key = goal.semi[0].need, int(goal.semi[0].key)
	}
	r.Win, r.Must = r.Win.join(&captured), r.Must.join(&captured)
	return r
}

// gather numbers the points of c, and queues the connections of neighbours. It reports whether c has joined its edges.
func (f *Finder) gather(board []rules.Colour, c rules.Colour) (joined bool) {
	last := f.size - 1
	f.chains, f.cells, f.free = 2, append(f.cells[:0], 0, 0), Set{}
	for i := range f.points {
		f.points[i] = -1
	}
	flood := func(from, chain int) {
		f.points[from] = chain
		f.stack = append(f.stack[:0], from)
		for len(f.stack) > 0 {
			at := f.stack[len(f.stack)-1]
			f.stack = f.stack[:len(f.stack)-1]
			for _, next := range f.near[at] {
				if board[next] == c && f.points[next] < 0 {
					f.points[next] = chain
					f.stack = append(f.stack, next)
				}
			}
		}
	}
	edges := func(cell int) (first, second bool) {
		row := cell / f.size
		if c == rules.White {
			row = cell % f.size
		}
		return row == 0, row == last
	}
	for cell, holds := range board {
		if holds == c && f.points[cell] < 0 {
			if first, second := edges(cell); first {
				flood(cell, 0)
			} else if second {
				flood(cell, 1)
			}
		}
	}
	for cell := range board {
		if _, second := edges(cell); second && f.points[cell] == 0 {
			return true
		}
	}
	for cell, holds := range board {
		if holds == c && f.points[cell] < 0 {
			flood(cell, f.chains)
			f.chains++
			f.cells = append(f.cells, 0)
		}
	}
	for cell, holds := range board {
		if holds == rules.None {
			f.points[cell] = len(f.cells)
			f.cells = append(f.cells, cell)
			f.free.Add(cell)
		}
	}
	n := f.chains * len(f.cells)
	if cap(f.links) < n {
		f.links = make([]links, n+n/2)
	}
	f.links = f.links[:n]
	for i := range f.links {
		f.links[i].fulls, f.links[i].semis = 0, 0
	}
	for i := range f.queue {
		f.queue[i] = f.queue[i][:0]
	}
	f.least = 0
	for y := f.chains; y < len(f.cells); y++ {
		cell := f.cells[y]
		for _, next := range f.near[cell] {
			if x := f.points[next]; x >= 0 && x < f.chains {
				f.addFull(x, y, &Set{})
			}
		}
		first, second := edges(cell)
		if first {
			f.addFull(0, y, &Set{})
		}
		if second {
			f.addFull(1, y, &Set{})
		}
	}
	return false
}

// pair is the links of a chain and a point.
func (f *Finder) pair(x, y int) *links {
	if y < f.chains && y < x {
		x, y = y, x
	}
	return &f.links[x*len(f.cells)+y]
}

// spread draws the consequences of a full connection.
func (f *Finder) spread(l *link) {
	x, y, need := int(l.x), int(l.y), &l.need
	if l := f.pair(x, y); !has(l.full[:l.fulls], need) {
		return // a better one has come
	}
	if y < f.chains {
		f.through(x, y, need)
		f.through(y, x, need)
		return
	}
	cell := f.cells[y]
	with := *need
	with.Add(cell)
	for i := range f.local[cell] {
		near := &f.local[cell][i]
		to := f.points[near.to]
		f.work--
		if to >= f.chains && near.via.within(&f.free) && near.via.apart(&with) && !need.Has(near.to) {
			both := with.join(&near.via)
			f.addSemi(x, to, &both, cell)
		}
	}
	for z := range f.chains {
		if z == x {
			continue
		}
		other := f.pair(z, y)
		for i := 0; i < other.fulls; i++ {
			f.work--
			if other.full[i].need.apart(need) {
				both := with.join(&other.full[i].need)
				f.addSemi(x, z, &both, cell)
			}
		}
		if x < 2 {
			continue
		}
		other = f.pair(x, z)
		for i := 0; i < other.fulls; i++ {
			f.work--
			if other.full[i].need.apart(&with) {
				both := need.join(&other.full[i].need)
				f.addFull(z, y, &both)
			}
		}
	}
}

// through joins a chain to all that a middle one is connected to. Edges are no middle: what leads through them
// joins the edges already.
func (f *Finder) through(x, middle int, need *Set) {
	if middle < 2 {
		return
	}
	for y := range f.cells {
		if y == x || y == middle || y >= f.chains && need.Has(f.cells[y]) {
			continue
		}
		other := f.pair(middle, y)
		for i := 0; i < other.fulls; i++ {
			f.work--
			if other.full[i].need.apart(need) {
				both := need.join(&other.full[i].need)
				f.addFull(x, y, &both)
			}
		}
	}
}

// has reports whether a connection with exactly these cells is in a list.
func has(list []connection, need *Set) bool {
	for i := range list {
		if list[i].need == *need {
			return true
		}
	}
	return false
}

// enough reports whether a connection in a list needs none but these cells.
func enough(list []connection, need *Set) bool {
	for i := range list {
		if list[i].need.within(need) {
			return true
		}
	}
	return false
}

// drop removes the connections that need all of these cells. It returns how many are left.
func drop(list []connection, need *Set) int {
	n := 0
	for i := range list {
		if !need.within(&list[i].need) {
			list[n] = list[i]
			n++
		}
	}
	return n
}

// insert puts a connection into the first n of a list, which are in order, after those that need as few cells. The
// last one gives way if the list is full. It returns how many there are, and whether the connection is one of them.
func insert(list []connection, n int, c connection) (int, bool) {
	size, at := c.need.Count(), n
	for at > 0 && list[at-1].need.Count() > size {
		at--
	}
	if at == len(list) {
		return n, false
	}
	n = min(n+1, len(list))
	copy(list[at+1:n], list[at:])
	list[at] = c
	return n, true
}

// addFull adds a full connection, unless a better one is there, and queues it.
func (f *Finder) addFull(x, y int, need *Set) {
	l := f.pair(x, y)
	if enough(l.full[:l.fulls], need) {
		return
	}
	l.fulls = drop(l.full[:l.fulls], need)
	n, added := insert(l.full[:], l.fulls, connection{need: *need})
	if !added {
		return
	}
	l.fulls = n
	l.semis = drop(l.semi[:l.semis], need)
	size := need.Count()
	f.queue[size] = append(f.queue[size], link{int16(x), int16(y), *need})
	f.least = min(f.least, size)
}

// addSemi adds a semi-connection, unless a better connection is there, and the full ones that it makes with others:
// some that have no cell in common.
func (f *Finder) addSemi(x, y int, need *Set, key int) {
	l := f.pair(x, y)
	if x+y == 1 {
		f.must = f.must.common(need)
	}
	if enough(l.full[:l.fulls], need) || enough(l.semi[:l.semis], need) {
		return
	}
	l.semis = drop(l.semi[:l.semis], need)
	f.found = f.found[:0]
	f.either(l, 0, 1, *need, *need)
	l.semis, _ = insert(l.semi[:], l.semis, connection{*need, int16(key)})
	for i := range f.found {
		f.addFull(x, y, &f.found[i])
	}
}

// either finds semi-connections from that index on that have no cell in common with each other and those before.
func (f *Finder) either(l *links, from, joined int, common, all Set) {
	for i := from; i < l.semis; i++ {
		f.work--
		rest := common.common(&l.semi[i].need)
		if rest == common {
			continue
		}
		both := all.join(&l.semi[i].need)
		if rest.empty() {
			f.found = append(f.found, both)
		} else if joined+1 < mostJoin {
			f.either(l, i+1, joined+1, rest, both)
		}
	}
}
