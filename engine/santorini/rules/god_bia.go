package rules

func biaPower() power {
	return power{
		name:        "bia",
		text:        "places first, on the perimeter; removes the opponent's worker straight ahead of her move",
		example:     "0100000100000000010000010/1/bia:A3,E5/mortal:C3,C1",
		turns:       biaTurns,
		removes:     true,
		placesFirst: true,
		place: func(g *generator) {
			g.placeMore(*g.p, perimeter&^g.p.Occupied(), 2, nil)
		},
	}
}

func biaTurns(g *generator) {
	g.eachWorker(func(from int) {
		for ends := g.steps(g.p, from); ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			prey := Bit(neighbour(to, direction(from, to, false), false)) & g.movable(g.p)
			if before := *g.p; g.slides && g.stepWins(g.p, from, Bit(to)) == 0 {
				g.remove(&before, prey) // she slides on through the square
				g.stepTo(&before, from, from, Bit(to), g.build)
				continue
			}
			g.stepTo(g.p, from, from, Bit(to), func(q *State, at int, hint Move) {
				next := *q
				g.remove(&next, prey)
				g.build(&next, at, hint)
			})
		}
	})
}
