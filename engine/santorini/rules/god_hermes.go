package rules

func hermesPower() power {
	return power{
		name:    "hermes",
		text:    "may move both workers any number of squares on their levels, then builds with either",
		workers: 2,
		turns:   hermesTurns,
	}
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

// hermesGlides visits all pairs of squares that the two workers reach on their
// levels, by one step of one worker at a time.
func (g *generator) hermesGlides() {
	mine := g.p.Workers[g.me]
	home := [2]int{lowest(mine), NoSquare}
	if rest := mine & (mine - 1); rest != 0 {
		home[1] = lowest(rest)
	}
	var seen [32]uint32 // squares of the second worker, by the square of the first
	var todo [Squares * Squares][2]int
	seen[home[0]&31] = Bit(home[1])
	todo[0] = home
	for i, n := 0, 1; i < n && !g.stopped; i++ {
		at := todo[i]
		q := *g.p
		q.Workers[g.me] = (Bit(at[0]) | Bit(at[1])) & Board
		g.hermesBuilds(&q, home, at)
		for k := range 2 {
			if home[k] == NoSquare || g.frozen&Bit(home[k]) != 0 {
				continue
			}
			level := q.Level(q.Height(at[k]))
			for ends := g.steps(&q, at[k]) & level; ends != 0; ends &= ends - 1 {
				to := at
				to[k] = lowest(ends)
				if seen[to[0]&31]&Bit(to[1]) == 0 {
					seen[to[0]&31] |= Bit(to[1])
					todo[n] = to
					n++
				}
			}
		}
	}
}

// hermesBuilds ends the turn with a block next to either worker.
func (g *generator) hermesBuilds(q *State, home, at [2]int) {
	if g.staysNear && !(g.hermesStaysNear(q, home[0], at[0]) && g.hermesStaysNear(q, home[1], at[1])) {
		return
	}
	sites := g.sites(q, at[0])
	if at[1] != NoSquare {
		sites |= g.sites(q, at[1])
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

func (g *generator) hermesStaysNear(q *State, home, at int) bool {
	return home == NoSquare || home == at || !g.isNear(g.p, home) || g.isNear(q, at)
}
