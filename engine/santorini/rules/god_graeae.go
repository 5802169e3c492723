package rules

func graeaePower() power {
	return power{
		name:    "graeae",
		text:    "three workers; one that did not move builds",
		workers: 3,
		turns:   graeaeTurns,
	}
}

func graeaeTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		var sites uint32
		for w := q.Workers[g.me] &^ Bit(at); w != 0; w &= w - 1 {
			sites |= g.sites(q, lowest(w))
		}
		g.buildOn(q, sites, hint, nil)
	})
}
