package santorini

func panPower() power {
	return power{
		name:    "pan",
		text:    "also wins by stepping down two or more levels",
		workers: 2,
		turns:   commonTurns,
		wins:    panWins,
		fast:    &fastTurns{reach: panReach},
		player:  sense{drops: true},
	}
}

func panReach(p *state, from int) (wins, ends uint32) {
	h := p.height(from)
	ends = near[from&31] &^ (p.workers[0] | p.workers[1]) & p.climbable(h)
	switch h {
	case 2:
		wins = ends & (p.up[2] | ^p.up[0])
	case 3:
		wins = ends &^ p.up[1]
	}
	return wins, ends &^ wins
}

func panWins(_ *turns, q, _ state, from, to int) bool {
	return q.height(from)-q.height(to) >= 2
}
