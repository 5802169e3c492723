package santorini

import "slices"

// turns generates the full rules, whatever the two gods are: every turn is
// carried out on a copy of the position, and distinct results are kept. A
// god's file writes its own order of steps with the helpers here.
type turns struct {
	f        *frame
	p        *state
	me, them uint8
	god, foe *power

	winsOnly bool // builds that cannot win need not be tried
	limits        // what both gods allow the mover

	// What is handed to a god's own functions would escape to the heap: it is
	// held here instead, one for each step under way.
	held  [8]state
	depth int

	record bool
	chain  []Action   // the actions of the turn under way
	chains [][]Action // by kid, when record is set

	judge func(kid int) (over bool) // if set, sees each new state, and may break off
	over  bool                      // it did

	plain bool // what makes a wide god's turns so many is left out

	want  *state // if set, nothing is kept but a shortest chain to it
	way   []Action
	known bool // way leads there
}

// While a turn is under way, flags in state.mover remember what its steps did.
const (
	wentUp   = 0x80
	wentDown = 0x40
	leftHer  = 0x20 // the last step left aphrodite's side
)

// generate fills the frame's kids.
func (t *turns) generate(p *state) {
	t.p, t.me, t.them = p, p.mover&1, p.mover&1^1
	t.god, t.foe = &gods[p.god[t.me]], &gods[p.god[t.them]]
	t.chain, t.depth = t.chain[:0], 0
	if p.placing() {
		if !t.winsOnly {
			t.place()
		}
		return
	}
	if p.workers[t.me] == 0 {
		return
	}
	t.limits = limits{winds: [2]int{noWind, noWind}}
	if t.god.rules != nil {
		t.god.rules(t, t.me)
	}
	if t.foe.limit != nil {
		t.foe.limit(t, t.them)
	}
	if t.mustClimb {
		// A turn that wins without climbing is open only if none climbs at all.
		t.winsOnly = t.winsOnly && t.god.wins == nil && !t.god.buildWins
	}
	t.god.turns(t)
	if t.mustClimb && len(t.f.kids) == 0 && !t.winsOnly && !t.plain {
		t.mustClimb = false
		t.god.turns(t)
	}
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

// emit ends the turn under way with q. hint says which worker came from where
// and ended where, and what was built.
func (t *turns) emit(q *state, won bool, hint move) {
	if t.over || t.mustClimb && q.mover&wentUp == 0 || q.mover&leftHer != 0 {
		return
	}
	next := *q
	if !won && t.god.ending != nil {
		next, won = t.god.ending(t, next)
	}
	next.mover = t.them
	if won {
		next.winner = t.me + 1
		hint |= moveWins
	}
	t.keep(&next, hint)
}

// keep adds a state, or a shorter chain to it.
func (t *turns) keep(q *state, hint move) {
	if t.want != nil {
		if *q == *t.want && (!t.known || len(t.chain) < len(t.way)) {
			t.way, t.known = slices.Clone(t.chain), true
		}
		return
	}
	i, old := t.f.keep(q, hint)
	switch {
	case t.judge != nil:
		if !old {
			t.over = t.judge(i)
		}
	case !t.record:
	case !old:
		t.chains = append(t.chains, slices.Clone(t.chain))
	case len(t.chain) < len(t.chains[i]):
		t.chains[i] = slices.Clone(t.chain)
	}
}

// each calls fn for every own worker that may move, selected.
func (t *turns) each(fn func(from int)) {
	for w := t.p.workers[t.me] &^ t.frozen; w != 0 && !t.over; w &= w - 1 {
		from := lowest(w)
		t.do(act(SelectWorker, from))
		fn(from)
		t.undo(1)
	}
}

// then is what follows a step: the worker stands on at.
type then func(q *state, at int, hint move)

// go1 takes each of the steps from from to ends: a win ends the turn, all else goes on
// with next. home is where the worker began its turn.
func (t *turns) go1(q *state, home, from int, ends uint32, next then) {
	for ; ends != 0 && !t.over; ends &= ends - 1 {
		to := lowest(ends)
		t.do(act(MoveWorker, to))
		after, at := t.step(q, from, to)
		t.arrive(q, &after, home, from, to, at, next)
		t.undo(1)
	}
}

// arrive ends the turn if the step from from to to wins, else goes on.
func (t *turns) arrive(q, after *state, home, from, to, at int, next then) {
	if t.clings {
		after.mover &^= leftHer
		if t.clingsTo(t.p, home) && !t.clingsTo(after, at) {
			after.mover |= leftHer
		}
	}
	hint := move(home) | move(at)<<5
	if q.height(to) > t.p.height(home) {
		hint |= moveClimbs
	}
	if at == to && t.wins(q, after, from, to) { // a winning step never slides
		t.emit(after, true, hint|noBuild)
		return
	}
	next(t.hold(after), at, hint)
	t.depth--
}

// hold keeps a copy of q until depth is counted down.
func (t *turns) hold(q *state) *state {
	held := &t.held[t.depth]
	*held = *q
	t.depth++
	return held
}

// wins: by the common rule or the god's own, unless the opponent forbids it.
func (t *turns) wins(q, after *state, from, to int) bool {
	if t.noWin&bit(to) != 0 {
		return false
	}
	if t.fromTwo {
		return rises(q, from, to) && q.height(from) == 2
	}
	return rises(q, from, to) || t.god.wins != nil && t.god.wins(t, *q, *after, from, to)
}

// rises reports whether a step wins by the common rule: up onto level 3.
func rises(q *state, from, to int) bool {
	return q.height(to) == 3 && q.height(from) < 3
}

// build puts one level on each site beside at and ends the turn there.
func (t *turns) build(q *state, at int, hint move) {
	t.buildOn(q, t.sites(q, at), hint, nil)
}

// buildOn puts one level on each of sites. It ends the turn there, and calls
// more, if it is not nil, for what may follow.
func (t *turns) buildOn(q *state, sites uint32, hint move, more func(q *state, s int, hint move)) {
	if t.winsOnly {
		if !t.god.buildWins {
			return
		}
		sites &= q.up[2]
	}
	for ; sites != 0 && !t.over; sites &= sites - 1 {
		s := lowest(sites)
		next := *q
		t.raise(&next, s)
		t.do(act(Build, s))
		hint := hint | move(s)<<10
		t.emit(&next, false, hint)
		if more != nil {
			more(t.hold(&next), s, hint)
			t.depth--
		}
		t.undo(1)
	}
}

// domeOn puts a dome on each of sites.
func (t *turns) domeOn(q *state, sites uint32, hint move) {
	for ; sites != 0 && !t.winsOnly && !t.over; sites &= sites - 1 {
		s := lowest(sites)
		next := *q
		next.dome(bit(s))
		t.do(act(Dome, s))
		t.emit(&next, false, hint|move(s)<<10)
		t.undo(1)
	}
}

// stepAndBuild is the common turn: one step, then what follows it.
func (t *turns) stepAndBuild(next then) {
	t.each(func(from int) {
		t.go1(t.p, from, from, t.steps(t.p, from), next)
	})
}

// commonTurns is the turn of every god whose power needs no step of its own.
func commonTurns(t *turns) { t.stepAndBuild(t.build) }
