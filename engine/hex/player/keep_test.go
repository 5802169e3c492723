package player

import (
	"cmp"
	"slices"
	"testing"

	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// The search of a position two moves later goes on in the tree, and answers the same as
// often as it is asked.
func TestTreeIsKept(t *testing.T) {
	const size = 9
	second := func(plain bool, colour rules.Colour) (before, after int32, choice Choice) {
		tree := newTree(size, 1, net.Embedded(), nil)
		tree.plain = plain
		board := make([]rules.Colour, size*size)
		first := tree.search(t.Context(), board, rules.Black, budget{playouts: 400})
		board[first.Cell] = rules.Black
		own := tree.child(tree.nodes.at(0), int(tree.field.inner[first.Cell]))
		replies := tree.nodes.children(own)
		reply := slices.MaxFunc(replies, func(a, b node) int { return cmp.Compare(a.visits, b.visits) })
		before = reply.visits
		board[tree.field.CellAt(int(reply.at))] = rules.White
		choice = tree.search(t.Context(), board, colour, budget{playouts: 100})
		if n := below(tree, tree.nodes.at(0)); n != tree.nodes.count || n != choice.Nodes {
			t.Fatalf("%d nodes below the root of %d; %+v", n, tree.nodes.count, choice)
		}
		return before, tree.nodes.at(0).visits, choice
	}
	before, after, choice := second(false, rules.Black)
	if before < 10 || after != before+100 || choice.playouts != 100 {
		t.Errorf("%d visits, then %d; %+v", before, after, choice)
	}
	if _, _, again := second(false, rules.Black); again != choice {
		t.Errorf("%+v, then %+v", choice, again)
	}
	if _, after, _ := second(true, rules.Black); after != 100 {
		t.Errorf("a plain tree has %d visits after 100 playouts", after)
	}
	if _, after, _ := second(false, rules.White); after != 100 {
		t.Errorf("the other colour's tree has %d visits after 100 playouts", after)
	}
}

// below is the number of nodes from a node on, each of which has no more visits than the one above it.
func below(t *tree, n *node) int {
	count := 1
	children := t.nodes.children(n)
	for i := range children {
		if children[i].visits <= n.visits {
			count += below(t, &children[i])
		}
	}
	return count
}
