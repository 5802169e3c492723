package rules

func achillesPower() power {
	return power{
		name:      "achilles",
		text:      "once, may also build before moving",
		workers:   2,
		stateText: "[x]: the power is used",
		turns:     achillesTurns,
		hints:     hints{drops: true, value: unusedPower},
		parse:     parseFlag("x"),
		format:    formatFlag("[x]"),
	}
}

func achillesTurns(g *generator) {
	commonTurns(g)
	if g.p.GodState[g.me] != 0 {
		return
	}
	g.eachWorker(func(from int) {
		both := g.sites(g.p, from)
		for sites := both; sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			q := *g.p
			g.raise(&q, s)
			q.GodState[g.me] = 1
			g.do(act(Build, s))
			g.stepTo(&q, from, from, g.steps(&q, from), func(q *State, at int, hint Move) {
				g.buildBelow(q, at, both, s, hint)
			})
			g.undo(1)
		}
	})
}
