package santorini

func medusaPower() power {
	return power{
		name:    "medusa",
		text:    "at the end of her turn, lower neighbours of the opponent become a block",
		workers: 2,
		turns:   commonTurns,
		player:  sense{common: true},
		removes: true,
		ending:  medusaEnding,
	}
}

func medusaEnding(t *turns, q state) (state, bool) {
	for w := q.workers[t.me]; w != 0; w &= w - 1 {
		s := lowest(w)
		h := q.height(s)
		if h == 0 {
			continue
		}
		stone := near[s&31] & q.workers[t.them] & q.atMost(h-1) &^ t.closed
		t.remove(&q, stone)
		q.raise(stone)
	}
	return q, false
}
