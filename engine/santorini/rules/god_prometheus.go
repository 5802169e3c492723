package rules

// What the printed rules allow beyond what engines of today list.
var prometheusSecondBuild = printedRule{name: "prometheus-second-build", buildsTwice: true}

func prometheusPower() power {
	return power{
		name:    "prometheus",
		text:    "may also build before moving, and then may not climb",
		turns:   prometheusTurns,
		fast:    &Fast{Reach: mortalReach, Before: true},
		printed: []*printedRule{&prometheusSecondBuild},
	}
}

func prometheusTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		both := g.sites(g.p, from)
		for sites := both; sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			q := *g.p
			g.raise(&q, s)
			g.do(act(Build, s))
			flat := g.stepSquares(from) & g.enterable(&q, from, 0) &^ q.Occupied()
			g.stepTo(&q, from, from, flat, func(q *State, at int, hint Move) {
				g.buildBelow(q, at, both, s, hint)
			})
			g.undo(1)
		}
	})
}

// buildBelow is the build after a first one on s before the move. Of two squares in
// both, which could each have been built on first, existing engines build on the
// higher one first and never the other way round. We do the same, although it
// omits turns in which the worker steps onto the lower one.
func (g *generator) buildBelow(q *State, at int, both uint32, s int, hint Move) {
	if g.allowed != nil && g.allowed.buildsTwice {
		both = 0
	}
	g.buildOn(q, g.sites(q, at)&^(both&^(Bit(s)<<1-1)), hint, nil)
}
