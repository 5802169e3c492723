package rules

func aphroditePower() power {
	return power{
		name:          "aphrodite",
		text:          "an opponent's worker that starts next to hers must end its turn next to hers",
		limitOpponent: func(g *generator, _ uint8) { g.staysNear = true },
		bans:          []ban{{"urania", noMeeting}},
	}
}
