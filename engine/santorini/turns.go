package santorini

import "slices"

// turns generates the full rules, whatever the two gods are: every turn is
// carried out on a copy of the position, and distinct results are kept. A
// god's file writes its own order of steps with the helpers here.
type turns struct {
	f  *frame
	p  *state
	me uint8

	winsOnly bool // builds need not be tried

	record bool
	chain  []Action   // the actions of the turn under way
	chains [][]Action // by kid, when record is set
}

// generate fills the frame's kids.
func (t *turns) generate(p *state) {
	t.p, t.me = p, p.mover&1
	t.chain = t.chain[:0]
	if p.placing() {
		if !t.winsOnly {
			t.place()
		}
		return
	}
	if p.workers[t.me] == 0 {
		return
	}
	gods[p.god[t.me]].turns(t)
}

// do records an action.
func (t *turns) do(a Action) {
	if t.record {
		t.chain = append(t.chain, a)
	}
}

// undo takes back n actions.
func (t *turns) undo(n int) {
	if t.record {
		t.chain = t.chain[:len(t.chain)-n]
	}
}

// emit ends the turn under way with q, in which it is still the mover's turn.
func (t *turns) emit(q *state, won bool, hint move) {
	next := *q
	next.mover ^= 1
	if won {
		next.winner = t.me + 1
		hint |= moveWins
	}
	t.keep(&next, hint)
}

// keep adds a state, or a shorter chain to it.
func (t *turns) keep(q *state, hint move) {
	i, old := t.f.keep(q, hint)
	switch {
	case !t.record:
	case !old:
		t.chains = append(t.chains, slices.Clone(t.chain))
	case len(t.chain) < len(t.chains[i]):
		t.chains[i] = slices.Clone(t.chain)
	}
}

// steps is where a worker on from may go in one step.
func (t *turns) steps(q *state, from int) uint32 {
	return near[from&31] &^ q.occupied() & q.climbable(q.height(from)) & board
}

// rises reports whether a step wins by the common rule: up onto level 3.
func rises(q *state, from, to int) bool {
	return q.height(to) == 3 && q.height(from) < 3
}

// build ends a turn with one level beside at, and calls more after it.
func (t *turns) build(q *state, from, at int, more func(next *state, s int, hint move)) {
	if t.winsOnly {
		return
	}
	hint := move(from) | move(at)<<5
	if q.height(at) > t.p.height(from) {
		hint |= moveClimbs
	}
	for sites := near[at&31] &^ (q.occupied() | q.up[3]); sites != 0; sites &= sites - 1 {
		s := lowest(sites)
		next := *q
		next.raise(bit(s))
		hint := hint | move(s)<<10
		t.do(act(Build, s))
		t.emit(&next, false, hint)
		if more != nil {
			more(&next, s, hint)
		}
		t.undo(1)
	}
}

// walk moves worker from to to on a copy.
func (t *turns) walk(q *state, from, to int) state {
	next := *q
	next.workers[t.me] ^= bit(from) | bit(to)
	return next
}

// stepAndBuild is the common turn: a step, a block beside its end, and what
// the god may add after it.
func (t *turns) stepAndBuild(wins func(q *state, from, to int) bool, more func(q *state, s int, hint move)) {
	for w := t.p.workers[t.me]; w != 0; w &= w - 1 {
		from := lowest(w)
		t.do(act(SelectWorker, from))
		for ends := t.steps(t.p, from); ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			next := t.walk(t.p, from, to)
			t.do(act(MoveWorker, to))
			if wins(t.p, from, to) {
				t.emit(&next, true, noBuild|move(to)<<5|move(from))
			} else {
				t.build(&next, from, to, more)
			}
			t.undo(1)
		}
		t.undo(1)
	}
}
