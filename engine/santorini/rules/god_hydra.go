package rules

func hydraPower() power {
	return power{
		name:  "hydra",
		text:  "after a turn adds a worker next to the one that moved, or removes one if two are neighbours",
		least: 1,
		most:  hydraMax,
		turns: hydraTurns,
	}
}

const hydraMax = 11

func hydraTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		if g.winsOnly {
			return
		}
		for sites := g.sites(q, at); sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			next := *q
			g.raise(&next, s)
			g.do(act(Build, s))
			g.hydraEnds(&next, at, hint|Move(s)<<10)
			g.undo(1)
		}
	})
}

func (g *generator) hydraEnds(q *State, at int, hint Move) {
	mine := q.Workers[g.me]
	for w := mine; w != 0; w &= w - 1 {
		if near[lowest(w)&31]&mine != 0 {
			g.hydraLoses(q, hint)
			return
		}
	}
	if size(mine) >= hydraMax {
		g.emit(q, false, hint)
		return
	}
	room := g.neighbours(at) &^ g.notFree(q)
	for h := range 4 { // without room there is no such turn
		if low := room & q.Level(h); low != 0 {
			for ; low != 0; low &= low - 1 {
				next := *q
				next.Workers[g.me] |= low & -low
				g.end(act(PlaceWorker, lowest(low)), &next, hint)
			}
			return
		}
	}
}

func (g *generator) hydraLoses(q *State, hint Move) {
	for w := q.Workers[g.me]; w != 0; w &= w - 1 {
		next := *q
		next.Workers[g.me] &^= w & -w
		g.end(act(RemoveWorker, lowest(w)), &next, hint)
	}
}
