package mill

// CountTurns counts turns, a mill-closing action and its removal being one.
func (p *Position) CountTurns(depth int) uint64 {
	c := counter{rules: p.rules}
	return c.countTurns(p.state, depth)
}
