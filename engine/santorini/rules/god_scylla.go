package rules

func scyllaPower() power {
	return power{
		name:  "scylla",
		text:  "may move a neighbour of the opponent to the square she left",
		turns: scyllaTurns,
		drags: true,
	}
}

func scyllaTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), func(q *State, at int, hint Move) {
			g.build(q, at, hint)
			for drag := near[from&31] & g.movable(q); drag != 0 && q.Occupied()&Bit(from) == 0; drag &= drag - 1 {
				s := lowest(drag)
				next := *q
				g.force(&next, s, from)
				next.Mover &^= leftNeighbour // the worker that she drags stays next to hers
				g.do(Action{Kind: ForceOpponent, At: s, To: from})
				g.build(&next, at, hint)
				g.undo(1)
			}
		})
	})
}
