package santorini

func persephonePower() power {
	return power{
		name:    "persephone",
		text:    "the opponent must climb if it can",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, _ uint8) { t.mustClimb = true },
	}
}
