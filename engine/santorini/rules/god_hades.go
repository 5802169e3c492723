package rules

func hadesPower() power {
	return power{
		name:          "hades",
		text:          "the opponent may not step down",
		limitOpponent: func(g *generator, _ uint8) { g.noDown = true },
		bans:          []ban{{"pan", walledIn}, {"asteria", walledIn}, {"nike", walledIn}},
	}
}
