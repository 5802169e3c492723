package santorini

func erosPower() power {
	return power{
		name:    "eros",
		text:    "starts on opposite edges; also wins by moving next to the other worker, both on level 1",
		workers: 2,
		turns:   commonTurns,
		wins:    erosWins,
		starts:  erosStarts,
	}
}

func erosWins(t *turns, _, after state, _, to int) bool {
	ones := after.level(1)
	return ones&bit(to) != 0 && near[to&31]&after.workers[t.me]&ones != 0
}

// erosStarts: the two workers stand on edges that face each other.
func erosStarts(t *turns) {
	const (
		north = 0b11111
		south = north << 20
		west  = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20
		east  = west << 4
	)
	t.placeMore(*t.p, board&^t.p.occupied(), 2, func(q *state) bool {
		w := q.workers[t.me]
		return w&north != 0 && w&south != 0 || w&west != 0 && w&east != 0
	})
}
