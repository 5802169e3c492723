package player

import (
	"testing"

	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// The search of a position two moves later goes on in the tree, and answers the same as
// often as it is asked.
func TestTreeIsKept(t *testing.T) {
	const size = 9
	second := func(plain bool, colour rules.Colour) (before, after int32, choice Choice) {
		tree := newTree(size, 1, net.Embedded())
		tree.plain = plain
		board := make([]rules.Colour, size*size)
		first := tree.search(t.Context(), board, rules.Black, budget{playouts: 400})
		board[first.Cell] = rules.Black
		own := tree.child(0, int(tree.field.inner[first.Cell]))
		reply := tree.nodes[own].first
		for i := reply; i < tree.nodes[own].first+int32(tree.nodes[own].count); i++ {
			if tree.nodes[i].visits > tree.nodes[reply].visits {
				reply = i
			}
		}
		before = tree.nodes[reply].visits
		board[tree.field.CellAt(int(tree.nodes[reply].at))] = rules.White
		choice = tree.search(t.Context(), board, colour, budget{playouts: 100})
		for i := range tree.nodes {
			if n := &tree.nodes[i]; n.first != 0 && (int(n.first)+int(n.count) > len(tree.nodes) || n.first <= int32(i)) {
				t.Fatalf("node %d of %d has children %d to %d", i, len(tree.nodes), n.first, int(n.first)+int(n.count))
			}
		}
		return before, tree.nodes[0].visits, choice
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
