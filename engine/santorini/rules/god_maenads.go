package rules

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

func maenadsWin(g *generator, _, after State, _, _ int) bool {
	mine := after.Workers[g.me]
	for w := after.Workers[g.them]; w != 0; w &= w - 1 {
		s := lowest(w)
		for d := range 4 {
			a, b := neighbour(s, d, false), neighbour(s, d+4, false)
			if a != NoSquare && b != NoSquare && mine&Bit(a) != 0 && mine&Bit(b) != 0 {
				return true
			}
		}
	}
	return false
}
