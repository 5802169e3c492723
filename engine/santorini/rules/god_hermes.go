package rules

// What the printed rules allow beyond what engines of today list.
var aphroditeHermes = printedRule{name: "aphrodite-hermes", opponent: "aphrodite"}

func hermesPower() power {
	return power{
		name:    "hermes",
		text:    "may move both workers any number of squares on their levels, then builds with either",
		turns:   hermesTurns,
		fast:    &Fast{Reach: hermesSteps, Glides: true},
		printed: []*printedRule{&aphroditeHermes},
	}
}

// hermesSteps is the steps to other levels. Those on the level are glides.
func hermesSteps(p *State, from int) (wins, ends uint32) {
	wins, ends = mortalReach(p, from)
	return wins, ends &^ p.Level(p.Height(from))
}

func hermesTurns(g *generator) {
	g.eachWorker(func(from int) {
		h := g.p.Height(from)
		g.stepTo(g.p, from, from, g.steps(g.p, from)&^g.p.Level(h), g.build)
	})
	if !g.winsOnly {
		g.hermesGlides()
	}
}

// hermesGlides visits all pairs of squares that the two workers reach on their levels.
func (g *generator) hermesGlides() {
	mine := g.p.Workers[g.me]
	home := [2]int{lowest(mine), NoSquare}
	if rest := mine & (mine - 1); rest != 0 {
		home[1] = lowest(rest)
	}
	reach := [2]uint32{g.hermesReach(home[0]), 0}
	joined := mine != Bit(home[0]) && reach[0]&Bit(home[1]) != 0
	switch {
	case joined: // and back again: a wind is overlooked
		reach[1] = reach[0]
	case home[1] != NoSquare:
		reach[1] = g.hermesReach(home[1])
	default:
		reach[1] = Bit(NoSquare)
	}
	q := *g.p
	if g.staysNear {
		for k := range 2 {
			reach[k] = g.hermesNear(home[k], reach[k])
		}
	}
	for first := reach[0]; first != 0 && !g.stopped; first &= first - 1 {
		for second := reach[1] &^ (first & -first); second != 0; second &= second - 1 {
			at := [2]int{lowest(first), lowest(second)}
			if joined && at[1] < at[0] && reach[0]&Bit(at[1]) != 0 && g.allowed != &aphroditeHermes {
				continue // taken for the double of the exchanged pair, even if that one is illegal
			}
			q.Workers[g.me] = (Bit(at[0]) | Bit(at[1])) & Board
			g.hermesBuilds(&q, home, at)
		}
	}
}

// hermesReach is where a worker can glide while the other one makes way.
func (g *generator) hermesReach(home int) uint32 {
	reach := Bit(home)
	if g.frozen&reach != 0 {
		return reach
	}
	q := *g.p
	q.Workers[g.me] &= g.frozen
	level := q.Level(q.Height(home))
	for todo := reach; todo != 0; {
		more := g.steps(&q, lowest(todo)) & level &^ reach
		reach |= more
		todo = todo&(todo-1) | more
	}
	return reach
}

// hermesNear is the part of reach that aphrodite allows a worker from home.
func (g *generator) hermesNear(home int, reach uint32) (set uint32) {
	if home == NoSquare || !g.isNear(g.p, home) {
		return reach
	}
	for ; reach != 0; reach &= reach - 1 {
		if g.isNear(g.p, lowest(reach)) {
			set |= reach & -reach
		}
	}
	return set
}

// hermesBuilds ends the turn with a block next to either worker.
func (g *generator) hermesBuilds(q *State, home, at [2]int) {
	var sites uint32
	for k := range 2 { // a worker that hypnus holds does not build
		if at[k] != NoSquare && g.frozen&Bit(home[k]) == 0 {
			sites |= g.sites(q, at[k])
		}
	}
	hint := NoSquare<<5 | Move(NoSquare)
	moved := 0
	for i := range 2 {
		// A worker that ends where the other started moves second.
		k := i
		if at[0] == home[1] {
			k = 1 - i
		}
		if at[k] != home[k] {
			g.do(act(SelectWorker, home[k]))
			g.do(act(MoveWorker, at[k]))
			moved += 2
			hint = Move(home[k]) | Move(at[k])<<5
		}
	}
	g.buildOn(q, sites, hint, nil)
	g.undo(moved)
}
