package rules

func minotaurPower() power {
	return power{
		name:      "minotaur",
		text:      "may move onto an opponent's worker and push it straight on, to any level",
		sharesTop: true,
		turns:     minotaurTurns,
		hints:     hints{irregular: true},
	}
}

func minotaurTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		for ends := g.stepSquares(from) & g.enterable(g.p, from, 1) & g.p.Workers[g.them]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			back := neighbour(to, direction(from, to, false), false)
			if back == NoSquare || g.notFree(g.p)&Bit(back) != 0 {
				continue
			}
			q := *g.p
			q.Workers[g.me] ^= Bit(from)
			if after, at := g.enter(&q, from, to); g.wins(g.p, &after, from, to) {
				// A step that wins pushes nobody.
				g.do(act(MoveWorker, to))
				g.arrive(g.p, &after, from, from, to, at, nil)
				g.undo(1)
				continue
			}
			g.force(&q, to, back)
			g.do(Action{Kind: MoveWithPush, At: to, To: back})
			after, at := g.enter(&q, from, to)
			g.arrive(&q, &after, from, from, to, at, g.build)
			g.undo(1)
		}
	})
}
