package rules

// CountTurns counts sequences of turns as some published counts do: a move that
// closes a mill and its removal are one.
func (p *Position) CountTurns(depth int) uint64 {
	c := counter{rules: &p.rules, lists: make([][]Move, depth+1)}
	return c.countTurns(p.state, depth)
}

func (c *counter) countTurns(s State, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	list := s.Moves(c.rules, c.lists[depth][:0])
	c.lists[depth] = list
	var total uint64
	for _, m := range list {
		next := s
		next.Play(m)
		if next.Action != RemoveMan {
			total += c.countTurns(next, depth-1)
			continue
		}
		for set := next.Removable(); set != 0; set &= set - 1 {
			after := next
			after.Play(Remove(set.First()))
			total += c.countTurns(after, depth-1)
		}
	}
	return total
}
