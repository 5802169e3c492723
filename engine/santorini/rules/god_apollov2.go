package rules

func apollov2Power() power {
	return power{
		name:  "apollov2",
		text:  "may move onto an opponent's worker that stands no higher, which moves to the square he left",
		turns: func(g *generator) { apolloTurns(g, 0) },
	}
}
