package santorini

func heraPower() power {
	return power{
		name:    "hera",
		text:    "the opponent cannot win by moving onto the perimeter",
		workers: 2,
		turns:   commonTurns,
		limit:   func(t *turns, _ uint8) { t.noWin |= perimeter },
	}
}
