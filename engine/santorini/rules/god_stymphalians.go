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
	noWin := g.noWin
	g.eachWorker(func(from int) {
		g.noWin = noWin | near[from&31] | Bit(from) // no turn ends next to the start
		var won [4]uint32
		if g.class != stymphaliansWinSquare {
			g.stymphaliansWins(*g.p, from, 1, &won)
		}
		won[2] |= won[1]
		won[3] |= won[2]
		g.stymphaliansFly(*g.p, from, from, 1, &won)
	})
	g.noWin = noWin
}

// stymphaliansWins collects the squares that step n or a later one enters winning.
func (g *generator) stymphaliansWins(q State, from, n int, won *[4]uint32) {
	for ends := g.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(&q, from, to)
		if g.wins(&q, &after, from, to) {
			won[n] |= Bit(to)
		} else if n < 3 {
			g.stymphaliansWins(after, at, n+1, won)
		}
	}
}

// stymphaliansFly takes step n. A square that wins is entered only to win: nobody builds
// from there, or steps on if as few steps as these could have won.
func (g *generator) stymphaliansFly(q State, home, from, n int, won *[4]uint32) {
	near := near[home&31] | Bit(home)
	noWin := g.noWin
	g.noWin |= won[n-1] // fewer steps win there, so that this one slides on
	for ends := g.steps(&q, from); ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(&q, from, to)
		wins := g.wins(&q, &after, from, to)
		g.do(act(MoveWorker, to))
		if near&Bit(at) == 0 && (wins || won[3]&Bit(at) == 0) {
			g.arrive(&q, &after, home, from, to, at, g.build)
		}
		if n < 3 && !wins && won[n]&Bit(at) == 0 {
			g.stymphaliansFly(after, home, at, n+1, won)
		}
		g.undo(1)
	}
	g.noWin = noWin
}
