package player

import (
	"testing"

	"thera/engine/hex/player/conv"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// A node that is visited often is judged once, and that counts as playouts up to the root. A plain tree has no judge.
func TestNodesAreJudged(t *testing.T) {
	const size, playouts = 9, 200
	for _, plain := range []bool{false, true} {
		tree := newTree(size, 1, net.Embedded(), conv.Embedded)
		tree.plain = plain
		tree.search(t.Context(), make([]rules.Colour, size*size), rules.Black, budget{playouts: playouts})
		judged := int32(0)
		for _, block := range tree.nodes.blocks {
			for i := range block {
				if n := &block[i]; n.judged {
					judged++
					if n.visits < judgeAfter+judgedVisits {
						t.Errorf("a judged node has %d visits", n.visits)
					}
				}
			}
		}
		if visits := tree.nodes.at(0).visits; visits != playouts+judgedVisits*judged || (judged > 0) == plain {
			t.Errorf("plain %t: %d nodes judged, %d visits of the root", plain, judged, visits)
		}
	}
}

// From longAfter visits of the root on, nodes are looked at sooner for connections and the judge counts as less.
func TestLongSearch(t *testing.T) {
	const size, playouts = 9, 7000
	tree := newTree(size, 1, net.Embedded(), conv.Embedded)
	board := make([]rules.Colour, size*size)
	for i, cell := range []int{20, 13, 68, 51} { // neither side has connected
		board[cell] = rules.Black + rules.Colour(i&1)
	}
	tree.search(t.Context(), board, rules.Black, budget{playouts: playouts})
	judged := int32(0)
	for _, block := range tree.nodes.blocks {
		for i := range block {
			if block[i].judged {
				judged++
			}
		}
	}
	given := tree.nodes.at(0).visits - playouts
	before := (given - judgedLong*judged) / (judgedVisits - judgedLong)
	if given != judgedVisits*before+judgedLong*(judged-before) || before >= judged {
		t.Fatalf("%d nodes judged count as %d visits", judged, given)
	}
	if judgedVisits*(before-1) > longAfter || judgedVisits*before+playouts < longAfter {
		t.Errorf("%d nodes count as %d visits", before, judgedVisits)
	}
	if want := int32(max(leastVisits, tree.rootWork/workLong)); tree.rootWork == 0 || tree.proveAfter != want {
		t.Errorf("connections after %d visits, want %d", tree.proveAfter, want)
	}
	if tree.search(t.Context(), make([]rules.Colour, size*size), rules.Black, budget{playouts: 1}); tree.long {
		t.Error("the next search is long from the start")
	}
}

// The values of both sides add up to 1, and a better logit is a better chance.
func TestChance(t *testing.T) {
	last := float32(-1)
	for logit := -4000; logit <= 4000; logit += 50 {
		c := chance(logit)
		if c < last || c+chance(-logit) != 1 || (logit == 0) != (c == 0.5) {
			t.Errorf("logit %d: %v after %v, other side %v", logit, c, last, chance(-logit))
		}
		last = c
	}
}
