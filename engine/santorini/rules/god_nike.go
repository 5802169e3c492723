package rules

func nikePower() power {
	return power{
		name:  "nike",
		text:  "after she steps down, the opponent may not climb",
		state: flagged("^", "she stepped down, the opponent may not climb"),
		limitOpponent: func(g *generator, side uint8) {
			g.noUp = g.noUp || g.p.GodState[side] == 1
		},
		ending: func(g *generator, q State) (State, bool) {
			q.GodState[g.me] = flag(q.Mover&wentDown != 0)
			return q, false
		},
	}
}
