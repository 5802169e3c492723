package santorini

func aphroditePower() power {
	return power{
		name:    "aphrodite",
		text:    "an opponent's worker that starts beside hers must end its turn beside hers",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		limit:   func(t *turns, _ uint8) { t.clings = true },
	}
}
