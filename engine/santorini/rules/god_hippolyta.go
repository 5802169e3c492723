package rules

func hippolytaPower() power {
	return power{
		name:          "hippolyta",
		text:          "all workers but her female one move diagonally only",
		state:         squareState("B3", "the female worker"),
		hints:         hints{irregular: true},
		female:        true,
		limitSelf:     hippolytaDiagonal,
		limitOpponent: func(g *generator, _ uint8) { g.diagonal, g.exempt = true, 0 },
		place:         placeFemale,
		check:         checkFemale,
	}
}

func hippolytaDiagonal(g *generator, side uint8) {
	g.diagonal, g.exempt = true, storedSquare(g.p.GodState[side])
}
