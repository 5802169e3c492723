package rules

import "slices"

// generator lists turns by the full rules, for any two gods. It plays every turn
// on a copy of the position and adds the distinct results to a MoveList. A god's
// file composes its turn from the methods here.
type generator struct {
	list     *MoveList
	p        *State
	me, them uint8
	god, foe *power

	winsOnly bool         // builds that cannot win may be left out
	emitted  bool         // a turn has ended
	allowed  *printedRule // by the printed rules, beyond what is listed; nil for nothing
	limits                // what both gods allow the mover

	// States passed to a god's functions would escape to the heap. They are
	// stored here instead, one for each step of the current turn.
	held  [8]State
	depth int

	legs  [5][Squares]leg // the ways of stymphalians
	again map[State]bool  // what dionysus has gone on from

	recording bool
	chain     []Action   // the actions of the current turn
	chains    [][]Action // a shortest chain for each child, when recording

	visit   func(child int) (stop bool) // called with each new child, may be nil
	stopped bool                        // visit returned true

	plainOnly bool // a wide god leaves out most of its turns

	target      *State // if not nil, only look for a shortest chain to it
	targetChain []Action
	found       bool
}

// During a turn, flags in State.Mover remember what its steps did.
const (
	wentUp        = 0x80
	wentDown      = 0x40
	leftNeighbour = 0x20 // the last step left the side of aphrodite's worker
)

// start prepares g to fill l.
func (g *generator) start(l *MoveList, winsOnly bool) {
	g.list, g.winsOnly, g.recording, g.stopped = l, winsOnly, false, false
}

// generate fills the list's children.
func (g *generator) generate(p *State) {
	g.p, g.me, g.them = p, p.Mover&1, p.Mover&1^1
	g.god, g.foe = &gods[p.Gods[g.me]], &gods[p.Gods[g.them]]
	g.chain, g.depth = g.chain[:0], 0
	if p.Placing() {
		if !g.winsOnly {
			g.place()
		}
		return
	}
	if p.Workers[g.me] == 0 && !g.god.returns {
		return
	}
	g.limits = limits{winds: [2]int{noWind, noWind}}
	if g.god.limitSelf != nil {
		g.god.limitSelf(g, g.me)
	}
	if g.foe.limitOpponent != nil {
		g.foe.limitOpponent(g, g.them)
	}
	if g.mustClimb {
		// A win without climbing is allowed only if no turn climbs, so other
		// turns matter too.
		g.winsOnly = g.winsOnly && g.god.wins == nil && !g.god.buildWins && !g.god.hints.elsewhere
	}
	g.emitted = false
	g.god.turns(g)
	if g.nothingClimbs() {
		g.mustClimb = false
		g.god.turns(g)
	}
}

// do records an action.
func (g *generator) do(a Action) {
	if g.recording {
		g.chain = append(g.chain, a)
	}
}

// end ends the current turn with one more action that leads to q.
func (g *generator) end(a Action, q *State, hint Move) {
	g.do(a)
	g.emit(q, false, hint)
	g.undo(1)
}

// undo removes the last n actions.
func (g *generator) undo(n int) {
	if g.recording {
		g.chain = g.chain[:len(g.chain)-n]
	}
}

// emit ends the current turn with q. hint has the squares where the worker began
// and ended and the square that was built on.
func (g *generator) emit(q *State, won bool, hint Move) {
	if g.stopped || g.mustClimb && q.Mover&wentUp == 0 || q.Mover&leftNeighbour != 0 {
		return
	}
	g.emitted = true
	next := *q
	if !won && g.god.ending != nil {
		next, won = g.god.ending(g, next)
	}
	next.Mover = g.them
	if won {
		next.Winner = g.me + 1
		hint |= moveWins
	}
	g.add(&next, hint)
}

// add adds a state, or a shorter chain to it.
func (g *generator) add(q *State, hint Move) {
	if g.target != nil {
		if *q == *g.target && (!g.found || len(g.chain) < len(g.targetChain)) {
			g.targetChain, g.found = slices.Clone(g.chain), true
			g.stopped = !g.recording
		}
		return
	}
	i, old := g.list.add(q, hint)
	switch {
	case g.visit != nil:
		if !old {
			g.stopped = g.visit(i)
		}
	case !g.recording:
	case !old:
		g.chains = append(g.chains, slices.Clone(g.chain))
	case len(g.chain) < len(g.chains[i]):
		g.chains[i] = slices.Clone(g.chain)
	}
}

