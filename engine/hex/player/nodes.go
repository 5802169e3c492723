package player

// nodes are the nodes of a tree, in blocks that stay where they are: a growing tree copies nothing, and the next one
// uses the blocks again. Siblings are in one block.
type nodes struct {
	blocks [][]node
	free   [][]node
	used   int // of the last block
	count  int
}

const (
	blockBits = 12
	blockSize = 1 << blockBits
)

func (s *nodes) at(i int32) *node { return &s.blocks[i>>blockBits][i&(blockSize-1)] }

// children are those of a node, none if it was not expanded.
func (s *nodes) children(n *node) []node {
	from := n.first & (blockSize - 1)
	return s.blocks[n.first>>blockBits][from : from+int32(n.count)]
}

// add returns n new siblings, and the index of the first.
func (s *nodes) add(n int) (first int32, list []node) {
	if len(s.blocks) == 0 || s.used+n > blockSize {
		if len(s.free) == 0 {
			s.free = append(s.free, make([]node, blockSize))
		}
		last := len(s.free) - 1
		s.blocks, s.free, s.used = append(s.blocks, s.free[last]), s.free[:last], 0
	}
	last := len(s.blocks) - 1
	first, list = int32(last<<blockBits+s.used), s.blocks[last][s.used:s.used+n]
	clear(list)
	s.used += n
	s.count += n
	return first, list
}

// clear removes all nodes.
func (s *nodes) clear() {
	s.free, s.blocks, s.used, s.count = append(s.free, s.blocks...), s.blocks[:0], 0, 0
}
