package player

import "thera/engine/hex/rules"

// keep makes the node after the last two moves the root of the tree, with all that is known
// below it. It reports false if the tree, in which that colour was to move, has no such node
// with children.
func (t *tree) keep(before rules.Colour) bool {
	if t.plain || len(t.nodes) == 0 || before != t.root || t.last[0] == 0 || t.last[1] == 0 {
		return false
	}
	own := t.child(0, t.last[1])
	at := t.child(own, t.last[0])
	if own == 0 || at == 0 || t.nodes[at].first == 0 || t.nodes[at].proof != 0 {
		return false
	}
	kept := append(t.spare[:0], t.nodes[at])
	for i := 0; i < len(kept); i++ {
		n := &kept[i]
		if first := n.first; first != 0 {
			n.first = int32(len(kept))
			kept = append(kept, t.nodes[first:first+int32(n.count)]...)
		}
	}
	t.spare, t.nodes = kept, append(t.nodes[:0], kept...)
	return true
}

// child is the child of a node on a place, 0 if there is none.
func (t *tree) child(parent int32, at int) int32 {
	n := &t.nodes[parent]
	for i := n.first; i < n.first+int32(n.count); i++ {
		if int(t.nodes[i].at) == at {
			return i
		}
	}
	return 0
}
