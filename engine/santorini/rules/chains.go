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
	if FastPath(p) != nil {
		return fastTurns(p)
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
	l := NewMoveList()
	if p.Winner != 0 {
		return nil, false
	}
	if FastPath(p) != nil {
		if m, ok := l.Find(p, q); ok {
			return appendFastChain(nil, p, m), true
		}
	} else {
		g := &generator{list: l, recording: true, target: q}
		g.generate(p)
		if g.found {
			return g.targetChain, true
		}
	}
	if l.Generate(p); len(l.Moves) == 0 && IsAfterBlocked(p, q) {
		return []Action{act(NoMoves, NoSquare)}, true
	}
	return nil, false
}

// fastTurns is Turns for a mover with a fast path, whose moves describe the turns
// fully. All chains share one array.
func fastTurns(p *State) []Turn {
	l := NewMoveList()
	l.Generate(p)
	found := make([]Turn, len(l.Moves))
	slab := make([]Action, 0, 4*len(l.Moves))
	for i, m := range l.Moves {
		begin := len(slab)
		slab = appendFastChain(slab, p, m)
		found[i] = Turn{l.Child(p, m), slab[begin:len(slab):len(slab)]}
	}
	return found
}

// appendFastChain appends the actions of m, with two steps if one is not enough.
func appendFastChain(chain []Action, p *State, m Move) []Action {
	from, to := m.From(), m.To()
	chain = append(chain, act(SelectWorker, from))
	if mid := between(p, m); mid != NoSquare {
		chain = append(chain, act(MoveWorker, mid))
	}
	chain = append(chain, act(MoveWorker, to))
	if m.Wins() {
		return chain
	}
	chain = append(chain, act(Build, m.Built()))
	if m.Twice() {
		chain = append(chain, act(Build, m.Built()))
	}
	return chain
}

// between is the square that the worker steps on before it ends its move, NoSquare
// if one step is enough. A win that one step cannot make ends with a step from
// level 2.
func between(p *State, m Move) int {
	from, to := m.From(), m.To()
	direct := near[from]&Bit(to)&p.Climbable(p.Height(from)) != 0
	if direct && (!m.Wins() || rises(p, from, to) || p.Height(to) < 3) {
		return NoSquare
	}
	mids := near[from] & near[to] & p.Climbable(p.Height(from)) &^ p.Occupied()
	for ; mids != 0; mids &= mids - 1 {
		mid := lowest(mids)
		if rises(p, from, mid) || p.Height(to) > p.Height(mid)+1 || m.Wins() && !rises(p, mid, to) {
			continue
		}
		return mid
	}
	return NoSquare
}
