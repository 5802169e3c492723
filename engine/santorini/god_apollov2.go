package santorini

func apollov2Power() power {
	return power{
		name:    "apollov2",
		text:    "may move onto an opponent's worker that stands no higher, which takes the square he left",
		workers: 2,
		turns:   func(t *turns) { apolloTurns(t, 0) },
		player:  sense{common: true},
	}
}
