package rules

func uraniaPower() power {
	return power{
		name:      "urania",
		text:      "the board's edges meet for her moves and builds",
		hints:     hints{irregular: true},
		limitSelf: func(g *generator, _ uint8) { g.wraps = true },
	}
}
