package santorini

func hadesPower() power {
	return power{
		name:    "hades",
		text:    "the opponent may not step down",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, _ uint8) { t.noDown = true },
	}
}