// eachWorker calls fn with the square of every worker that may move.
func (g *generator) eachWorker(fn func(from int)) {
	for w := g.p.Workers[g.me] &^ g.frozen; w != 0 && !g.stopped; w &= w - 1 {
		from := lowest(w)
		g.do(act(SelectWorker, from))
		fn(from)
		g.undo(1)
	}
}

// continuation is what follows a step that ended on at and did not win.
type continuation func(q *State, at int, hint Move)

// stepTo takes a step from from to each of ends. A win ends the turn; otherwise
// next continues it. home is where the worker began its turn.
func (g *generator) stepTo(q *State, home, from int, ends uint32, next continuation) {
	for ; ends != 0 && !g.stopped; ends &= ends - 1 {
		to := lowest(ends)
		g.do(act(MoveWorker, to))
		after, at := g.step(q, from, to)
		g.arrive(q, &after, home, from, to, at, next)
		g.undo(1)
	}
}

// arrive ends the turn if the step from from to to wins; otherwise next continues
// it.
func (g *generator) arrive(q, after *State, home, from, to, at int, next continuation) {
	hint := Move(home) | Move(at)<<5
	if q.Height(to) > g.p.Height(home) {
		hint |= MoveClimbs
	}
	if at == to && g.wins(q, after, from, to) { // a winning step never slides
		if g.god.drags {
			after.Mover &^= leftNeighbour
		}
		g.emit(after, true, hint|noBuild)
		return
	}
	next(g.hold(after), at, hint)
	g.depth--
}

// hold stores a copy of q until depth is decremented.
func (g *generator) hold(q *State) *State {
	held := &g.held[g.depth]
	*held = *q
	g.depth++
	return held
}

// wins reports whether a step wins, by the common rule or the god's own, unless
// the opponent forbids it.
func (g *generator) wins(q, after *State, from, to int) bool {
	if g.noWin&Bit(to) != 0 || after.Mover&leftNeighbour != 0 && !g.god.drags {
		return false
	}
	if g.fromTwo {
		return rises(q, from, to) && q.Height(from) == 2
	}
	if g.levelWins && q.Height(to) == 3 {
		return true
	}
	return rises(q, from, to) || g.god.wins != nil && g.god.wins(g, *q, *after, from, to)
}

// rises reports whether a step wins by the common rule: it climbs onto level 3.
func rises(q *State, from, to int) bool {
	return q.Height(to) == 3 && q.Height(from) < 3
}

// build adds one level to each site next to at and ends the turn.
func (g *generator) build(q *State, at int, hint Move) {
	g.buildOn(q, g.sites(q, at), hint, nil)
}

// buildOn adds one level to each of sites and ends the turn. It then calls more,
// if not nil, to continue the turn from there.
func (g *generator) buildOn(q *State, sites uint32, hint Move, more func(q *State, s int, hint Move)) {
	if g.winsOnly {
		if !g.god.buildWins {
			return
		}
		sites &= q.Above[2]
	}
	for ; sites != 0 && !g.stopped; sites &= sites - 1 {
		s := lowest(sites)
		next := *q
		g.raise(&next, s)
		g.do(act(Build, s))
		hint := hint | Move(s)<<10
		g.emit(&next, false, hint)
		if more != nil {
			more(g.hold(&next), s, hint)
			g.depth--
		}
		g.undo(1)
	}
}

// domeOn puts a dome on each of sites and ends the turn.
func (g *generator) domeOn(q *State, sites uint32, hint Move) {
	for ; sites != 0 && !g.winsOnly && !g.stopped; sites &= sites - 1 {
		s := lowest(sites)
		next := *q
		next.Dome(Bit(s))
		g.do(act(Dome, s))
		g.emit(&next, false, hint|Move(s)<<10)
		g.undo(1)
	}
}

// stepAndBuild takes every step of every worker; next continues the turn.
func (g *generator) stepAndBuild(next continuation) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), next)
	})
}

// afterBuild takes every common turn, which may end with its build on s by the worker on at, or go on by more.
func (g *generator) afterBuild(more func(q *State, at, s int, hint Move)) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.buildOn(q, g.sites(q, at), hint, func(q *State, s int, hint Move) { more(q, at, s, hint) })
	})
}

// commonTurns lists the turns of gods whose power changes neither step nor build.
func commonTurns(g *generator) { g.stepAndBuild(g.build) }
