package rules

func chronusPower() power {
	return power{
		name:      "chronus",
		text:      "also wins at five or more domes, on his own turn",
		turns:     chronusTurns,
		hints:     hints{value: chronusValue},
		ending:    func(_ *generator, q State) (State, bool) { return q, fiveDomes(&q) },
		buildWins: true,
		bans:      []ban{{"atlas", lowDomes}, {"selene", lowDomes}, {"asteria", lowDomes}, {"polyphemus", lowDomes}},
	}
}

func fiveDomes(q *State) bool { return size(q.Above[3]) >= 5 }

// chronusTurns: if the opponent built the fifth dome, chronus wins at once,
// without an action.
func chronusTurns(g *generator) {
	if fiveDomes(g.p) {
		g.emit(g.p, true, noBuild|NoSquare<<5|NoSquare)
		return
	}
	commonTurns(g)
}

// chronusValue grows with the number of domes.
func chronusValue(p *State, _ int) int { n := size(p.Above[3]); return 8 * n * n }
