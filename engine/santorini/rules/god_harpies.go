package rules

func harpiesPower() power {
	return power{
		name:          "harpies",
		text:          "an opponent's worker that moves slides until a rise or an obstacle",
		limitOpponent: func(g *generator, _ uint8) { g.slides = true },
		bans:          []ban{{"hermes", bothGlide}},
	}
}
