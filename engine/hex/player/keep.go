package player

import "thera/engine/hex/rules"

// keep makes the node after the last two moves the root of the tree, with all that is known
// below it. It reports false if the tree, in which that colour was to move, has no such node
// with children.
func (t *tree) keep(before rules.Colour) bool {
	if t.plain || t.nodes.count == 0 || before != t.root || t.last[0] == 0 || t.last[1] == 0 {
		return false
	}
	own := t.child(t.nodes.at(0), t.last[1])
	if own == nil {
		return false
	}
	at := t.child(own, t.last[0])
	if at == nil || at.first == 0 || at.proof != 0 {
		return false
	}
	kept := nodes{free: t.nodes.free}
	_, root := kept.add(1)
	root[0] = *at
	t.move(&root[0], &kept)
	kept.free = append(kept.free, t.nodes.blocks...)
	t.nodes = kept
	return true
}

// move copies all that is below a node.
func (t *tree) move(n *node, to *nodes) {
	if n.first == 0 {
		return
	}
	from := t.nodes.children(n)
	first, list := to.add(len(from))
	copy(list, from)
	n.first = first
	for i := range list {
		t.move(&list[i], to)
	}
}

// child is the child of a node on a place, nil if there is none.
func (t *tree) child(n *node, at int) *node {
	children := t.nodes.children(n)
	for i := range children {
		if int(children[i].at) == at {
			return &children[i]
		}
	}
	return nil
}
