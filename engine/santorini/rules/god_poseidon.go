package rules

func poseidonPower() power {
	return power{
		name:  "poseidon",
		text:  "an unmoved worker on the ground may build up to three times at the end",
		turns: poseidonTurns,
		wide:  true,
	}
}

func poseidonTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		if g.plainOnly {
			g.build(q, at, hint)
			return
		}
		g.buildOn(q, g.sites(q, at), hint, func(q *State, _ int, hint Move) {
			for rest := q.Workers[g.me] &^ Bit(at) &^ q.Above[0]; rest != 0; rest &= rest - 1 {
				g.buildMore(*q, g.neighbours(lowest(rest)), 3, hint)
			}
		})
	})
}

// buildMore builds up to n more levels on the squares of set, lower squares first:
// other orders have the same results.
func (g *generator) buildMore(q State, set uint32, n int, hint Move) {
	for sites := g.buildable(&q, set); sites != 0 && n > 0 && !g.stopped; sites &= sites - 1 {
		s := lowest(sites)
		next := q
		g.raise(&next, s)
		g.do(act(Build, s))
		g.emit(&next, false, hint)
		g.buildMore(next, set&^(Bit(s)-1), n-1, hint)
		g.undo(1)
	}
}
