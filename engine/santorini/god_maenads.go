package santorini

func maenadsPower() power {
	return power{
		name:    "maenads",
		text:    "also win with an opponent's worker between two of theirs in a line",
		workers: 2,
		example: "0000000100000010000000010/1/maenads:B4,D3/mortal:C4,C2",
		turns:   commonTurns,
		wins:    maenadsWin,
	}
}

func maenadsWin(t *turns, _, after state, _, _ int) bool {
	mine := after.workers[t.me]
	for w := after.workers[t.them]; w != 0; w &= w - 1 {
		s := lowest(w)
		for d := range 4 {
			a, b := beyond(s, d, false), beyond(s, d+4, false)
			if a != noSquare && b != noSquare && mine&bit(a) != 0 && mine&bit(b) != 0 {
				return true
			}
		}
	}
	return false
}
