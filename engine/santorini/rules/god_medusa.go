package rules

func medusaPower() power {
	return power{
		name:    "medusa",
		text:    "at the end of her turn, lower neighbours of the opponent become blocks",
		removes: true,
		ending:  medusaEnding,
	}
}

func medusaEnding(g *generator, q State) (State, bool) {
	for w := q.Workers[g.me]; w != 0; w &= w - 1 {
		s := lowest(w)
		h := q.Height(s)
		if h == 0 {
			continue
		}
		stone := near[s&31] & q.Workers[g.them] & q.atMost(h-1) &^ g.closed
		g.remove(&q, stone)
		q.Raise(stone)
	}
	return q, false
}
