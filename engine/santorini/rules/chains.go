package rules

// Turn is a next state with a shortest chain of actions that leads to it.
type Turn struct {
	Next  State
	Chain []Action
}

// Turns lists every distinct next state with a shortest chain, in the order of
// generation. A blocked mover has none.
func Turns(p *State) []Turn {
	if p.Winner != 0 {
		return nil
	}
	l := NewMoveList()
	g := &generator{list: l, recording: true}
	g.generate(p)
	found := make([]Turn, len(l.Children))
	for i := range l.Children {
		found[i] = Turn{l.Children[i], g.chains[i]}
	}
	return found
}

// Explain is a shortest chain from p to q. It returns false if q is not a next
// state of p. The chain of a blocked mover is NoMoves.
func Explain(p, q *State) ([]Action, bool) {
	if p.Winner != 0 {
		return nil, false
	}
	g := &generator{recording: true, target: q}
	if g.generate(p); g.found {
		return g.targetChain, true
	}
	if l := NewMoveList(); IsAfterBlocked(p, q) {
		if l.Generate(p); len(l.Moves) == 0 {
			return []Action{act(NoMoves, NoSquare)}, true
		}
	}
	return nil, false
}
