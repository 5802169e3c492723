package santorini

func harpiesPower() power {
	return power{
		name:    "harpies",
		text:    "an opponent's worker that moves slides on until a rise or an obstacle",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, _ uint8) { t.slides = true },
	}
}
