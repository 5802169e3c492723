package santorini

func hippolytaPower() power {
	return power{
		name:    "hippolyta",
		text:    "all workers but her female one move diagonally only",
		workers: 2,
		keeps:   "[B3]: the female worker",
		sample:  "B3",
		turns:   commonTurns,
		female:  true,
		rules:   hippolytaSlants,
		limit:   func(t *turns, _ uint8) { t.slants, t.upright = true, 0 },
		starts:  femaleStarts,
		read:    readSquare,
		show:    showSquare,
		check:   femaleCheck,
	}
}

func hippolytaSlants(t *turns, side uint8) {
	t.slants, t.upright = true, keptSquare(t.p.power[side])
}
