package rules

func mortalPower() power {
	return power{
		name:  "mortal",
		text:  "no power",
		basic: true,
		fast:  &Fast{Reach: mortalReach},
	}
}

func mortalReach(p *State, from int) (wins, ends uint32) { return stepReach(p, from, ^p.Occupied()) }

// stepReach is the Reach of gods who take one step to a square of open.
func stepReach(p *State, from int, open uint32) (wins, ends uint32) {
	h := p.Height(from)
	ends = near[from&31] & open & p.Climbable(h)
	if h == 2 {
		wins = ends & p.Above[2]
		ends &^= wins
	}
	return wins, ends
}
