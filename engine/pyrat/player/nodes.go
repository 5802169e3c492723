package player

// wide is the number of pieces of cheese that a player chooses from.
const wide = 6

// Nodes are kept in a table of slots, each in one of the probes slots of its bucket.
const (
	slots  = 1 << 16
	probes = 4
)

// node is a state in which somebody chooses, and what playouts said about it.
type node struct {
	key    uint64
	turn   int32
	visits int32
	count  [2]int8 // choices of each player, 0 for one that keeps its target
	target [2][wide]int16
	n      [2][wide]int32
	value  [2][wide]float32 // sum of that player's results
}

// node returns the node of a state, and whether it is new. A new one takes the place of one
// that is out of reach, for its turn is over, or else of the one visited least.
func (p *Player) node(r *race) (nd *node, grown bool) {
	for i := range r.runner {
		if w := &r.runner[i]; w.target >= 0 && !p.Plain {
			p.walk(w, r.turn) // where it began does not matter
		}
	}
	t, key := &p.tree, r.key()
	bucket := t.nodes[key&(slots-probes):][:probes]
	nd = &bucket[0]
	for i := range bucket {
		switch other := &bucket[i]; {
		case other.key == key:
			return other, false
		case nd.turn < t.root.turn:
		case other.turn < t.root.turn, other.visits < nd.visits:
			nd = other
		}
	}
	*nd = node{key: key, turn: r.turn}
	for i := range r.runner {
		if r.runner[i].target < 0 {
			nd.count[i] = p.choices(r, i, &nd.target[i])
		}
	}
	t.grown++
	return nd, true
}

// choices lists the nearest cheese for a player. It leaves out cheese that can be reached
// just as fast by way of other cheese in the list, and cheese out of reach.
func (p *Player) choices(r *race, i int, out *[wide]int16) int8 {
	from := r.runner[i].cell
	row, n := p.row(from), 0
next:
	for _, k := range p.nearest(from) {
		if !r.cheese.Has(int(k)) || n > 0 && row[k] >= far {
			continue
		}
		for _, j := range out[:n] {
			if row[j]+p.turns(k, p.board.Cheese[j]) == row[k] {
				continue next
			}
		}
		out[n] = k
		if n++; n == wide {
			break
		}
	}
	return int8(n)
}
