package rules

func mortalPower() power {
	return power{
		name:  "mortal",
		text:  "no power",
		basic: true,
		fast:  &Fast{Reach: mortalReach},
	}
}

func mortalReach(p *State, from int) (wins, ends uint32) {
	h := p.Height(from)
	ends = near[from&31] &^ (p.Workers[0] | p.Workers[1]) & p.Climbable(h)
	if h == 2 {
		wins = ends & p.Above[2]
		ends &^= wins
	}
	return wins, ends
}
