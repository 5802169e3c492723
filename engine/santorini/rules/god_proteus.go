package rules

func proteusPower() power {
	return power{
		name:    "proteus",
		text:    "three workers; after a move another of them moves to the square left",
		workers: 3,
		turns:   proteusTurns,
	}
}

func proteusTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), func(q *State, at int, hint Move) {
			others := q.Workers[g.me] &^ Bit(at)
			if others == 0 {
				g.build(q, at, hint)
				return
			}
			for ; others != 0; others &= others - 1 {
				s := lowest(others)
				next := *q
				next.Workers[g.me] ^= Bit(s) | Bit(from)
				g.do(Action{Kind: ForceOwn, At: s, To: from})
				g.build(&next, at, hint)
				g.undo(1)
			}
		})
	})
}
