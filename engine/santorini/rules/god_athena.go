package rules

func athenaPower() power {
	return power{
		name:          "athena",
		text:          "after she climbs, the opponent may not climb",
		state:         flagged("^", "she climbed, the opponent may not"),
		limitsByState: true,
		fast:          &Fast{Reach: mortalReach, Climbed: true},
		limitOpponent: func(g *generator, side uint8) {
			g.noUp = g.noUp || g.p.GodState[side] == 1
		},
		ending: func(g *generator, q State) (State, bool) {
			q.GodState[g.me] = flag(q.Mover&wentUp != 0)
			return q, false
		},
	}
}
