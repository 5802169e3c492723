package rules

func stymphaliansPower() power {
	return power{
		name:    "stymphalians",
		text:    "three workers; up to three steps, but may not end next to the start",
		workers: 3,
		turns:   stymphaliansTurns,
		hints:   hints{startsLower: 2},
	}
}

func stymphaliansTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stymphaliansFly(*g.p, from, from, 1)
	})
}

// stymphaliansFly takes step n. No turn ends next to the start, not even a win.
func (g *generator) stymphaliansFly(q State, home, from, n int) {
	near := near[home&31] | Bit(home)
	for ends := g.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(&q, from, to)
		g.do(act(MoveWorker, to))
		if near&Bit(at) == 0 {
			g.arrive(&q, &after, home, from, to, at, g.build)
		}
		if n < 3 && !(near&Bit(at) == 0 && at == to && g.wins(&q, &after, from, to)) {
			g.stymphaliansFly(after, home, at, n+1)
		}
		g.undo(1)
	}
}
