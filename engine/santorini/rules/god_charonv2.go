package rules

func charonv2Power() power {
	return power{
		name:  "charonv2",
		text:  "instead of moving may move a neighbour of the opponent to the opposite side of the worker, then builds",
		turns: charonv2Turns,
	}
}

func charonv2Turns(g *generator) {
	commonTurns(g)
	for w := g.p.Workers[g.me]; w != 0 && !g.stopped; w &= w - 1 {
		from := lowest(w) // hypnus holds no flip
		g.do(act(SelectWorker, from))
		g.flips(from, func(q *State) {
			g.build(q, from, Move(from)|Move(from)<<5)
		})
		g.undo(1)
	}
}
