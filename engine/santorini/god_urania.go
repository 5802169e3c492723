package santorini

func uraniaPower() power {
	return power{
		name:    "urania",
		text:    "the board's edges meet for her moves and builds",
		workers: 2,
		turns:   commonTurns,
		rules:   func(t *turns, _ uint8) { t.wraps = true },
	}
}
