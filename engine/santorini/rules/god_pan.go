package rules

func panPower() power {
	return power{
		name:  "pan",
		text:  "also wins by stepping down two or more levels",
		basic: true,
		wins:  panWins,
		fast:  &Fast{Reach: panReach},
		hints: hints{drops: true},
	}
}

func panReach(p *State, from int) (wins, ends uint32) {
	h := p.Height(from)
	ends = near[from&31] &^ (p.Workers[0] | p.Workers[1]) & p.Climbable(h)
	switch h {
	case 2:
		wins = ends & (p.Above[2] | ^p.Above[0])
	case 3:
		wins = ends &^ p.Above[1]
	}
	return wins, ends &^ wins
}

func panWins(_ *generator, q, _ State, from, to int) bool {
	return q.Height(from)-q.Height(to) >= 2
}
