package rules

// nothingClimbs reports whether the turns so far break persephone's rule. A hero need
// not use a power in order to climb: then all turns are legal.
func (g *generator) nothingClimbs() bool {
	return g.mustClimb && !g.emitted && !g.winsOnly && (!g.plainOnly || g.god.endless)
}

func persephonePower() power {
	return power{
		name:          "persephone",
		text:          "the opponent must climb if it can",
		limitOpponent: func(g *generator, _ uint8) { g.mustClimb = true },
	}
}
