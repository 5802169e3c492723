package santorini

func chronusPower() power {
	return power{
		name:      "chronus",
		text:      "also wins at five or more domes, on his own turn",
		workers:   2,
		turns:     chronusTurns,
		player:    sense{value: chronusValue},
		ending:    func(_ *turns, q state) (state, bool) { return q, fiveDomes(&q) },
		buildWins: true,
	}
}

func fiveDomes(q *state) bool { return size(q.up[3]) >= 5 }

// chronusTurns: if the opponent built the fifth dome, the turn is over as soon
// as it begins, without an action.
func chronusTurns(t *turns) {
	if fiveDomes(t.p) {
		t.emit(t.p, true, noBuild|noSquare<<5|noSquare)
		return
	}
	commonTurns(t)
}

// chronusValue: each dome brings the fifth nearer.
func chronusValue(p *state, _ int) int { n := size(p.up[3]); return 8 * n * n }
