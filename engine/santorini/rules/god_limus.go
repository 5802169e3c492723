package rules

func limusPower() power {
	return power{
		name:          "limus",
		text:          "the opponent may not build next to limus, except a dome on level 3",
		limitOpponent: func(g *generator, _ uint8) { g.noLowBuild = true },
	}
}

// guarded is the set of squares next to limus in q where nothing may be built. The
// fourth level is always allowed.
func (g *generator) guarded(q *State) (set uint32) {
	if g.noLowBuild {
		for w := q.Workers[g.them]; w != 0; w &= w - 1 {
			set |= near[lowest(w)&31]
		}
	}
	return set &^ q.Above[2]
}
