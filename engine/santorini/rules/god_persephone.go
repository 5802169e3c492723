package rules

func persephonePower() power {
	return power{
		name:          "persephone",
		text:          "the opponent must climb if it can",
		workers:       2,
		turns:         commonTurns,
		limitOpponent: func(g *generator, _ uint8) { g.mustClimb = true },
	}
}
