package rules

func maenadsPower() power {
	return power{
		name:    "maenads",
		text:    "also win with an opponent's worker between two of theirs in a line",
		example: "0000000100000010000000010/1/maenads:B4,D3/mortal:C4,C2",
		turns:   maenadsTurns,
		hints:   hints{elsewhere: true},
	}
}

// maenadsTurns: a dance is judged after a slide and needs a possible build.
func maenadsTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		if g.dance(q) && g.sites(q, at) != 0 {
			g.emit(q, true, hint|noBuild)
			return
		}
		g.build(q, at, hint)
	})
}

func (g *generator) dance(q *State) bool {
	mine := q.Workers[g.me]
	for w := g.movable(q); w != 0; w &= w - 1 {
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
