package santorini

// fastTurnsOf lists the turns of a god of the fast path with their chains,
// which follow from the move words alone. All chains share one array.
func fastTurnsOf(p *state) []turnFound {
	f := newFrame()
	f.generate(p)
	found := make([]turnFound, len(f.moves))
	slab := make([]Action, 0, 4*len(f.moves))
	for i, m := range f.moves {
		begin := len(slab)
		slab = appendFastChain(slab, p, m)
		found[i] = turnFound{f.child(p, m), slab[begin:len(slab):len(slab)]}
	}
	return found
}

// appendFastChain appends the actions of m: one step where one step does it,
// else two.
func appendFastChain(chain []Action, p *state, m move) []Action {
	from, to := m.from(), m.to()
	chain = append(chain, act(SelectWorker, from))
	if mid := between(p, m); mid != noSquare {
		chain = append(chain, act(MoveWorker, mid))
	}
	chain = append(chain, act(MoveWorker, to))
	if m.wins() {
		return chain
	}
	chain = append(chain, act(Build, m.built()))
	if m.twice() {
		chain = append(chain, act(Build, m.built()))
	}
	return chain
}

// between is the square that a worker steps on before it ends its move, no
// square where one step is enough. A win that is no win by one step needs the
// step from level 2.
func between(p *state, m move) int {
	from, to := m.from(), m.to()
	direct := near[from]&bit(to)&p.climbable(p.height(from)) != 0
	if direct && (!m.wins() || rises(p, from, to) || p.height(to) < 3) {
		return noSquare
	}
	mids := near[from] & near[to] & p.climbable(p.height(from)) &^ p.occupied()
	for ; mids != 0; mids &= mids - 1 {
		mid := lowest(mids)
		if rises(p, from, mid) || p.height(to) > p.height(mid)+1 || m.wins() && !rises(p, mid, to) {
			continue
		}
		return mid
	}
	return noSquare
}
