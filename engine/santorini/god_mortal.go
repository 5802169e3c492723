package santorini

func mortalPower() power {
	return power{
		name:    "mortal",
		text:    "no power",
		workers: 2,
		turns:   commonTurns,
		fast:    &fastTurns{reach: mortalReach},
	}
}

func mortalReach(p *state, from int) (wins, ends uint32) {
	h := p.height(from)
	ends = near[from&31] &^ (p.workers[0] | p.workers[1]) & p.climbable(h)
	if h == 2 {
		wins = ends & p.up[2]
		ends &^= wins
	}
	return wins, ends
}
