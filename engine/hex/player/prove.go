package player

import (
	"math"

	"thera/engine/hex/player/connect"
	"thera/engine/hex/rules"
)

// How hard connections are looked for, in pairs of them that are tried.
const (
	workAtRoot  = 300_000
	workAtNode  = 30_000
	leastVisits = 25
	workAVisit  = 150 // a node is worth it after one visit for this much of the root's work
	workLong    = 500 // the same in a long search
)

// connections are what is found of the position in the field for the side to move and the other side, unless the
// first settles it.
func (t *tree) connections(turn rules.Colour, work int) (own, other connect.Result) {
	board := t.board()
	own = t.finder.Find(board, turn, true, work)
	if !own.First && !own.Second {
		other = t.finder.Find(board, turn.Other(), false, work)
	}
	return own, other
}

// connectRoot returns a move that wins by a connection, or leaves the root the children that may win.
func (t *tree) connectRoot(turn rules.Colour) (cell int, wins bool) {
	own, other := t.connections(turn, workAtRoot)
	switch {
	case own.Second: // all that it needs is its own after one of these moves
		t.restrict(t.nodes.at(0), &own.Win)
		return t.field.CellAt(int(t.nodes.at(t.best()).at)), true
	case own.First:
		return own.Key, true
	case other.Second: // all moves lose: the search looks for the one that seems to lose least
		t.restrict(t.nodes.at(0), &other.Win)
		return 0, false
	case other.First:
		t.restrict(t.nodes.at(0), &other.Must)
	}
	t.rootWork = own.Work + other.Work
	t.proveAfter = int32(max(leastVisits, t.rootWork/workAVisit))
	return 0, false
}

// goLong changes how the rest of a long search is done. Playouts and proofs know more there than the judge does.
func (t *tree) goLong() {
	t.long = true
	if t.proveAfter < math.MaxInt32 {
		t.proveAfter = int32(max(leastVisits, t.rootWork/workLong))
	}
}

// connect proves a node, with turn to move, or those of its children that leave the other side a connection.
func (t *tree) connect(n *node, turn rules.Colour) {
	own, other := t.connections(turn, workAtNode)
	n.looked = true
	switch {
	case own.First || own.Second:
		n.proof = -1
	case other.Second:
		n.proof = 1
	case other.First:
		if !t.restrict(n, &other.Must) {
			n.proof = 1
		}
	}
}

// restrict proves that the children of a node outside a set of cells lose, and reports whether others are open.
func (t *tree) restrict(n *node, to *connect.Set) (open bool) {
	children := t.nodes.children(n)
	for i := range children {
		child := &children[i]
		if child.proof == 0 && !to.Has(t.field.CellAt(int(child.at))) {
			child.proof = -1
		}
		open = open || child.proof >= 0
	}
	return open
}
